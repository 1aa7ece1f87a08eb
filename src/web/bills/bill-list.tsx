/** The lists of bills of a client and of all clients. */
import { lazy, Suspense, useMemo } from 'react'
import { bill } from '#contract/bills/bill.ts'
import { billListCalls } from '#contract/bills/bill-list-calls.ts'
import { useBillBulk } from '../bulk-changes/bulk-changes.ts'
import { BillTabs } from '../bill-tabs/bill-tabs.tsx'
import { askListEarly } from '../kernel/lists/list-early.ts'
import { ListPage } from '../kernel/lists/list-page.tsx'
import type { ListSums } from '../kernel/lists/list-sums.ts'
import { usePathId, useSearchText } from '../kernel/navigation.tsx'
import type { EarlyAddress } from '../kernel/page-route.ts'
import { BillFileButton } from './bill-file-button.tsx'
import { billActions, billCells, billLabelOf, billPageOf, useBillColumns } from './bill-columns.tsx'

/** The bills of the scoped client, a tab beside the repository of their files. */
export function BillList() {
  const client_id = usePathId('client_id')
  const list = `/clients/${client_id}/bills`
  return (
    <>
      <BillTabs clientId={client_id} />
      <ListPage
        entity={bill}
        calls={billListCalls}
        params={{ client_id }}
        columns={useBillColumns('client')}
        cells={billCells}
        rowHref={billPageOf}
        rowLabel={billLabelOf}
        actions={billActions}
        addNew={{ href: `${list}/new`, may: 'bill.create' }}
        emptyHint="A bill belongs to an account with a service."
        bulk={useBillBulk(client_id)}
        sums={useBillSums(client_id)}
        importHref={`${list}/import`}
        headerActions={<BillFileButton clientId={client_id} />}
        {...useCountedNote()}
      />
    </>
  )
}

/** What all matching bills owe, by code that loads when it is needed. */
function useBillSums(clientId: number): ListSums {
  return useMemo(
    () => ({
      name: 'bills.sums',
      read: async (matching, signal) => (await import('./bill-sums.ts')).readBillSums(clientId, matching, signal),
    }),
    [clientId],
  )
}

const CountedNote = lazy(() => import('./counted-note.tsx').then((module) => ({ default: module.CountedNote })))
/** Filters that the note puts into words. */
const notedFilters = [
  'counted_on_gteq',
  'counted_on_lteq',
  'counted_service_id',
  'counted_service_id_in',
  'counted_basis',
  'account_type_eq',
  'division_id_eq',
  'facility_id_eq',
  'billable_account_id_eq',
  'supply_account_id_eq',
  'group_account_id_eq',
  'group_supply_account_id_eq',
]

/** Parts of the list that appear while it shows the bills behind a figure. */
function useCountedNote() {
  const { counted_on_gteq, of } = useSearchText()
  if (counted_on_gteq === undefined && of === undefined) return {}
  const above = () => (
    <Suspense>
      <CountedNote />
    </Suspense>
  )
  return of === undefined ? { above } : { above, ownFilters: notedFilters }
}

/** Prefetches the rows of `BillList`. */
export function askForBills({ params, search }: EarlyAddress): Promise<void> {
  return askListEarly(bill, { call: billListCalls.list, params: { client_id: Number(params['client_id']) } }, search)
}

/** The bills of all clients within the user's reach. */
export function AllBills() {
  return (
    <ListPage
      entity={bill}
      calls={allCalls}
      columns={useBillColumns('all')}
      cells={billCells}
      rowHref={billPageOf}
      rowLabel={billLabelOf}
      actions={billActions}
      listName="all_bills"
    />
  )
}
const allCalls = { list: billListCalls.listAll, exportCsv: billListCalls.exportAll }
