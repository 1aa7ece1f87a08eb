/** Where each kind that takes files is imported: its call, its page, and the list that it fills. */
import type { importFileCalls } from '#contract/imports/import.ts'
import type { Permission } from '#contract/kernel/permission.ts'

type TakenKind = keyof typeof importFileCalls

export interface ImportTarget {
  readonly kind: TakenKind
  /** As the kind's columns have it; said again so that the list of routes need not load them. */
  readonly labels: string
  /** The list that the import fills, with `:client_id` where it is a client's. */
  readonly list: string
  readonly may: Permission
  /** The groups of server data that an import changes. */
  readonly groups: readonly string[]
  /** Where the import is one of several ways on a page of another slice: what leads there, to be added to its address. */
  readonly way?: Readonly<Record<string, string>> | undefined
}

/** A new division, facility or account shows in pickers and on dashboards as well. */
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
]

/** The list's address for this client, or for none. */
export function listHref(target: ImportTarget, clientId: number | undefined): string {
  return target.list.replace(':client_id', String(clientId ?? ''))
}
