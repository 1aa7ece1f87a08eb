/**
 * The audits of a bill: pure functions that run in the form while the user types and again in the request that saves or imports. Each
 * rule is one small function; the table below gives its code, the flag of the specification that it raises and what it runs on. Thresholds
 * are in bill-audits/settings.ts.
 *
 * Rules that are silent until their input is given:
 *   26 unknown_meter  needs the meter numbers of a statement (context.unknown_meters): retrieval and import give them, the form has none
 *   31 rate_changed   needs a rate schedule on the line and on the service
 *   32 tax_exempt     needs the word exempt in a tax id of the account or in the tax code of the service
 *   33 supply_match   compares a supplier's line with the delivery of the same days, once there is one; only the nightly re-audit reports a
 *                     supply bill that never comes
 *   39 supply_unlinked needs a facility with a delivery meter of the same utility service
 *   36 gl_incomplete  runs only when the bill is about to enter a closing client batch (context.for_accounting_batch)
 *   37 vendor_pay     runs only if the client's bills are paid here, on unpaid bills with an amount due
 *   28 to 30          need demand or power factor among the usage factors
 *   38 group_sum      needs the links of the group: the form predicts them (group-bill.ts), the save runs the rule once they are stored
 *                     (server/bills/audit-groups.ts)
 * Account-level alerts (no bill for 30 days, and the like) are no audits of a bill and belong to the alert lists.
 */
import { chargesMissing, creditBill, headerMath, highValue, linesMath, taxExempt } from './charge-rules.ts'
import { costDayHigh, costDayLow, unitCostOutlier } from './unit-cost-rules.ts'
import { auditContext } from './context.ts'
import type { BillAudit, LineAudit } from './line-context.ts'
import { demand, loadFactor, powerFactor } from './demand-rules.ts'
import { duplicateExact, duplicateLikely } from './duplicate-rules.ts'
import { groupSum, groupSumCode } from './group-rules.ts'
import type { AuditInput, Finding, Verdict } from './input.ts'
import { balanceForward, dateSanity, dueDate, lateFee, vendorPay } from './payment-rules.ts'
import { estimatedRun, periodLength, readGap, readOverlap } from './period-rules.ts'
import { multiplierChange, readingBreak, readingRegress, usageMath } from './reading-rules.ts'
import { glIncomplete, inactive, missingService, rateChanged, unknownMeter } from './structure-rules.ts'
import { supplyMatch, supplyUnlinked } from './supply-rules.ts'
import { unitMismatch, usageHigh, usageLow, usageNegative, usageSame, usageZero } from './usage-rules.ts'
import { centsOf } from '../kernel/money.ts'

export * from './input.ts'
export * from './estate-input.ts'
export * from './history-input.ts'
export { type AuditSettings, auditSettingsPatch, type AuditSettingsPatch, defaultAuditSettings, mergeAuditSettings } from './settings.ts'
export { countOpen, fieldFlags, type FieldFlags, isFlag, lineFlags } from './flags.ts'
export { groupSumCode } from './group-rules.ts'
export { historyBill } from './history.ts'

type Rule =
  | { readonly code: string; readonly number: number; readonly on: 'bill'; readonly run: (bill: BillAudit) => Verdict[] }
  /** `metered` rules skip the lines of services without a meter. */
  | { readonly code: string; readonly number: number; readonly on: 'line' | 'metered'; readonly run: (line: LineAudit) => Verdict[] }

