/** The progress of an import's task, and the button that stops it. */
import { useState } from 'react'
import type { ImportState, ImportSummary } from '#contract/imports/import.ts'
import { taskCalls } from '#contract/tasks/task.ts'
import { callApi } from '../kernel/api.ts'
import { problemNotice, resultNotice } from '../kernel/notices/notices.ts'
import { refresh } from '../kernel/query.ts'
import { TaskProgressLine } from '../kernel/notices/task-progress.tsx'
import { Button } from '../ui/button.tsx'
import styles from './imports.module.css'
import { useProgress } from './use-import.ts'

const labels: Readonly<Partial<Record<ImportState, string>>> = { committing: 'Storing the rows', undoing: 'Undoing the import' }

export function ImportWork({ summary }: { summary: ImportSummary }) {
  const told = useProgress(summary.task_id)
  const [asking, setAsking] = useState(false)
  const stop = async (id: number) => {
    setAsking(true)
    try {
      resultNotice(await callApi(taskCalls.cancel, { params: { id } }))
    } catch (error) {
      problemNotice(error)
    } finally {
      setAsking(false)
      refresh('imports', 'tasks')
    }
  }
  const { task_id: taskId } = summary
  const progress = told ?? { rows_done: 0, rows_total: summary.counts.rows > 0 ? summary.counts.rows : null }
  return (
    <div className={styles.line} role="status">
      <TaskProgressLine task={progress} label={labels[summary.state] ?? 'Checking the rows'} noun="rows" />
      {taskId !== null && summary.state !== 'undoing' && (
        <Button small busy={asking} onClick={() => void stop(taskId)}>
          Cancel
        </Button>
      )}
    </div>
  )
}
