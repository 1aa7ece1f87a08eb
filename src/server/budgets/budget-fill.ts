/** Budgets of a year from what was billed before: proposed, and stored by a save that names what was shown. */
import { filledMax, proposedRowsMax, type BudgetProposal } from '#contract/budgets/budget-fill.ts'
import { fiscalYearOf, isUsual, monthsOfYear, MONTHS_A_YEAR, shareOf } from '#contract/budgets/budget-figures.ts'
import { addToMonth, monthOf, type CalendarMonth } from '#contract/kernel/date.ts'
import { unitsOf } from '#contract/kernel/decimal.ts'
import { compareMoney, sumCents, wireOf } from '#contract/kernel/money.ts'
import { sql } from 'kysely'
import { changesBetween } from '../kernel/audit.ts'
import { today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { refused } from '../kernel/problem.ts'
import { everywhere, readFiscalYearStart, readPlannedAccounts, type PlannedAccount } from './read-planned-accounts.ts'

const PERCENT_SCALE = 2
/** 100 % in hundredths of a percent. */
const WHOLE = 10_000

interface ProposedCell {
  readonly account: PlannedAccount
  readonly month: CalendarMonth
  readonly state: 'proposed' | 'older' | 'kept' | 'unknown' | 'closed' | 'elsewhere'
  readonly cents: number | null
}

interface Asked {
  readonly first_month?: CalendarMonth | undefined
  readonly percent?: string | undefined
}

export async function proposalOf(context: Context, clientId: number, { first_month, percent = '0.00' }: Asked): Promise<BudgetProposal> {
  const first = first_month ?? addToMonth(fiscalYearOf(today(), await readFiscalYearStart(context.tx, clientId)), MONTHS_A_YEAR)
  return composeProposal(first, percent, await proposedCells(context, clientId, first, percent))
}

/** Throws refused where the bills or the budgets have changed since the proposal was shown. */
export async function fillBudgets(
  context: Context,
  clientId: number,
  shown: { readonly first_month: CalendarMonth; readonly percent: string; readonly budgets: number; readonly total: string },
) {
  const cells = (await proposedCells(context, clientId, shown.first_month, shown.percent)).filter(({ cents }) => cents !== null)
  const total = wireOf(sumCents(cells.flatMap(({ cents }) => cents ?? [])))
  if (cells.length !== shown.budgets || total !== shown.total)
    throw refused('The bills or the budgets have changed since the proposal was shown. Look at it again.')
  if (cells.length > filledMax)
    throw refused(`One save stores ${filledMax.toLocaleString('en-US')} budgets at most. Import them from files.`)
  const ids = await storeCells(context, clientId, cells)
  return { success: true, message: `${ids.toLocaleString('en-US')} budgets stored` }
}

/** A budget that somebody stores at the same moment stays, as one that was there before. */
async function storeCells(context: Context, clientId: number, cells: readonly ProposedCell[]): Promise<number> {
  const rows = cells.map(({ account, month, cents }) => ({ billable_account_id: account.id, month, amount: wireOf(cents ?? 0) }))
  const stored = await sql<{ id: number; billable_account_id: number; month: string; amount: string }>`
    insert into budgets (client_id, billable_account_id, month, amount)
    select ${clientId}::bigint, billable_account_id, month, amount
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given(billable_account_id bigint, month text, amount numeric)
    order by billable_account_id, month on conflict (client_id, billable_account_id, month) do nothing
    returning id, billable_account_id, month, amount`.execute(context.tx)
  await context.audit.many(
    stored.rows.map(({ id, ...values }) => ({
      event: 'create' as const,
      item_type: 'budget',
      item_id: id,
      client_id: clientId,
      changes: changesBetween({}, values, Object.keys(values)),
    })),
  )
  return stored.rows.length
}

async function proposedCells(context: Context, clientId: number, first: CalendarMonth, percent: string): Promise<ProposedCell[]> {
  const months = monthsOfYear(first)
  const accounts = await readPlannedAccounts(context, {
    clientId,
    from: addToMonth(first, -2 * MONTHS_A_YEAR),
    to: addToMonth(first, -1),
    lastComplete: addToMonth(monthOf(today()), -1),
    plannedFrom: first,
    plannedTo: addToMonth(first, MONTHS_A_YEAR - 1),
    placed: everywhere,
  })
  const byId = new Map(accounts.map((account) => [account.id, account]))
  const members = Map.groupBy(accounts, (account) => account.group_id)
  const part = WHOLE + Number(unitsOf(percent, PERCENT_SCALE))
  const isCarried = (group: PlannedAccount): boolean =>
    (members.get(group.id) ?? []).some((account) => months.some((month) => usualBefore(account, month) !== null))
  return accounts.flatMap((account) => {
    const group = account.group_id === null ? undefined : byId.get(account.group_id)
    // A group and its subaccounts are never both proposed: the subaccounts are, where one of them has an actual.
    const isElsewhere = account.is_group ? isCarried(account) : group !== undefined && !isCarried(group)
    const family = [account, ...(group ? [group] : []), ...(members.get(account.id) ?? [])]
    return months.map((month) =>
      isElsewhere ? { account, month, state: 'elsewhere', cents: null } : proposedCell(account, family, month, part),
    )
  })
}

interface UsualMonth {
  readonly actual: number
  readonly isOlder: boolean
}

/** Returns the same month of last year, or of the year before where that one is not complete. */
function usualBefore(account: PlannedAccount, month: CalendarMonth): UsualMonth | null {
  const last = account.billedIn(addToMonth(month, -MONTHS_A_YEAR))
  if (isUsual(last)) return { actual: last.actual, isOlder: false }
  const older = account.billedIn(addToMonth(month, -2 * MONTHS_A_YEAR))
  return isUsual(older) ? { actual: older.actual, isOlder: true } : null
}

/** `family` are the accounts whose budget of the month keeps another one out: its own, its group's, its subaccounts'. */
function proposedCell(account: PlannedAccount, family: readonly PlannedAccount[], month: CalendarMonth, part: number): ProposedCell {
  const cell = { account, month, cents: null }
  if (!account.billedIn(month).open) return { ...cell, state: 'closed' }
  if (family.some(({ budgets }) => budgets.has(month))) return { ...cell, state: 'kept' }
  const usual = usualBefore(account, month)
  if (usual === null) return { ...cell, state: 'unknown' }
  return { ...cell, state: usual.isOlder ? 'older' : 'proposed', cents: shareOf(usual.actual, part, WHOLE) }
}

function composeProposal(first: CalendarMonth, percent: string, cells: readonly ProposedCell[]): BudgetProposal {
  const count = (state: ProposedCell['state']): number => cells.filter((cell) => cell.state === state).length
  const byAccount = [...Map.groupBy(cells, ({ account }) => account.id).values()]
  const proposed = byAccount.filter((own) => own.some(({ cents }) => cents !== null))
  const rows = proposed.flatMap((own) => {
    const [one] = own
    if (!one) return []
    const amounts = own.map(({ cents }) => (cents === null ? null : wireOf(cents)))
    return [{ id: one.account.id, name: `${one.account.account_number} ${one.account.name}`, amounts, total: totalOf(own) }]
  })
  return {
    first_month: first,
    last_month: addToMonth(first, MONTHS_A_YEAR - 1),
    percent,
    budgets: count('proposed') + count('older'),
    total: totalOf(cells),
    accounts: proposed.length,
    older: count('older'),
    kept: count('kept'),
    without_month: count('unknown'),
    without_actual: byAccount.filter((own) => own.some(({ state }) => state === 'unknown') && own.every(({ cents }) => cents === null))
      .length,
    rows: rows.toSorted((a, b) => compareMoney(b.total, a.total) || a.id - b.id).slice(0, proposedRowsMax),
  }
}

function totalOf(cells: readonly ProposedCell[]): string {
  return wireOf(sumCents(cells.flatMap(({ cents }) => cents ?? [])))
}
