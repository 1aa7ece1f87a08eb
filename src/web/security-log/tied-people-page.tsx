import { tiedPair, tiedPairCalls, tiedPairDaysMax, tiedSubjects, type TiedPair } from '#contract/security-log/tied-pair.ts'
import type { Cells, ColumnWish } from '../kernel/lists/list-columns.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { SettingsTabs } from '../settings/settings.ts'
import { EmptyState } from '../ui/states.tsx'
import { SecurityTabs } from './security-tabs.tsx'

/** /settings/security_log/tied_people: who could have been two persons at once. */
export function TiedPeoplePage() {
  return (
    <>
      <SettingsTabs />
      <SecurityTabs />
      <ListPage
        entity={tiedPair}
        calls={tiedPairCalls}
        title="Tied People"
        columns={columns}
        cells={cells}
        rowHref={recordOf}
        perDefault={50}
        rowLabel={(row) => `${row.person} and ${row.other}, ${titleOf(row)}`}
        empty={
          <EmptyState title="No pairs">
            Two people stand here where one made or changed the user of the other, or a third person both, and the two acted on the same
            money within {tiedPairDaysMax} days.
          </EmptyState>
        }
      />
    </>
  )
}

const columns: readonly ColumnWish<TiedPair>[] = [
  { key: 'last_acted_at', width: 190, grow: false },
  { key: 'subject', width: 150 },
  { key: 'record_id', width: 85, grow: false },
  { key: 'client_name', width: 150 },
  { key: 'person', width: 130 },
  { key: 'person_acts', width: 160 },
  { key: 'other', width: 130 },
  { key: 'other_acts', width: 160 },
  { key: 'tie', width: 170 },
  { key: 'through', width: 120 },
  { key: 'tied_at', width: 190, grow: false },
  { key: 'days', width: 90, grow: false },
]

const cells: Cells<TiedPair> = {
  last_acted_at: (row) => <NewYorkTime at={row.last_acted_at} />,
  tied_at: (row) => <NewYorkTime at={row.tied_at} />,
}

const titleOf = ({ subject, record_id }: TiedPair): string =>
  `${tiedSubjects.find(({ value }) => value === subject)?.label ?? subject} ${record_id}`

/** The page of what both acted on. */
function recordOf({ subject, record_id: id, client_id: clientId }: TiedPair): string {
  if (subject === 'payment_batch') return `/clients/${clientId}/payment_batches/${id}/vendor_payments`
  if (subject === 'global_batch') return `/global_batch/view/${id}/bills`
  return subject === 'export_release' ? `/global_batch/releases/${id}` : `/vendor_bank_changes/${id}`
}
