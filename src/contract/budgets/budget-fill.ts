/** Budgets of a year proposed from what was billed before. A proposal stores nothing; the save stores what was shown, or refuses. */
import { z } from 'zod'
import { call, result } from '../kernel/call.ts'
import { decimal, integer, month } from '../kernel/entity.ts'
import { budgetMonth } from './budget-variance.ts'

/** Accounts that the answer shows, those of the largest sum; the counts are of all. */
export const proposedRowsMax = 1000
/** Budgets that one save stores at most. */
export const filledMax = 60_000

export const fillPercent = decimal('Percent', 2, { min: -100, max: 1000, whole: 4 }).schema
const firstMonth = month('First Month').schema.refine(
  (value) => budgetMonth.safeParse(value).success,
  'First Month must be a month as YYYY-MM from 1990 to 2199',
)

const proposed = z.object({
  id: z.int(),
  name: z.string(),
  /** The proposed amounts of the year, month by month; null where none is proposed. */
  amounts: z.array(z.string().nullable()),
  total: z.string(),
})
export type ProposedBudgets = z.infer<typeof proposed>

const proposal = z.object({
  first_month: z.string(),
  last_month: z.string(),
  percent: z.string(),
  /** Number and sum of the proposed budgets. */
  budgets: z.int(),
  total: z.string(),
  accounts: z.int(),
  /** Proposed budgets whose month of last year is not complete, so that they are of the year before it. */
  older: z.int(),
  /** Months of accounts that have a budget already, of their own, of their group or of their subaccounts. They are kept. */
  kept: z.int(),
  /** Months of accounts in use that have neither a budget nor a complete month to go by. */
  without_month: z.int(),
  /** Accounts in use of which nothing is proposed, because no month of theirs is complete. */
  without_actual: z.int(),
  rows: z.array(proposed),
})
export type BudgetProposal = z.infer<typeof proposal>

export const budgetFillCalls = {
  proposal: call({
    name: 'budgets.proposal',
    method: 'GET',
    path: '/clients/:client_id/budgets/proposal',
    may: 'billable_account.update',
    summary: 'Proposes budgets of a year from what was billed the year before; stores nothing',
    query: z.strictObject({ first_month: budgetMonth.optional(), percent: fillPercent.optional() }),
    reply: proposal,
  }),
  fill: call({
    name: 'budgets.fill',
    method: 'POST',
    path: '/clients/:client_id/budgets/fill',
    may: 'billable_account.update',
    summary: 'Stores the proposed budgets of a year; refused where the proposal is no longer that of the given number and sum',
    body: z.strictObject({
      fill: z.strictObject({
        first_month: firstMonth,
        percent: fillPercent,
        budgets: integer('Budgets', { min: 1 }).schema,
        total: decimal('Total', 2).schema,
      }),
    }),
    reply: result,
  }),
}
