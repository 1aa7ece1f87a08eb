/** Columns of found accounts, and the page that a row links to. */
import type { FoundAccount } from '#contract/advanced-search/advanced-search.ts'
import { formatDate } from '#contract/kernel/date.ts'
import type { ColumnWish } from '../kernel/lists/list-columns.tsx'
import { Can } from '../kernel/permissions.tsx'
import { UiLink } from '../ui/link.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { Missing, StatusDot } from '../ui/status.tsx'
import { serviceIcon } from '../utility-services/utility-services.ts'
import styles from './advanced-search.module.css'

const plain = { filter: undefined } as const

export function foundColumns(allClients: boolean): ColumnWish<FoundAccount>[] {
  return [
    { key: 'account_number', width: 172, ...plain },
    { key: 'name', width: 140, ...plain },
    ...(allClients ? [{ key: 'client_name', width: 124, ...plain }] : []),
    { key: 'service_types', width: 84, grow: false },
    { key: 'vendor_name', width: 124, ...plain },
    { key: 'facility_name', width: 130, ...plain },
    { key: 'facility_number', label: 'Facility No.', width: 96, grow: false, ...plain },
    { key: 'address', label: 'Service Address', width: 140, cell: (row) => addressOf(row), tip: addressOf },
    { key: 'division_name', hidden: true, ...plain },
    { key: 'active', label: 'Status', width: 88, grow: false, ...plain },
    { key: 'last_bill_date', label: 'Last Bill', width: 104, grow: false, cell: lastBill, ...plain },
  ]
}

export const foundCells = {
  service_types: (row: FoundAccount) => serviceIcons(row.service_types.map(({ name }) => name)),
  active: (row: FoundAccount) => <StatusDot tone={row.active ? 'ok' : 'grey'}>{row.active ? 'Active' : 'Inactive'}</StatusDot>,
}

/** There are many columns, so services are shown as icons only; their names are in the tooltip and for screen readers. */
function serviceIcons(names: readonly string[]) {
  const each = [...new Set(names)]
  if (each.length === 0) return <Missing word="no services" />
  return (
    <span className={styles.icons}>
      {each.map((name) => (
        <span key={name} title={name}>
          {serviceIcon(name)}
          <span className="sr-only">{name}</span>
        </span>
      ))}
    </span>
  )
}

/** The day of the last bill, which links to the bill's file copy if there is one. */
function lastBill({ last_bill_date: day, last_bill_file_url: url }: FoundAccount) {
  if (day === null) return <Missing word="no bill" />
  return url === null ? (
    formatDate(day)
  ) : (
    <UiLink href={url} title="File copy of the last bill">
      {formatDate(day)}
    </UiLink>
  )
}

function addressOf({ street_address_1, street_address_2, city, state, zip }: FoundAccount): string {
  return [street_address_1, street_address_2, city, `${state} ${zip}`].filter(Boolean).join(', ')
}

function accountPath({ client_id, id, account_type }: FoundAccount): string {
  return `/clients/${client_id}/${account_type === 'BillableAccount' ? 'billable_accounts' : 'supply_accounts'}/${id}`
}

export function foundHref(row: FoundAccount): string {
  return `${accountPath(row)}/dashboard`
}

export function foundActions(row: FoundAccount) {
  const at = accountPath(row)
  return (
    <>
      <Can do={row.account_type === 'BillableAccount' ? 'billable_account.update' : 'supply_account.update'}>
        <MenuItem href={`${at}/edit`}>Edit</MenuItem>
      </Can>
      <MenuItem href={`${at}/dashboard`}>View</MenuItem>
      <Can do="bill.read">
        <MenuItem href={`${at}/bills`}>Bills</MenuItem>
      </Can>
    </>
  )
}
