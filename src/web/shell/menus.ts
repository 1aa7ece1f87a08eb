/** The two menus in the specification's order, with the requirements of each entry. */
import { mayDo, type PermissionMap } from '#contract/kernel/permission.ts'
import type { Does } from '../kernel/permissions.tsx'
import type { ScopeClient } from '../kernel/scope-calls.ts'

export interface MenuEntry {
  readonly label: string
  readonly href: string
  readonly items?: readonly MenuEntry[]
  /** Further sections that belong to the entry and have none of their own. */
  readonly also?: readonly string[]
}

interface Wish {
  readonly label: string
  readonly href: string
  /** The required right; none by default. */
  readonly may?: Does
  /** Whether the client's subscription includes it. */
  readonly has?: boolean
  readonly items?: readonly Wish[]
  readonly also?: readonly string[]
}

/** Returns the entries of the admin menu that the user has the rights to. */
export function adminMenu(map: PermissionMap): MenuEntry[] {
  return shown(
    [
      { label: 'Home', href: '/' },
      { label: 'Clients', href: '/clients', may: 'client.read' },
      { label: 'Users', href: '/users', may: 'user.read' },
      { label: 'Channel Partners', href: '/channel_partners', may: 'channel_partner.read' },
      { label: 'Vendors', href: '/vendors', may: 'vendor.read', also: ['/payment_methods', '/vendor_bank_changes'] },
      { label: 'Utility Services', href: '/utility_services', may: 'utility_service.read' },
      {
        label: 'Global Batch',
        href: '/global_batch',
        may: 'global_batch.read',
        items: [
          { label: 'Batch Bills', href: '/global_batch' },
          { label: 'View File History', href: '/global_batch/files' },
        ],
      },
      { label: 'Settings', href: '/settings', may: 'setting.read' },
    ],
    map,
  )
}

/** Returns the menu of a scoped client. Its three flags decide on Financials; until the client is loaded they count as off. */
export function clientMenu(clientId: number, client: ScopeClient | undefined, map: PermissionMap): MenuEntry[] {
  const at = (path: string) => `/clients/${clientId}/${path}`
  return shown(
    [
      { label: 'Home', href: '/' },
      { label: 'Divisions', href: at('divisions'), may: 'division.read' },
      { label: 'Facilities', href: at('facilities'), may: 'facility.read' },
      { label: 'Billable Accounts', href: at('billable_accounts'), may: 'billable_account.read', also: [at('bulk_changes')] },
      { label: 'Supply Accounts', href: at('supply_accounts'), may: 'supply_account.read' },
      {
        label: 'Group Billing Accounts',
        href: at('group_accounts'),
        items: [
          { label: 'Group Billing Accounts', href: at('group_accounts'), may: 'billable_account.read' },
          { label: 'Group Billing Supply Accounts', href: at('group_supply_accounts'), may: 'supply_account.read' },
        ],
      },
      { label: 'Bills', href: at('bills'), may: 'bill.read' },
      { label: 'Financials', href: at('accounting_batches'), items: financials(at, client) },
      {
        label: 'Reporting',
        href: at('reports/dashboard'),
        items: [
          { label: 'Reports Dashboard', href: at('reports/dashboard'), may: 'generated_report.read' },
          { label: 'Generated Reports', href: at('reports/generated-reports'), may: 'generated_report.read' },
          { label: 'Scheduled Reports', href: at('reports/scheduled'), may: 'generated_report.read' },
          { label: 'Site Surveys', href: at('ancillary_services'), may: 'site_survey.read', also: [at('site_surveys')] },
          { label: 'Budgets', href: at('budgets/variance'), may: 'billable_account.read', also: [at('budgets')] },
        ],
      },
      { label: 'Alerts', href: at('alerts/billable_accounts_missing_bills'), items: alerts(at), also: [at('alerts/exceptions')] },
    ],
    map,
  )
}

function financials(at: (path: string) => string, client: ScopeClient | undefined): Wish[] {
  return [
    {
      label: 'Client Batches',
      href: at('accounting_batches'),
      may: 'accounting_batch.read',
      has: client?.accounting_batch_management ?? false,
    },
    { label: 'Vendor Batches', href: at('payment_batches'), may: 'payment_batch.read', has: client?.utility_payment_management ?? false },
    { label: 'Ledger Fields', href: at('ledger_fields'), may: 'ledger_field.read', has: client?.ledger_account_management ?? false },
    {
      label: 'Ledger Accounts',
      href: at('ledger_accounts'),
      may: 'ledger_account.read',
      has: client?.ledger_account_management ?? false,
      also: [at('ledger_settings')],
    },
  ]
}

function alerts(at: (path: string) => string): Wish[] {
  return [
    { label: 'Billable Accounts W/O Bills Past 30 Days', href: at('alerts/billable_accounts_missing_bills'), may: 'billable_account.read' },
    { label: 'Supply Accounts W/O Bills Past 30 Days', href: at('alerts/supply_accounts_missing_bills'), may: 'supply_account.read' },
    {
      label: 'Billable Accounts With Three Consecutive Estimated Reads',
      href: at('alerts/billable_accounts_consecutive_estimations'),
      may: 'billable_account.read',
    },
    { label: 'Bills 30+ Days Past Due', href: at('alerts/past_due_bills'), may: 'bill.read' },
  ]
}

/** Returns links to a client's four alert lists, which the bell shows too. */
export function alertLinks(clientId: number, map: PermissionMap): MenuEntry[] {
  return shown(
    alerts((path) => `/clients/${clientId}/${path}`),
    map,
  )
}

/** Returns the visible entries; an entry with subentries is visible if any of them is. */
function shown(wishes: readonly Wish[], map: PermissionMap): MenuEntry[] {
  return wishes.flatMap(({ label, href, may, has = true, items, also }): MenuEntry[] => {
    if (!has || (may && !mayDo(map, may))) return []
    if (!items) return [also ? { label, href, also } : { label, href }]
    const inside = shown(items, map)
    const first = inside[0]
    return first ? [{ label, href: first.href, items: inside, ...(also && { also }) }] : []
  })
}

/** Whether the page belongs to the entry: its own address, one below it, or a section that belongs to it. */
export function isHere(entry: MenuEntry, path: string): boolean {
  if (entry.items) return entry.items.some((item) => isHere(item, path)) || (entry.also?.includes(path) ?? false)
  if (entry.href === '/') return path === '/'
  if (entry.also?.some((href) => path === href || path.startsWith(`${href}/`))) return true
  const base = entry.href.replace(/\/(dashboard|billable_accounts_missing_bills)$/, '')
  return (
    path === entry.href || path.startsWith(`${entry.href}/`) || (base !== entry.href && entry.href.includes('/reports/') && path === base)
  )
}
