/** The labels of the audits' thresholds, in the order of the form. */
import { defaulted, list } from '../kernel/entity.ts'
import { auditSettingsPatch, type AuditSettings } from './settings.ts'

export type SettingUnit = '%' | 'days' | '$' | 'times' | ''

export interface SettingWords {
  readonly key: Exclude<keyof AuditSettings, 'disabled_codes'>
  readonly label: string
  readonly unit: SettingUnit
}

export interface SettingGroup {
  readonly title: string
  readonly settings: readonly SettingWords[]
}

type Said = readonly (readonly [SettingWords['key'], string, SettingUnit])[]

export const auditSettingGroups: readonly SettingGroup[] = [
  group('Periods', [
    ['read_gap_warning_days', 'Gap between reads: warning from', 'days'],
    ['read_gap_error_days', 'Gap between reads: error from', 'days'],
    ['period_max_days', 'Longest period', 'days'],
    ['weekly_tolerance_days', 'Tolerance of weekly periods', 'days'],
    ['bi_weekly_tolerance_days', 'Tolerance of bi-weekly periods', 'days'],
    ['monthly_tolerance_days', 'Tolerance of monthly periods', 'days'],
    ['quarterly_tolerance_days', 'Tolerance of quarterly periods', 'days'],
    ['period_error_percent', 'Period is an error from', '%'],
  ]),
  group('Usage', [
    ['usage_high_warning_percent', 'High usage: warning from', '%'],
    ['usage_high_error_percent', 'High usage: error from', '%'],
    ['usage_low_warning_percent', 'Low usage: warning from', '%'],
    ['usage_low_error_percent', 'Low usage: error from', '%'],
    ['usage_same_percent', 'Usage counts as the same within', '%'],
    ['outlier_spreads', 'Outlier threshold', ''],
    ['seasonal_min_points', 'Bills that make a season', ''],
    ['recent_lines', 'Recent bills looked at', ''],
    ['recent_min_points', 'Recent bills needed', ''],
  ]),
  group('Costs', [
    ['min_cost', 'Smaller bills give no warnings', '$'],
    ['cost_day_high_percent', 'High cost per day: warning from', '%'],
    ['cost_day_high_error_percent', 'High cost per day: error from', '%'],
    ['cost_day_low_percent', 'Low cost per day: warning from', '%'],
    ['cost_day_low_error_percent', 'Low cost per day: error from', '%'],
    ['unit_cost_percent', 'Unit cost differs: warning from', '%'],
    ['unit_cost_high_error_percent', 'High unit cost: error from', '%'],
    ['unit_cost_low_error_percent', 'Low unit cost: error from', '%'],
    ['high_value_limit', 'Limit of a single bill', '$'],
    ['high_value_percent', 'High bill, of the most in a year', '%'],
    ['high_value_floor', 'Smaller bills are never high', '$'],
    ['high_value_min_bills', 'Bills needed for a high bill', ''],
  ]),
  group('Meters', [
    ['reading_tolerance', 'Tolerance of readings', ''],
    ['multiplier_tolerance', 'Tolerance of multipliers', ''],
    ['rollover_from_percent', 'Rollover above, of the dial', '%'],
    ['rollover_max_percent', 'Rollover uses at most, of the dial', '%'],
    ['usage_math_units', 'Usage differs from readings by', ''],
    ['usage_math_percent', 'Usage differs from readings by', '%'],
    ['demand_high_percent', 'High demand from', '%'],
    ['demand_min_points', 'Bills needed for demand', ''],
    ['ratchet_bills', 'Equal demands that make a ratchet', ''],
    ['load_factor_high_percent', 'High load factor from', '%'],
    ['load_factor_low_percent', 'Low load factor below', '%'],
    ['power_factor_min', 'Lowest power factor', ''],
  ]),
  group('Dates and payment', [
    ['duplicate_window_days', 'Duplicates are looked for within', 'days'],
    ['due_max_days', 'Latest due date after the bill', 'days'],
    ['read_after_bill_days', 'Latest read after the bill', 'days'],
    ['bill_old_days', 'A bill is old after', 'days'],
    ['lead_days_ach', 'Lead time: ACH', 'days'],
    ['lead_days_autopay', 'Lead time: Autopay', 'days'],
    ['lead_days_avid', 'Lead time: Avid', 'days'],
    ['lead_days_check', 'Lead time: checks', 'days'],
    ['lead_days_overnight_check', 'Lead time: overnight checks', 'days'],
    ['lead_days_op', 'Lead time: OP', 'days'],
    ['supply_match_percent', 'Supply differs from delivery by', '%'],
    ['supply_wait_days', 'Supply bill is missed after', 'days'],
  ]),
]

/** The field by which an account or a service overrides some of them. */
export const auditSettingsField = {
  ...defaulted(list('Audit Settings', auditSettingsPatch), {}),
  parts: {
    disabled_codes: 'Audits that do not run',
    ...Object.fromEntries(auditSettingGroups.flatMap(({ settings }) => settings.map(({ key, label }) => [key, label]))),
  },
}

function group(title: string, said: Said): SettingGroup {
  return { title, settings: said.map(([key, label, unit]) => ({ key, label, unit })) }
}
