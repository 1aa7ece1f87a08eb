/** All versions of a bill with user and origin, and the changes between any two of them. Versions are never deleted. */
import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { historyCalls, type HistoryVersion } from '#contract/audit-log/audit-log.ts'
import type { BillDetail } from '#contract/bills/bill-detail.ts'
import { ChangedFields } from '../kernel/history/changed-fields.tsx'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { EmptyState } from '../ui/states.tsx'
import { changesBetweenVersions } from './bill-versions.ts'
import styles from './bills.module.css'
import { BillFrame } from './bill-page.tsx'

/** Number of versions to compare; the history panel shows older ones. */
const VERSIONS_MAX = 100

const ways: Readonly<Record<BillDetail['source'], string>> = {
  typed: 'typed in the form',
  import: 'imported from a file',
  retrieval: 'made from a retrieved statement',
  demo: 'made with the demo data',
}

export function BillVersions() {
  return <BillFrame>{(bill) => <Versions bill={bill} />}</BillFrame>
}

function Versions({ bill }: { bill: BillDetail }) {
  const params = { client_id: bill.client_id, item_type: 'bill', id: bill.id }
  const asked = useQuery({ ...apiQuery(historyCalls.ofClientRecord, { params, query: { page: 1, per: VERSIONS_MAX } }), staleTime: 0 })
  return (
    <RecordGate asked={asked}>
      {({ history }) => {
        const own = history.filter((version) => version.item_type === 'bill')
        return own.length === 0 ? (
          <EmptyState title="Nothing is known of this bill yet">It shows here who changes what from now on.</EmptyState>
        ) : (
          <VersionList bill={bill} versions={own} />
        )
      }}
    </RecordGate>
  )
}

function VersionList({ bill, versions }: { bill: BillDetail; versions: readonly HistoryVersion[] }) {
  const [chosen, setChosen] = useState({ from: Math.min(1, versions.length - 1), to: 0 })
  const several = versions.length > 1
  const changes = changesBetweenVersions(versions, chosen.from, chosen.to)
  const numberOf = (place: number): number => versions.length - place
  const select = (side: 'from' | 'to', place: number) => setChosen((before) => ordered({ ...before, [side]: place }))
  return (
    <div className={styles.facts}>
      <section aria-label="Versions">
        <h2 className={styles.heading}>Versions</h2>
        <div className={styles.frame}>
          <table className={styles.table} aria-label="Versions">
            <thead>
              <tr>
                <th scope="col">Version</th>
                <th scope="col">When</th>
                <th scope="col">Who</th>
                <th scope="col">How</th>
                {several && <th scope="col">Older</th>}
                {several && <th scope="col">Newer</th>}
              </tr>
            </thead>
            <tbody>
              {versions.map((version, place) => (
                <tr key={version.id}>
                  <th scope="row" className="num">
                    {numberOf(place)}
                  </th>
                  <td>
                    <NewYorkTime at={version.created_at} />
                  </td>
                  <td>{version.user}</td>
                  <td>{wayOf(version, bill)}</td>
                  {several &&
                    (['from', 'to'] as const).map((side) => (
                      <td key={side}>
                        <input
                          type="radio"
                          name={`${side}-version`}
                          aria-label={`Version ${numberOf(place)} as the ${side === 'from' ? 'older' : 'newer'} one`}
                          checked={chosen[side] === place}
                          onChange={() => select(side, place)}
                        />
                      </td>
                    ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
      <section aria-label="What changed">
        <h2 className={styles.heading}>
          {versions.length === 1 ? 'As it was entered' : `From version ${numberOf(chosen.from)} to version ${numberOf(chosen.to)}`}
        </h2>
        {versions.length === 1 && versions[0] ? (
          <ChangedFields version={versions[0]} />
        ) : changes.length === 0 ? (
          <p className={styles.quiet}>Nothing differs between the two.</p>
        ) : (
          <ChangedFields version={{ event: 'update', changes }} />
        )}
      </section>
    </div>
  )
}

/** Keeps `from` the older version: choosing a newer one for it moves the other along. */
function ordered({ from, to }: { from: number; to: number }): { from: number; to: number } {
  return from >= to ? { from, to } : { from: to, to: from }
}

function wayOf({ event, changes }: HistoryVersion, { source }: BillDetail): string {
  if (event === 'create') return `Entered: ${ways[source]}`
  return `Changed ${changes.length === 1 ? '1 field' : `${changes.length} fields`}`
}
