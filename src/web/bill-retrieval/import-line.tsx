/** The running import, or the result of the last one: its figures, the reasons, and each record that was not created. */
import { importResult, type ImportResult } from '#contract/bill-retrieval/bill-retrieval.ts'
import { stateLabels } from '#contract/bill-retrieval/retrieved-statement.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import type { Task } from '#contract/tasks/task.ts'
import { usePath, withSearch } from '../kernel/navigation.tsx'
import { TaskProgressLine } from '../kernel/notices/task-progress.tsx'
import { UiLink } from '../ui/link.tsx'
import { StatusDot } from '../ui/status.tsx'
import styles from './bill-retrieval.module.css'
import { isOpen } from './use-retrieval-tasks.ts'

export function ImportLine({ task }: { task: Task | undefined }) {
  if (!task) return null
  return (
    <section aria-label="Import" className={styles.import}>
      {isOpen(task) ? <TaskProgressLine task={task} label="Creating bills" noun="statements" /> : <ImportEnd task={task} />}
    </section>
  )
}

function ImportEnd({ task }: { task: Task }) {
  if (task.state !== 'done')
    return (
      <p role="alert" className={styles.line}>
        <StatusDot tone="bad" shape="triangle">
          {task.state === 'cancelled' ? 'The last import was stopped' : 'The last import failed'}
        </StatusDot>{' '}
        {task.error ?? ''}
      </p>
    )
  const result = importResult.safeParse(task.result)
  if (!result.success) return null
  return <ImportWords task={task} result={result.data} />
}

function ImportWords({ task, result }: { task: Task; result: ImportResult }) {
  const figures = figuresOf(result)
  const rest = result.duplicate + result.refused
  const when = task.finished_at === null ? '' : ` ${formatDate(todayIn(NEW_YORK, task.finished_at))}`
  return (
    <>
      <p className={styles.line} role="status">
        <span className={styles.quiet}>Last import{when}</span>
        {figures.map(({ word, count }) => (
          <span key={word} className="num">
            <strong>{count.toLocaleString('en-US')}</strong> {word}
          </span>
        ))}
        {task.has_file && <UiLink href={`/api/v5/tasks/${task.id}/file`}>Download what was not created</UiLink>}
        {result.created > 0 && (
          <UiLink href={`/clients/${task.client_id}/bills/findings?state=open&import_task_id=${task.id}`}>
            Open findings on these bills
          </UiLink>
        )}
      </p>
      {rest > 0 && <NotCreated result={result} rest={rest} />}
    </>
  )
}

function figuresOf(result: ImportResult): { word: string; count: number }[] {
  return [
    { word: result.created === 1 ? 'bill created' : 'bills created', count: result.created },
    { word: result.drafts === 1 ? 'is a draft' : 'are drafts', count: result.drafts },
    { word: 'created before', count: result.before },
    { word: result.duplicate === 1 ? 'duplicate' : 'duplicates', count: result.duplicate },
    { word: 'not created', count: result.refused },
    { word: result.new_accounts === 1 ? 'account made' : 'accounts made', count: result.new_accounts },
    { word: result.new_services === 1 ? 'service made' : 'services made', count: result.new_services },
  ].filter(({ count, word }) => count > 0 || word.endsWith('created'))
}

function NotCreated({ result, rest }: { result: ImportResult; rest: number }) {
  const path = usePath()
  const labels = new Map<string, string>(Object.entries(stateLabels))
  return (
    <details className={styles.details}>
      <summary>{rest === 1 ? '1 statement made no bill' : `${rest.toLocaleString('en-US')} statements made no bill`}</summary>
      <ul className={styles.reasons}>
        {Object.entries(result.reasons).map(([reason, count]) => (
          <li key={reason}>
            <span className="num">{count.toLocaleString('en-US')}</span> {reason}
          </li>
        ))}
      </ul>
      <div className={styles.scroll} role="region" aria-label="Statements that made no bill">
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Account Number</th>
              <th scope="col">Bill Date</th>
              <th scope="col">State</th>
              <th scope="col">Reason</th>
            </tr>
          </thead>
          <tbody>
            {result.records.map((record) => (
              <tr key={record.statement_id}>
                <td className="num">
                  <UiLink href={withSearch(path, { account_number: record.account_number })}>{record.account_number}</UiLink>
                </td>
                <td className="num">{formatDate(record.bill_date)}</td>
                <td>{labels.get(record.state) ?? record.state}</td>
                <td>
                  {record.reason}
                  {record.id !== undefined && typeof record.bill_id === 'number' && (
                    <>
                      {' '}
                      <UiLink href={withSearch(path, { statement: record.id })}>{`Compare with bill ${record.bill_id}`}</UiLink>
                    </>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {rest > result.records.length && <p className={styles.quiet}>The first {result.records.length} are named here, all in the file.</p>}
      </div>
    </details>
  )
}
