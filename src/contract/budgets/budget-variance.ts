/** Budget against actual: a year of a client, a division, a facility or an account by month, and of what it is made of. */
import { z } from 'zod'
import { call } from '../kernel/call.ts'
import { forecastBases } from './budget-figures.ts'

export const budgetScopes = ['client', 'division', 'facility', 'billable_account'] as const
export type BudgetScope = (typeof budgetScopes)[number]

export const budgetParts = ['divisions', 'facilities', 'accounts'] as const
export type BudgetParts = (typeof budgetParts)[number]
export const budgetPartLabels: Readonly<Record<BudgetParts, string>> = {
  divisions: 'Divisions',
  facilities: 'Facilities',
  accounts: 'Accounts',
}
/** The parts into which a scope can be divided. */
export const budgetPartsOf: Readonly<Record<BudgetScope, readonly BudgetParts[]>> = {
  client: budgetParts,
  division: ['facilities', 'accounts'],
  facility: ['accounts'],
  billable_account: ['accounts'],
}

/** Rows in one answer at most, those of the largest budget; `count` says how many there are. */
export const budgetRowsMax = 1000

const value = z.string().nullable()

/**
 * `actual` is all that is billed. `compared_budget` and `compared_actual` are of the accounts and months that have a budget and are complete;
 * `variance` is their difference. `forecast` is of the accounts and months that have one, `without_forecast` counts the others, and
 * `forecast_variance` is the forecast less the budget of what has a budget.
 */
const figures = z.object({
  budget: value,
  actual: z.string(),
  compared_budget: value,
  compared_actual: value,
  variance: value,
  variance_percent: value,
  forecast: value,
  forecast_variance: value,
  without_forecast: z.int(),
})
export type BudgetFigures = z.infer<typeof figures>

/** `complete` tells whether all accounts of the month are; a month without any is not. `forecast_basis` is null where there is no forecast. */
const monthFigures = figures.extend({
  month: z.string(),
  coverage: value,
  complete: z.boolean(),
  forecast_basis: z.enum([...forecastBases, 'mixed']).nullable(),
})
export type BudgetMonth = z.infer<typeof monthFigures>

/** `unbudgeted_actual` is of complete months without a budget, `open_actual` of months that are not complete. */
const yearFigures = figures.extend({
  unbudgeted_actual: z.string(),
  open_actual: z.string(),
  months: z.array(monthFigures),
})
export type BudgetYear = z.infer<typeof yearFigures>

/**
 * `id` is null for what the reader may not name. `ratio` is this year over last year, where last year's months are scaled by it: of accounts
 * alone. `is_group` tells that the row is a group account, which may hold its subaccounts.
 */
const row = yearFigures.extend({
  id: z.int().nullable(),
  name: z.string(),
  place: value,
  is_group: z.boolean(),
  ratio: value,
})
export type BudgetRow = z.infer<typeof row>

const answer = z.object({
  scope: z.object({ type: z.enum(budgetScopes), id: z.int(), name: z.string(), partial: z.boolean() }),
  parts: z.enum(budgetParts),
  first_month: z.string(),
  last_month: z.string(),
  fiscal_year_start: z.int(),
  /** The last month that is over. */
  last_complete_month: z.string(),
  total: yearFigures,
  rows: z.array(row),
  count: z.int(),
  /** Group accounts whose budgets are left out, because the reader does not reach all of their subaccounts. */
  hidden_groups: z.int(),
})
export type BudgetVariance = z.infer<typeof answer>

export const budgetMonth = z.string().regex(/^(19[9]\d|20\d\d|21\d\d)-(0[1-9]|1[0-2])$/, 'must be a month as YYYY-MM from 1990 to 2199')

const query = z.strictObject({
  /** The first month of the year; the client's fiscal year of today by default. */
  first_month: budgetMonth.optional(),
  scope_type: z.enum(budgetScopes, { error: `must be one of ${budgetScopes.join(', ')}` }).optional(),
  scope_id: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, 'must be an id')
    .optional(),
  parts: z.enum(budgetParts, { error: `must be one of ${budgetParts.join(', ')}` }).optional(),
})
export type BudgetVarianceQuery = z.infer<typeof query>

export const budgetVarianceCalls = {
  get: call({
    name: 'budgets.variance',
    method: 'GET',
    path: '/clients/:client_id/budgets/variance',
    may: 'billable_account.read',
    summary: 'Budget against actual by month, with variance and forecast to the end of the year, and of each division, facility or account',
    query,
    reply: answer,
  }),
}
