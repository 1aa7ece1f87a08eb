/** One import as it goes on: followed by the live channel, and asked for where that is silent. */
import { useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { importCalls, type ImportState, type ImportSummary } from '#contract/imports/import.ts'
import { onLiveMessage, onLiveProgress, type TaskProgress } from '../kernel/notices/live.ts'
import { apiQuery, refresh } from '../kernel/query.ts'

/** Between two questions (ms) while work runs; the live channel says it sooner. */
const ASK_EVERY_MS = 1_000
const working: readonly ImportState[] = ['waiting', 'checking', 'committing', 'undoing']

/** Whether the server still works on it. */
export function isWorking({ state }: Pick<ImportSummary, 'state'>): boolean {
  return working.includes(state)
}

/** The import of this id, asked again while it works; the lists that it fills are asked for again when it has ended. */
export function useImport(id: number, groups: readonly string[]) {
  const asked = useQuery({
    ...apiQuery(importCalls.get, { params: { id } }),
    refetchInterval: ({ state }) => (state.data && isWorking(state.data.import) ? ASK_EVERY_MS : false),
  })
  useEffect(
    () =>
      onLiveMessage((message) => {
        if (message.payload['import_id'] === id) refresh('imports')
      }),
    [id],
  )
  const works = asked.data !== undefined && isWorking(asked.data.import)
  useEffect(() => (works ? () => refresh('imports', ...groups) : undefined), [works, groups])
  return asked
}

/** How far the work of an import is, as the live channel last told. */
export function useProgress(taskId: number | null): TaskProgress | undefined {
  const [told, setTold] = useState<TaskProgress>()
  useEffect(
    () =>
      onLiveProgress((progress) => {
        if (progress.task_id === taskId) setTold(progress)
      }),
    [taskId],
  )
  return told?.task_id === taskId ? told : undefined
}
