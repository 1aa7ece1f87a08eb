/** Columns, cells and actions of the lists of billable and supply accounts. */
import type { ServiceType } from '#contract/accounts/account-fields.ts'
import { DeleteItem, type DestroyCall } from '../kernel/lists/delete-item.tsx'
import { Can } from '../kernel/permissions.tsx'
import { serviceTypes } from '../utility-services/utility-services.ts'
import { MenuItem } from '../ui/menu.tsx'
import { StatusDot } from '../ui/status.tsx'

export interface AccountRow {
  readonly id: number
  readonly client_id: number
  readonly name: string
  readonly account_number: string
  readonly active: boolean
  readonly service_types: readonly ServiceType[]
}

const active = {
  key: 'active',
  width: 100,
  grow: false,
  card: 'badge',
  filter: { kind: 'boolean', key: 'active', yes: 'Active', no: 'Inactive' },
} as const

/** The columns before the date of the last bill, whose name differs between the two kinds. */
export const accountColumns = [
  { key: 'account_number', width: 160, card: 'second' },
  { key: 'name', width: 184, card: 'title' },
  { key: 'facility', width: 124 },
  { key: 'vendor_name', width: 124, card: 'second' },
  { key: 'service_types', label: 'Services', width: 172, card: 'badge' },
  active,
] as const

export const accountCells = {
  service_types: (row: AccountRow) => serviceTypes(row.service_types),
  active: (row: AccountRow) => <StatusDot tone={row.active ? 'ok' : 'grey'}>{row.active ? 'Active' : 'Inactive'}</StatusDot>,
}

export function accountLabel(row: AccountRow): string {
  return `${row.account_number} ${row.name}`
}

export interface AccountActionsProps {
  row: AccountRow
  model: 'billable_account' | 'supply_account'
  destroy: DestroyCall<{ client_id: number; id: number }>
}

export function accountAt({ client_id, id }: Pick<AccountRow, 'client_id' | 'id'>, model: AccountActionsProps['model']): string {
  return `/clients/${client_id}/${model}s/${id}`
}

/** The actions on an account in a list. */
export function AccountActions({ row, model, destroy }: AccountActionsProps) {
  const at = accountAt(row, model)
  return (
    <>
      <Can do={`${model}.update`}>
        <MenuItem href={`${at}/edit`}>Edit</MenuItem>
      </Can>
      <MenuItem href={`${at}/dashboard`}>View</MenuItem>
      <Can do={`${model}.destroy`}>
        <DeleteItem call={destroy} params={{ client_id: row.client_id, id: row.id }} name={accountLabel(row)} />
      </Can>
    </>
  )
}
