/** The kinds that can be imported from files, each with its call, its page and its list. */
import type { importFileCalls } from '#contract/imports/import-calls.ts'
import type { Permission } from '#contract/kernel/permission.ts'

type TakenKind = keyof typeof importFileCalls

export interface ImportTarget {
  readonly kind: TakenKind
  /** The kind's labels, repeated here so that the list of routes need not load the columns. */
  readonly labels: string
  /** The list that the import fills, with `:client_id` if it belongs to a client. */
  readonly list: string
  readonly may: Permission
  /** Groups of server data that an import changes. */
  readonly groups: readonly string[]
  /** The query parameters that open the import on another slice's page, where it is one of several sources. */
  readonly way?: Readonly<Record<string, string>> | undefined
}

/** New divisions, facilities and accounts also appear in pickers and on dashboards. */
const estate = ['divisions', 'facilities', 'billable_accounts', 'supply_accounts', 'services', 'supply_account_services', 'dashboard']

export const importTargets: readonly ImportTarget[] = [
  {
    kind: 'bills',
    labels: 'Bills',
    list: '/clients/:client_id/bills',
    may: 'bill.create',
    groups: ['bills', 'billable_accounts', 'supply_accounts', 'dashboard', 'bill_findings', 'alerts', 'exceptions'],
    way: { from: 'file' },
  },
  { kind: 'vendor', labels: 'Vendors', list: '/vendors', may: 'vendor.create', groups: ['vendors'] },
  { kind: 'client', labels: 'Clients', list: '/clients', may: 'client.create', groups: ['clients', 'channel_partners'] },
  { kind: 'division', labels: 'Divisions', list: '/clients/:client_id/divisions', may: 'division.create', groups: estate },
  { kind: 'facility', labels: 'Facilities', list: '/clients/:client_id/facilities', may: 'facility.create', groups: estate },
  {
    kind: 'billableAccount',
    labels: 'Billable Accounts',
    list: '/clients/:client_id/billable_accounts',
    may: 'billable_account.create',
    groups: estate,
  },
  {
    kind: 'supplyAccount',
    labels: 'Supply Accounts',
    list: '/clients/:client_id/supply_accounts',
    may: 'supply_account.create',
    groups: estate,
  },
  {
    kind: 'ledger_field',
    labels: 'Ledger Fields',
    list: '/clients/:client_id/ledger_fields',
    may: 'ledger_field.create',
    groups: ['ledger_fields', 'ledger_accounts'],
  },
  {
    kind: 'ledger_account',
    labels: 'Ledger Accounts',
    list: '/clients/:client_id/ledger_accounts',
    may: 'ledger_account.create',
    groups: ['ledger_accounts'],
  },
  {
    kind: 'clientVendorNumber',
    labels: 'Client Vendor Numbers',
    list: '/clients/:client_id/client_vendor_numbers',
    may: 'client.update',
    groups: ['client_vendor_numbers'],
  },
  {
    kind: 'degreeDay',
    labels: 'Degree Days',
    list: '/settings/degree_days',
    may: 'setting.create',
    groups: ['degree_days', 'dashboard'],
  },
  { kind: 'budget', labels: 'Budgets', list: '/clients/:client_id/budgets', may: 'billable_account.update', groups: ['budgets'] },
]

/** Returns the list's address for this client, or for none. */
export function listHref(target: ImportTarget, clientId: number | undefined): string {
  return target.list.replace(':client_id', String(clientId ?? ''))
}
