/** The state of a running import, followed by the live channel and, where that is silent, by polling. */
import { useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { ImportState, ImportSummary } from '#contract/imports/import.ts'
import { importCalls } from '#contract/imports/import-calls.ts'
import { onLiveMessage, onLiveProgress, type TaskProgress } from '../kernel/notices/live.ts'
import { apiQuery, refresh } from '../kernel/query.ts'

/** Polling interval (ms) while the task runs; the live channel is faster. */
const ASK_EVERY_MS = 1_000
const working: readonly ImportState[] = ['waiting', 'checking', 'committing', 'undoing']

/** Whether the server is still working on it. */
export function isWorking({ state }: Pick<ImportSummary, 'state'>): boolean {
  return working.includes(state)
}

/** Loads this import and polls it while it runs; reloads the lists that it fills once it has finished. */
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

/** Returns the last progress of an import's task from the live channel. */
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
