/**
 * The thresholds of the audits. Each can be overridden by a level: installation, then client, then account, then service. They are stored as
 * JSON (`audit_settings`) with only the differences. Percentages are of the expected value.
 */
import { z } from 'zod'

const percent = z.number().min(0).max(100_000)
const days = z.int().min(0).max(3_660)
const amount = z.string().regex(/^\d{1,8}\.\d{2}$/, 'must be an amount with two decimals')
const smallDecimal = z.string().regex(/^\d{1,6}(\.\d{1,6})?$/, 'must be a number')
const count = z.int().min(1).max(100)

export const auditSettingsSchema = z.strictObject({
  /** Warnings, and rules about unusual costs, are silent if a bill costs less and is expected to cost less. */
  min_cost: amount,
  /** Audits that are switched off. */
  disabled_codes: z.array(z.string().max(40)).max(50),

  read_gap_warning_days: days,
  read_gap_error_days: days,
  period_max_days: days,
  weekly_tolerance_days: days,
  bi_weekly_tolerance_days: days,
  monthly_tolerance_days: days,
  quarterly_tolerance_days: days,
  period_error_percent: percent,

  reading_tolerance: smallDecimal,
  multiplier_tolerance: smallDecimal,
  /** A falling reading may be a rollover if the previous one was above this share of the dial … */
  rollover_from_percent: percent,
  /** … and the usage across it is at most this share. */
  rollover_max_percent: percent,
  usage_math_units: smallDecimal,
  usage_math_percent: percent,

  usage_high_warning_percent: percent,
  usage_high_error_percent: percent,
  usage_low_warning_percent: percent,
  usage_low_error_percent: percent,
  usage_same_percent: percent,
  cost_day_high_percent: percent,
  cost_day_high_error_percent: percent,
  cost_day_low_percent: percent,
  cost_day_low_error_percent: percent,
  unit_cost_percent: percent,
  unit_cost_high_error_percent: percent,
  unit_cost_low_error_percent: percent,
  /** An outlier must also be this many spreads (1.4826 × median absolute deviation) away. */
  outlier_spreads: z.number().min(0).max(100),
  seasonal_min_points: count,
  recent_lines: count,
  recent_min_points: count,

  duplicate_window_days: days,
  due_max_days: days,
  lead_days_ach: days,
  lead_days_autopay: days,
  lead_days_avid: days,
  lead_days_check: days,
  lead_days_overnight_check: days,
  lead_days_op: days,
  read_after_bill_days: days,
  bill_old_days: days,

  demand_high_percent: percent,
  demand_min_points: count,
  ratchet_bills: count,
  load_factor_high_percent: percent,
  load_factor_low_percent: percent,
  power_factor_min: smallDecimal,
  supply_match_percent: percent,
  supply_wait_days: days,

  /** The client's own limit for a single bill; null uses the multiple of the account's 12-month maximum. */
  high_value_limit: amount.nullable(),
  high_value_percent: percent,
  high_value_floor: amount,
  high_value_min_bills: count,
})

/** The overrides of one level; validates the JSON that is stored and edited. */
export const auditSettingsPatch = auditSettingsSchema.partial()

export type AuditSettings = z.infer<typeof auditSettingsSchema>
export type AuditSettingsPatch = z.infer<typeof auditSettingsPatch>

export const defaultAuditSettings: AuditSettings = {
  min_cost: '50.00',
  disabled_codes: [],
  read_gap_warning_days: 2,
  read_gap_error_days: 7,
  period_max_days: 366,
  weekly_tolerance_days: 2,
  bi_weekly_tolerance_days: 3,
  monthly_tolerance_days: 7,
  quarterly_tolerance_days: 14,
  period_error_percent: 180,
  reading_tolerance: '0.005',
  multiplier_tolerance: '0.0005',
  rollover_from_percent: 90,
  rollover_max_percent: 10,
  usage_math_units: '1',
  usage_math_percent: 0.5,
  usage_high_warning_percent: 30,
  usage_high_error_percent: 100,
  usage_low_warning_percent: 40,
  usage_low_error_percent: 80,
  usage_same_percent: 0.1,
  cost_day_high_percent: 30,
  cost_day_high_error_percent: 100,
  cost_day_low_percent: 40,
  cost_day_low_error_percent: 80,
  unit_cost_percent: 25,
  unit_cost_high_error_percent: 100,
  unit_cost_low_error_percent: 80,
  outlier_spreads: 3,
  seasonal_min_points: 2,
  recent_lines: 12,
  recent_min_points: 3,
  duplicate_window_days: 400,
  due_max_days: 60,
  lead_days_ach: 2,
  lead_days_autopay: 0,
  lead_days_avid: 5,
  lead_days_check: 7,
  lead_days_overnight_check: 2,
  lead_days_op: 1,
  read_after_bill_days: 3,
  bill_old_days: 90,
  demand_high_percent: 125,
  demand_min_points: 3,
  ratchet_bills: 3,
  load_factor_high_percent: 100,
  load_factor_low_percent: 10,
  power_factor_min: '0.9',
  supply_match_percent: 1,
  supply_wait_days: 45,
  high_value_limit: null,
  high_value_percent: 300,
  high_value_floor: '5000.00',
  high_value_min_bills: 3,
}

/** Merges the given levels, the most general first. A setting that a level leaves out is inherited. */
export function mergeAuditSettings(levels: readonly AuditSettingsPatch[]): AuditSettings {
  const stated = levels.map((level) => Object.fromEntries(Object.entries(level).filter(([, value]) => value !== undefined)))
  return auditSettingsSchema.parse(Object.assign({}, defaultAuditSettings, ...stated))
}

/** Returns the days from the decision to pay until the utility has the money, by pay type. Unknown types take the longest. */
export function leadDays(payType: string | null, settings: AuditSettings): number {
  switch (payType) {
    case 'ACH':
      return settings.lead_days_ach
    case 'Autopay':
    case 'NP':
      return settings.lead_days_autopay
    case 'Avid':
      return settings.lead_days_avid
    case 'Check - OVERNIGHT':
      return settings.lead_days_overnight_check
    case 'OP':
      return settings.lead_days_op
    default:
      return settings.lead_days_check
  }
}
