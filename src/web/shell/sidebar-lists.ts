/** The lists of the left sidebar: eight kinds of records of the scoped client. */
import { z } from 'zod'
import { call } from '#contract/kernel/call.ts'
import type { Permission } from '#contract/kernel/permission.ts'
import { listInput } from '#contract/kernel/query.ts'

export interface SidebarKind {
  /** The plural wire name, which is also the section in the address. */
  readonly plural: string
  readonly label: string
  readonly may: Permission
  /** The field that is shown and filtered by: the number for accounts, the name for all others. */
  readonly by: 'name' | 'account_number'
  /** The page that a chosen record opens. */
  readonly page: 'dashboard' | 'edit' | 'subaccounts'
  /** The call that lists the records for the sidebar, if it is not the list's own. */
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

/** Number of records loaded at a time while scrolling. */
export const SIDEBAR_PER_PAGE = 100

const record = z.object({ id: z.int(), name: z.string().nullish(), account_number: z.string().nullish() })
export type SidebarRecord = z.infer<typeof record>

/** The reply has the rows under the kind's plural name. */
const answer = z.looseObject({ total: z.int().optional() })
const records = z.array(record)

export function recordsOf(reply: z.infer<typeof answer>, kind: SidebarKind): SidebarRecord[] {
  return records.parse(reply[kind.plural])
}

/** Returns the list call of a kind, reduced to the few fields of the sidebar. */
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

/** Returns the kind and the record of a page, from its path. */
export function placeInSidebar(path: string): { plural: string; id: number | null; page: string | null } | null {
  const match = /^\/clients\/\d+\/([a-z_]+)(?:\/(\d+)(?:\/([a-z_]+))?)?/.exec(path)
  const kind = sidebarKinds.find((one) => one.plural === match?.[1])
  if (!kind) return null
  return { plural: kind.plural, id: match?.[2] ? Number(match[2]) : null, page: match?.[3] ?? null }
}

/** Returns the address of a record, on the current page if the record has it too. */
export function recordHref(kind: SidebarKind, clientId: number, id: number, page: string | null): string {
  const kept = page !== null && kind.pages.includes(page) ? page : kind.page
  return `/clients/${clientId}/${kind.plural}/${id}/${kept}`
}
