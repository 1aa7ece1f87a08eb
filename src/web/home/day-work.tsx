/** The work of the day: over all clients in reach, or of one. */
import { useQuery } from '@tanstack/react-query'
import { homeCalls } from '#contract/home/home.ts'
import { useGo } from '../kernel/navigation.tsx'
import { useCan } from '../kernel/permissions.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { cx } from '../ui/class-names.ts'
import { useListedShortcuts, useShortcuts } from '../ui/shortcuts.ts'
import { SectionTable, useBegin } from './section-table.tsx'
import { sectionsOf, type WorkSection } from './work-sections.ts'
import styles from './home.module.css'

export function DayWork({ clientId }: { clientId: number | undefined }) {
  const create = useCan('bill.create')
  const ofAll = useQuery({ ...apiQuery(homeCalls.get, {}), ...always, enabled: clientId === undefined })
  const ofOne = useQuery({
    ...apiQuery(homeCalls.ofClient, { params: { client_id: clientId ?? 0 } }),
    ...always,
    enabled: clientId !== undefined,
  })
  return (
    <RecordGate asked={clientId === undefined ? ofAll : ofOne}>
      {(home) => <Sections sections={sectionsOf(home, { clientId, create })} withClient={clientId === undefined} />}
    </RecordGate>
  )
}

/** Whoever comes back from an item sees what is left. */
const always = { staleTime: 0 } as const

function Sections({ sections, withClient }: { sections: readonly WorkSection[]; withClient: boolean }) {
  const first = sections.find(({ rows }) => rows.length > 0)
  useNextKey(first)
  return (
    <>
      <nav aria-label="Work of the day" className={styles.overview}>
        {sections.map(({ key, title, count, sum, rows }) => (
          <a key={key} href={`#work-${key}`} className={cx(styles.tile, rows.length === 0 && styles.none)}>
            <span className={styles.tileTitle}>{title}</span>
            <span className={cx(styles.tileCount, 'num')}>{count}</span>
            <span className={cx(styles.tileSum, 'num')}>{sum}</span>
          </a>
        ))}
      </nav>
      {sections.map((section) => (
        <SectionTable key={section.key} section={section} withClient={withClient} first={section === first} />
      ))}
    </>
  )
}

const nextKey = [{ keys: 'n', label: 'Next: the first item of the first section', group: 'Home' }] as const

function useNextKey(section: WorkSection | undefined): void {
  const go = useGo()
  const begin = useBegin(section ?? { title: '', rows: [] })
  const row = section?.rows[0]
  const run = () => {
    if (!row) return
    begin(row)
    go(row.act.href)
  }
  useShortcuts([{ ...nextKey[0], run }])
  useListedShortcuts(nextKey)
}
