/** Reports and budgets of people, with what they must come to: the figures of the accounts that these people see. */
import type { ReportName } from '#contract/reports/report-form.ts'
import { dashboardCents } from './questions.ts'
import { clientsOf, seenBy, type RoleRow } from './people.ts'
import { billedMonth, type Item, type World } from './world.ts'

/** Reports about bills that a role narrowed to a part may make, and the column whose sum each account of the world has its share in. */
export const askedReports: readonly {
  readonly name: ReportName
  readonly column: string
  readonly of: 'cents' | 'meters'
  readonly needsUtility?: true
}[] = [
  { name: 'Global Data Export', column: 'line_total', of: 'cents' },
  { name: 'Cost & Usage Report', column: 'cost', of: 'cents', needsUtility: true },
  { name: 'Portfolio Manager Bills Export', column: 'cost', of: 'cents' },
  { name: 'GHG Inventory Report', column: 'meters', of: 'meters' },
]

export const reportChoices = { date_range: { from: billedMonth.from, to: billedMonth.to } }

/** 404 outside the reach, 403 for who may only read. */
export function reportStatus(world: World, rows: readonly RoleRow[], clientId: number): number {
  const reaching = rows.filter((row) => clientsOf(world, row).includes(clientId))
  if (reaching.length === 0) return 404
  return reaching.some(({ role }) => role !== 'read_only_user') ? 200 : 403
}

/** Cents of the accounts that are seen, or the number of their meters. */
export function reportSum(world: World, rows: readonly RoleRow[], clientId: number, { of }: (typeof askedReports)[number]): number {
  const own = world.items.filter((item) => item.clientId === clientId && seenBy(world, rows, item))
  if (of === 'meters') return own.filter(({ kind }) => kind === 'services').length
  return own.reduce((sum, { cents = 0 }) => sum + cents, 0)
}

/** Each billable account has a budget of what it costs. Those of a group's subaccounts are in the comparison of the group. */
export function budgetCents(world: World, rows: readonly RoleRow[], of: Item): number {
  const billable = { ...world, items: world.items.filter(({ kind }) => kind !== 'supply_accounts') }
  return dashboardCents(billable, rows, of.kind === 'billable_accounts' ? { ...of, kind: 'group_accounts' } : of)
}
