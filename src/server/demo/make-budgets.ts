/** Budgets of this fiscal year and the next, by the product's own calls: what the year before cost, and some percent more. */
import { fiscalYearOf, MONTHS_A_YEAR } from '#contract/budgets/budget-figures.ts'
import { addToMonth, type CalendarDate } from '#contract/kernel/date.ts'
import { loadPrincipal } from '../access/access.ts'
import { fillBudgets, proposalOf, readFiscalYearStart } from '../budgets/budgets.ts'
import { unitOfWork, type Context } from '../kernel/context.ts'
import type { ClientPlan } from './plan.ts'
import { idOf } from './plan-bills.ts'
import type { Ids } from './make-clients.ts'

/** Percents by which clients expect their cost to rise, in turn. Every fourth client keeps no budgets. */
const RISES = ['3.00', '4.50', '2.00', null] as const

export async function makeBudgets(
  context: Context,
  clients: readonly ClientPlan[],
  { ids, planner, today }: { readonly ids: Ids; readonly planner: number; readonly today: CalendarDate },
): Promise<void> {
  const { tx, machinery, reach } = context
  const principal = await loadPrincipal(tx, planner)
  if (!principal) throw new Error('the demo has nobody who plans')
  const unit = unitOfWork(tx, { principal, ip: null, requestId: 'demo', connectionId: null }, reach, machinery)
  for (const [place, client] of clients.entries()) {
    const percent = RISES[place % RISES.length] ?? null
    if (percent !== null) await fillYears(unit.context, idOf(ids, client), percent, today)
  }
  await unit.finish()
}

async function fillYears(context: Context, clientId: number, percent: string, today: CalendarDate): Promise<void> {
  const thisYear = fiscalYearOf(today, await readFiscalYearStart(context.tx, clientId))
  for (const first_month of [thisYear, addToMonth(thisYear, MONTHS_A_YEAR)]) {
    const { budgets, total } = await proposalOf(context, clientId, { first_month, percent })
    if (budgets > 0) await fillBudgets(context, clientId, { first_month, percent, budgets, total })
  }
}
