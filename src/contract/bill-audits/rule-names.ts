/** The names of the audits for people: the same in lists, forms, histories, imports and exports. */
import { titleCase } from '../kernel/entity.ts'

const names = {
  read_gap: 'Gap between reads',
  read_overlap: 'Overlapping period',
  period_length: 'Unusual period length',
  reading_break: 'Reading does not continue',
  reading_regress: 'Reading went down',
  multiplier_change: 'Multiplier changed',
  usage_math: 'Usage does not match readings',
  usage_zero: 'No usage',
  usage_high: 'High usage',
  usage_low: 'Low usage',
  usage_negative: 'Negative usage',
  usage_same: 'Repeated usage',
  estimated_run: 'Estimated read',
  duplicate_exact: 'Duplicate bill',
  duplicate_likely: 'Possible duplicate',
  header_math: 'Amount due does not add up',
  lines_math: 'Charges do not add up',
  cost_day_high: 'High cost per day',
  cost_day_low: 'Low cost per day',
  unit_cost: 'Unusual unit cost',
  balance_forward: 'Balance forward',
  late_fee: 'Late fee',
  due_date: 'Implausible due date',
  date_sanity: 'Implausible date',
  inactive: 'Inactive account or meter',
  missing_service: 'Meter not billed',
  unknown_meter: 'Unknown meter',
  unit_mismatch: 'Wrong unit',
  demand: 'Unusual demand',
  load_factor: 'Unusual load factor',
  power_factor: 'Power factor',
  rate_changed: 'Rate schedule changed',
  tax_exempt: 'Tax on an exempt account',
  supply_match: 'Supply and delivery differ',
  credit_bill: 'Credit bill',
  high_value: 'High amount due',
  gl_incomplete: 'GL coding incomplete',
  vendor_pay: 'Vendor cannot be paid',
  group_sum: 'Group does not add up',
  supply_unlinked: 'Supply without delivery meter',
  charges_missing: 'Lines without charges',
} as const satisfies Record<string, string>

/** Returns the name of a rule; an unknown code is turned into words. */
export function auditName(code: string): string {
  const known: Readonly<Record<string, string>> = names
  return known[code] ?? titleCase(code)
}

/** The rules as options of a choice. */
export const ruleOptions = Object.entries(names).map(([value, label]) => ({ value, label }))
