/** The call that scores the methods of accrual on a client's own bills. */
import { z } from 'zod'
import { call, type Nothing } from '../kernel/call.ts'
import { unscoredReasons } from './accrual-score.ts'
import { assigneeType, type ReportAssignee } from './generated-report.ts'
import { accrualMethods, noReportFormData, reportFormData, type ReportFormData } from './report-form-data.ts'

/** Meters that are scored at once. */
export const scoredMetersMax = { month_ends: 1_000, last_bills: 5_000 } as const
/** Accounts of a method with the largest errors. */
export const worstAccountsMax = 10
/** Comparisons listed for one of them, the newest. */
export const comparisonsMax = 12
/** Accounts without a comparison that are named. */
export const unscoredNamedMax = 100

/** The bills that are hidden before the accrual. */
export const hiddenBills = [
  { value: 'month_ends', label: 'The twelve month ends before the period' },
  { value: 'last_bills', label: 'The last bill of each meter' },
] as const
export type HiddenBills = (typeof hiddenBills)[number]['value']

const method = z.enum(accrualMethods.map(({ value }) => value))

const account = z.object({
  billable_account_id: z.int().nullable(),
  supply_account_id: z.int().nullable(),
  account_number: z.string(),
  facility: z.string().nullable(),
  vendor: z.string().nullable(),
})
export type ScoredAccountName = z.infer<typeof account>

/** Amounts of one comparison or of several. The error is accrued less actual. */
const compared = z.object({ accrued: z.string(), actual: z.string(), error: z.string() })

const methodScore = z.object({
  method,
  /** Accounts with a comparison, and the comparisons: meters at month ends. */
  accounts: z.int(),
  comparisons: z.int(),
  accrued: z.string(),
  actual: z.string(),
  bias: z.string(),
  bias_percent: z.string().nullable(),
  /** The mean absolute percentage error, weighted by cost. */
  error_percent: z.string().nullable(),
  /** The accounts with the largest errors, and their newest comparisons by the last day that was accrued. */
  worst: z.array(
    account.extend({ ...compared.shape, error_percent: z.string().nullable(), at: z.array(compared.extend({ to: z.string() })) }),
  ),
})
export type MethodScore = z.infer<typeof methodScore>

const accrualScores = z.object({
  /** The first and the last month end; null if last bills are hidden. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  methods: z.array(methodScore),
  best: z.object({ method, reason: z.string() }).nullable(),
  /** All accounts that the choices name. */
  accounts: z.int(),
  /** Accounts without a comparison: how many for each reason, and the first of them. */
  unscored: z.array(z.object({ why: z.enum(unscoredReasons.map(({ value }) => value)), accounts: z.int() })),
  unscored_accounts: z.array(account.extend({ why: z.enum(unscoredReasons.map(({ value }) => value)) })),
})
export type AccrualScores = z.infer<typeof accrualScores>

export interface ScoresAsked {
  readonly form_data: ReportFormData
  readonly assignable_type: ReportAssignee
  readonly assignable_id: number | null
  readonly hide: HiddenBills
}
const scoresAsked: z.ZodType<ScoresAsked> = z.strictObject({
  form_data: reportFormData.default(noReportFormData),
  assignable_type: assigneeType.default('User'),
  assignable_id: z.int().positive().nullable().default(null),
  hide: z.enum(['month_ends', 'last_bills'], { error: 'Hide must be month_ends or last_bills' }).default('month_ends'),
})

export const accrualScoreCalls = {
  score: call<string, { client_id: number; id: number }, Nothing, ScoresAsked, AccrualScores>({
    name: 'reports.accrual_scores',
    method: 'POST',
    path: '/clients/:client_id/reports/:id/accrual_scores',
    effect: 'read',
    may: 'generated_report.create',
    summary: 'How right each method of accrual was for the chosen accounts',
    heavy: true,
    body: scoresAsked,
    reply: accrualScores,
  }),
}
