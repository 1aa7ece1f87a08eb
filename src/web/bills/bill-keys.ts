/** The keys of a bill's page, and their entries in the sheet of shortcuts. */
import type { BillDetail } from '#contract/bills/bill-detail.ts'
import { useGo } from '../kernel/navigation.tsx'
import { useCan } from '../kernel/permissions.tsx'
import { useListedShortcuts, useShortcuts } from '../ui/shortcuts.ts'

const group = 'Bill'
const listed = [
  { keys: 'n', label: 'New bill', group },
  { keys: 'e', label: 'Edit', group },
  { keys: 'shift+r', label: 'Rebill', group },
  { keys: 'alt+j', label: 'Next finding', group },
  { keys: 'r', label: 'Resolve the finding; then its reason by number', group },
  { keys: 'a', label: 'Assign the finding', group },
  { keys: 'c', label: 'Comment on the finding', group },
] as const

export function useBillKeys(bill: BillDetail): void {
  const go = useGo()
  const [creates, changes] = [useCan('bill.create'), useCan('bill.update')]
  const list = `/clients/${bill.client_id}/bills`
  useShortcuts([
    ...(creates
      ? [
          { ...listed[0], run: () => go(`${list}/new`) },
          { ...listed[2], run: () => go(rebillHref(bill)) },
        ]
      : []),
    ...(changes ? [{ ...listed[1], run: () => go(`${list}/${bill.id}/edit`) }] : []),
    { ...listed[3], run: nextFinding },
  ])
  useListedShortcuts(listed)
}

/** Returns the path of the correction form with the account and the corrected bill. */
export function rebillHref({ client_id, id, account_type, account_id }: BillDetail): string {
  const type = account_type === 'SupplyAccount' ? 'supply_account' : 'billable_account'
  return `/clients/${client_id}/bills/new?account_type=${type}&account_id=${account_id}&rebill_of_id=${id}`
}

/** Moves the focus to the next finding, and from the last to the first. */
function nextFinding(): void {
  const all = [...document.querySelectorAll('main [data-finding]')].filter((one) => one.checkVisibility())
  const here = all.findIndex((one) => one.contains(document.activeElement))
  const target = all[(here + 1) % all.length]?.querySelector('button')
  target?.focus()
  target?.scrollIntoView({ block: 'nearest' })
}
