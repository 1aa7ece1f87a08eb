/** Earlier imports of this list with their results, each linking to its report. */
import { useQuery } from '@tanstack/react-query'
import type { ImportCounts } from '#contract/imports/import.ts'
import { importCalls } from '#contract/imports/import-calls.ts'
import { usePath, withSearch } from '../kernel/navigation.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { UiLink } from '../ui/link.tsx'
import { ImportStateWord } from './import-state.tsx'
import type { ImportTarget } from './import-targets.ts'
import styles from './imports.module.css'

/** Number of imports shown; older ones are in the audit log. */
const shown = 20

export function ImportHistory({ target, clientId }: { target: ImportTarget; clientId: number | undefined }) {
  const path = usePath()
  const asked = useQuery(apiQuery(importCalls.list, { query: { kind: target.kind, client_id: String(clientId ?? 0), per: shown } }))
  return (
    <section aria-label="Earlier imports">
      <h2 className={styles.heading}>Earlier imports</h2>
      <RecordGate asked={asked}>
        {({ imports, total }) =>
          imports.length === 0 ? (
            <p className={styles.quiet}>There are none yet.</p>
          ) : (
            <>
              <ul className={styles.history}>
                {imports.map((summary) => (
                  <li key={summary.id} className={styles.former}>
                    <UiLink href={withSearch(path, { ...target.way, import: summary.id })} className={styles.file}>
                      {summary.filename}
                    </UiLink>
                    <span className={styles.line}>
                      <ImportStateWord summary={summary} />
                    </span>
                    <span className={styles.quiet}>{countWords(summary.counts)}</span>
                  </li>
                ))}
              </ul>
              {total > imports.length && <p className={styles.quiet}>And {(total - imports.length).toLocaleString('en-US')} older ones.</p>}
            </>
          )
        }
      </RecordGate>
    </section>
  )
}

function countWords({ rows, create, update, refused }: ImportCounts): string {
  const figure = (many: number, word: string) => (many === 0 ? [] : [`${many.toLocaleString('en-US')} ${word}`])
  return [
    `${rows.toLocaleString('en-US')} ${rows === 1 ? 'row' : 'rows'}`,
    ...figure(create, 'new'),
    ...figure(update, 'changed'),
    ...figure(refused, 'refused'),
  ].join(', ')
}