const rules: readonly Rule[] = [
  { number: 1, code: 'read_gap', on: 'line', run: readGap },
  { number: 2, code: 'read_overlap', on: 'line', run: readOverlap },
  { number: 3, code: 'period_length', on: 'line', run: periodLength },
  { number: 4, code: 'reading_break', on: 'metered', run: readingBreak },
  { number: 5, code: 'reading_regress', on: 'metered', run: readingRegress },
  { number: 6, code: 'multiplier_change', on: 'metered', run: multiplierChange },
  { number: 7, code: 'usage_math', on: 'metered', run: usageMath },
  { number: 8, code: 'usage_zero', on: 'metered', run: usageZero },
  { number: 9, code: 'usage_high', on: 'metered', run: usageHigh },
  { number: 10, code: 'usage_low', on: 'metered', run: usageLow },
  { number: 11, code: 'usage_negative', on: 'metered', run: usageNegative },
  { number: 12, code: 'usage_same', on: 'metered', run: usageSame },
  { number: 13, code: 'estimated_run', on: 'metered', run: estimatedRun },
  { number: 14, code: 'duplicate_exact', on: 'bill', run: duplicateExact },
  { number: 15, code: 'duplicate_likely', on: 'bill', run: duplicateLikely },
  { number: 16, code: 'header_math', on: 'bill', run: headerMath },
  { number: 17, code: 'lines_math', on: 'bill', run: linesMath },
  { number: 18, code: 'cost_day_high', on: 'line', run: costDayHigh },
  { number: 18, code: 'cost_day_low', on: 'line', run: costDayLow },
  { number: 19, code: 'unit_cost', on: 'metered', run: unitCostOutlier },
  { number: 20, code: 'balance_forward', on: 'bill', run: balanceForward },
  { number: 21, code: 'late_fee', on: 'bill', run: lateFee },
  { number: 22, code: 'due_date', on: 'bill', run: dueDate },
  { number: 23, code: 'date_sanity', on: 'bill', run: dateSanity },
  { number: 24, code: 'inactive', on: 'bill', run: inactive },
  { number: 25, code: 'missing_service', on: 'bill', run: missingService },
  { number: 26, code: 'unknown_meter', on: 'bill', run: unknownMeter },
  { number: 27, code: 'unit_mismatch', on: 'metered', run: unitMismatch },
  { number: 28, code: 'demand', on: 'metered', run: demand },
  { number: 29, code: 'load_factor', on: 'metered', run: loadFactor },
  { number: 30, code: 'power_factor', on: 'metered', run: powerFactor },
  { number: 31, code: 'rate_changed', on: 'line', run: rateChanged },
  { number: 32, code: 'tax_exempt', on: 'bill', run: taxExempt },
  { number: 33, code: 'supply_match', on: 'metered', run: supplyMatch },
  { number: 34, code: 'credit_bill', on: 'bill', run: creditBill },
  { number: 35, code: 'high_value', on: 'bill', run: highValue },
  { number: 36, code: 'gl_incomplete', on: 'line', run: glIncomplete },
  { number: 37, code: 'vendor_pay', on: 'bill', run: vendorPay },
  { number: 38, code: groupSumCode, on: 'bill', run: groupSum },
  { number: 39, code: 'supply_unlinked', on: 'metered', run: supplyUnlinked },
  { number: 40, code: 'charges_missing', on: 'bill', run: chargesMissing },
]

/** Data faults matter as much on a small bill as on a large one. */
const neverTooSmall: ReadonlySet<string> = new Set([
  'usage_negative',
  'header_math',
  'inactive',
  'unknown_meter',
  'unit_mismatch',
  'credit_bill',
  'charges_missing',
])

export const auditCodes: readonly string[] = rules.map((rule) => rule.code)

/**
 * Returns all findings of a bill, ordered by rule and then by line. Never throws for typed or imported values; throws a RangeError only for
 * values that none of our fields can hold. Three settings silence findings: a disabled code, the small-bill rule for warnings, and audits_off,
 * which drops all findings of a service, and for an account all except those that hold a payment (E!). A bill is small if neither its cost nor
 * its expected cost reaches min_cost; data faults are never too small.
 */
export function auditBill(input: AuditInput): Finding[] {
  const bill = auditContext(input)
  const findings = rules.flatMap((rule) => (bill.settings.disabled_codes.includes(rule.code) ? [] : findingsOf(rule, bill)))
  return findings.filter((finding) => !isSilenced(finding, bill))
}

function findingsOf(rule: Rule, bill: BillAudit): Finding[] {
  if (rule.on === 'bill') return rule.run(bill).map((verdict) => finding(rule.code, verdict, null, verdict.service_id ?? null))
  return bill.lines
    .filter(
      (line) =>
        !line.service?.audits_off &&
        !line.settings.disabled_codes.includes(rule.code) &&
        (rule.on === 'line' || line.service?.metered !== false),
    )
    .flatMap((line) => rule.run(line).map((verdict) => finding(rule.code, verdict, line.place, line.line.service_id)))
}

function finding(code: string, verdict: Verdict, line: number | null, serviceId: number | null): Finding {
  const { severity, message, field, expected = null, actual = null, limit = null, other_bill_id = null } = verdict
  return { code, severity, message, field, service_id: serviceId, line, expected, actual, limit, other_bill_id }
}

function isSilenced(found: Finding, bill: BillAudit): boolean {
  if (found.severity === 'E!') return false
  if (bill.input.account?.audits_off) return true
  return found.severity === 'W' && !neverTooSmall.has(found.code) && bill.size < centsOf(bill.settings.min_cost)
}
