/** The report of an import before, during and after its execution: figures, rows, and the button for the next step. */
import type { ImportAction, ImportCounts, ImportSummary } from '#contract/imports/import.ts'
import { BackLink } from '../kernel/back-link.tsx'
import { useSearchText, usePath, withSearch } from '../kernel/navigation.tsx'
import { RecordGate } from '../kernel/record-gate.tsx'
import { UiLink } from '../ui/link.tsx'
import { PageHeader, Tabs } from '../ui/page-header.tsx'
import { EmptyState } from '../ui/states.tsx'
import { ImportCommit } from './import-commit.tsx'
import { ImportRows } from './import-rows.tsx'
import { ImportStateWord } from './import-state.tsx'
import { listHref, type ImportTarget } from './import-targets.ts'
import { ImportWork } from './import-work.tsx'
import styles from './imports.module.css'
import { isWorking, useImport } from './use-import.ts'

interface ReportProps {
  readonly target: ImportTarget
  readonly clientId: number | undefined
  readonly id: number
}

export function ImportReport({ target, clientId, id }: ReportProps) {
  const asked = useImport(id, target.groups)
  const path = usePath()
  const { labels } = target
  return (
    <>
      <BackLink href={withSearch(path, { ...target.way })} label="Another file" />
      <PageHeader title={`Import ${labels}`} actions={<UiLink href={listHref(target, clientId)}>{`Show ${labels}`}</UiLink>} />
      <RecordGate asked={asked}>
        {({ import: found }) =>
          // The user may be able to read an import of another kind or client, but it does not belong on this page.
          found.kind === target.kind && found.client_id === (clientId ?? 0) ? (
            <Report target={target} summary={found} />
          ) : (
            <EmptyState title="There is no such import">It is one of another list.</EmptyState>
          )
        }
      </RecordGate>
    </>
  )
}

function Report({ target, summary }: { target: ImportTarget; summary: ImportSummary }) {
  return (
    <>
      <section aria-label="Import" className={styles.report}>
        <p className={styles.line}>
          <strong className={styles.file}>{summary.filename}</strong>
          <ImportStateWord summary={summary} />
        </p>
        <Faults summary={summary} />
        {isWorking(summary) ? <ImportWork summary={summary} /> : <ImportCommit target={target} summary={summary} />}
      </section>
      {!isUnread(summary) && (
        <>
          <ActionTabs counts={summary.counts} />
          <ImportRows summary={summary} />
        </>
      )}
    </>
  )
}

/** If a file was rejected before its rows were read, the errors are all there is to show. */
function isUnread(summary: ImportSummary): boolean {
  return !isWorking(summary) && summary.counts.rows === 0 && (summary.faults.length > 0 || summary.error !== null)
}

function Faults({ summary }: { summary: ImportSummary }) {
  const { faults, warnings, error } = summary
  // The error that ended it often repeats the first fault.
  const bad = [...new Set([...faults, ...(error === null ? [] : [error])])]
  return (
    <>
      {bad.length > 0 && (
        <ul role="alert" className={styles.faults}>
          {bad.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
      {warnings.length > 0 && (
        <ul className={styles.warnings} aria-label="To be looked at">
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
    </>
  )
}

const tabs: readonly { readonly action: ImportAction; readonly label: string }[] = [
  { action: 'refused', label: 'Refused' },
  { action: 'create', label: 'New' },
  { action: 'update', label: 'Changed' },
  { action: 'unchanged', label: 'Unchanged' },
]

function ActionTabs({ counts }: { counts: ImportCounts }) {
  const path = usePath()
  const { action, page: _page, ...rest } = useSearchText()
  const items = tabs.map((tab) => ({
    href: withSearch(path, { ...rest, action: tab.action }),
    label: tab.label,
    count: counts[tab.action].toLocaleString('en-US'),
    current: action === tab.action,
  }))
  const all = { href: withSearch(path, rest), label: 'All rows', count: counts.rows.toLocaleString('en-US'), current: action === undefined }
  return (
    <div className={styles.actions}>
      <Tabs label="Rows by what they do" items={[all, ...items]} />
    </div>
  )
}
