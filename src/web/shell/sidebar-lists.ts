/** What the left sidebar lists: eight kinds of records of the scoped client. */
import { z } from 'zod'
import { call } from '#contract/kernel/call.ts'
import type { Permission } from '#contract/kernel/permission.ts'
import { listInput } from '#contract/kernel/query.ts'

export interface SidebarKind {
  /** The wire's plural name and the address's section. */
  readonly plural: string
  readonly label: string
  readonly may: Permission
  /** What is shown and filtered by: accounts go by their number, everything else by its name. */
  readonly by: 'name' | 'account_number'
  /** The page that a chosen record opens on. */
  readonly page: 'dashboard' | 'edit' | 'subaccounts'
  /** The call that lists them for the sidebar, where it is not the list itself. */
  readonly records?: 'sidebar_records'
  /** Further pages of a record that stay open when another one is chosen. */
  readonly pages: readonly string[]
}

const accountPages = ['dashboard', 'documents', 'services', 'bills', 'edit']

export const sidebarKinds: readonly SidebarKind[] = [
  {
    plural: 'divisions',
    label: 'Divisions',
    may: 'division.read',
    by: 'name',
    page: 'dashboard',
    pages: ['dashboard', 'facilities', 'documents', 'edit'],
  },
  {
    plural: 'facilities',
    label: 'Facilities',
    may: 'facility.read',
    by: 'name',
    page: 'dashboard',
    pages: ['dashboard', 'billable_accounts', 'supply_accounts', 'documents', 'edit'],
  },
  {
    plural: 'billable_accounts',
    label: 'Billable Accounts',
    may: 'billable_account.read',
    by: 'account_number',
    page: 'dashboard',
    pages: accountPages,
  },
  {
    plural: 'supply_accounts',
    label: 'Supply Accounts',
    may: 'supply_account.read',
    by: 'account_number',
    page: 'dashboard',
    pages: accountPages,
  },
  { plural: 'ledger_fields', label: 'Ledger Fields', may: 'ledger_field.read', by: 'name', page: 'edit', pages: ['edit'] },
  { plural: 'ledger_accounts', label: 'Ledger Accounts', may: 'ledger_account.read', by: 'name', page: 'edit', pages: ['edit'] },
  {
    plural: 'group_accounts',
    label: 'Group Billing Accounts',
    may: 'billable_account.read',
    by: 'account_number',
    records: 'sidebar_records',
    page: 'subaccounts',
    pages: ['dashboard', 'subaccounts', 'bills', 'edit'],
  },
  {
    plural: 'group_supply_accounts',
    label: 'Group Billing Supply Accounts',
    may: 'supply_account.read',
    by: 'account_number',
    records: 'sidebar_records',
    page: 'subaccounts',
    pages: ['dashboard', 'subaccounts', 'bills', 'edit'],
  },
]

/** Records loaded at a time while the list is scrolled. */
export const SIDEBAR_PER_PAGE = 100

const record = z.object({ id: z.int(), name: z.string().nullish(), account_number: z.string().nullish() })
export type SidebarRecord = z.infer<typeof record>

/** The rows stand under the kind's own plural name, so they are read by it. */
const answer = z.looseObject({ total: z.int().optional() })
const records = z.array(record)

export function recordsOf(reply: z.infer<typeof answer>, kind: SidebarKind): SidebarRecord[] {
  return records.parse(reply[kind.plural])
}

/** The list call of a kind with the few fields that the sidebar reads. */
export function sidebarCall({ plural, may, records: under }: SidebarKind) {
  return call({
    name: `${plural}.sidebar`,
    method: 'GET',
    path: under === undefined ? `/clients/:client_id/${plural}` : `/clients/:client_id/${plural}/${under}`,
    may,
    summary: 'Records for the sidebar',
    params: z.object({ client_id: z.number() }),
    query: listInput,
    reply: answer,
  })
}

/** Where the page stands: the kind of its section and the record that it is about. */
export function placeInSidebar(path: string): { plural: string; id: number | null; page: string | null } | null {
  const match = /^\/clients\/\d+\/([a-z_]+)(?:\/(\d+)(?:\/([a-z_]+))?)?/.exec(path)
  const kind = sidebarKinds.find((one) => one.plural === match?.[1])
  if (!kind) return null
  return { plural: kind.plural, id: match?.[2] ? Number(match[2]) : null, page: match?.[3] ?? null }
}

/** The address of a record: on the same page as now where both have it. */
export function recordHref(kind: SidebarKind, clientId: number, id: number, page: string | null): string {
  const kept = page !== null && kind.pages.includes(page) ? page : kind.page
  return `/clients/${clientId}/${kind.plural}/${id}/${kept}`
}
