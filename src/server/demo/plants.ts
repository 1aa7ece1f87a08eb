/**
 * Deliberately planted problems, at least one for each audit that a new bill can raise, and bills in the states that work leaves behind.
 * Pure: each changes the planned bills of one account.
 */
import { addDays } from '#contract/kernel/date.ts'
import { wireOf } from '#contract/kernel/money.ts'
import { currentCharges, scaledValues } from './plan-bills.ts'
import type { PlannedBill } from './plan.ts'
import {
  type Plant,
  isSingle,
  marked,
  onLine,
  joined,
  isElectric,
  moved,
  withTurns,
  turnsOf,
  tail,
  sameEveryDay,
  eachLine,
  again,
  onBill,
  costs,
  DOLLARS_200,
  stating,
  isMetered,
  hasDemand,
  scaledFactor,
  isFlat,
  correction,
  unentered,
} from './plant-parts.ts'

const DOLLARS_38 = 3_800

const DOLLARS_1500 = 150_000
/** A usage that counts twice must not be the largest of a client. */
const SMALL_FEET = 120_000

export const auditPlants: readonly Plant[] = [
  { code: 'read_gap', fits: isSingle, grow: (own) => ({ regular: own.slice(0, -2), planted: marked('read_gap', own.slice(-1)) }) },
  onLine('read_overlap', isSingle, (line) => ({ ...line, from: addDays(line.from, -5) })),
  {
    code: 'period_length',
    fits: isSingle,
    grow: (own) => ({ regular: own.slice(0, -2), planted: marked('period_length', joined(own.slice(-2))) }),
  },
  onLine('reading_break', isElectric, (line) => ({ ...line, before: moved(line.before, 137), after: moved(line.after, 137) })),
  onLine('reading_regress', isSingle, (line) => ({ ...line, after: moved(line.before, -120) })),
  onLine('multiplier_change', isElectric, (line) => withTurns({ ...line, multiplier: line.multiplier * 10 }, turnsOf(line) / 10)),
  onLine('usage_math', isElectric, (line) => ({ ...line, usage: Math.round(line.usage * 1.09) + 20 })),
  onLine('usage_zero', isElectric, (line) => ({ ...withTurns(line, 0), values: scaledValues(line, 0.6) })),
  onLine('usage_high', isElectric, (line) => ({ ...withTurns(line, turnsOf(line) * 2.4), values: scaledValues(line, 2.3) })),
  onLine('usage_low', isElectric, (line) => ({ ...withTurns(line, turnsOf(line) * 0.15), values: scaledValues(line, 0.25) })),
  onLine('usage_negative', isSingle, (line) => ({ ...line, before: null, after: null, usage: -250 })),
  { code: 'usage_same', fits: isElectric, grow: (own) => tail(own, 3, 'usage_same', sameEveryDay) },
  {
    code: 'estimated_run',
    fits: isSingle,
    grow: (own) => tail(own, 3, 'estimated_run', (bills) => bills.map((bill) => eachLine(bill, (line) => ({ ...line, estimated: true })))),
  },
  again('duplicate_exact', isSingle, (bill) => ({
    ...bill,
    stated: { override_reason: 'The utility mailed a second copy; kept until it confirms' },
  })),
  again('duplicate_likely', isSingle, (bill) => ({ ...bill, date: addDays(bill.date, 1), invoice: null })),
  onBill('header_math', costs(DOLLARS_200), (bill) => stating(bill, { amount_due: wireOf(currentCharges(bill) + 9_000) })),
  onBill('lines_math', isMetered, (bill) =>
    stating(bill, { current_charges: wireOf(currentCharges(bill) + 2_500), amount_due: wireOf(currentCharges(bill) + 2_500) }),
  ),
  onBill('charges_missing', isElectric, (bill) =>
    stating(
      eachLine(bill, (line) => ({ ...line, values: scaledValues(line, 0) })),
      {
        current_charges: wireOf(currentCharges(bill)),
        amount_due: wireOf(currentCharges(bill)),
      },
    ),
  ),
  onLine('cost_day_high', isElectric, (line) => ({ ...line, values: scaledValues(line, 1.8) })),
  onLine('cost_day_low', isElectric, (line) => ({ ...line, values: scaledValues(line, 0.4) })),
  onLine('unit_cost', isElectric, (line) => ({ ...line, values: scaledValues(line, 1.6) })),
  onBill('balance_forward', costs(DOLLARS_200), (bill, prior) => ({ ...bill, balance: currentCharges(prior) })),
  onBill('late_fee', costs(DOLLARS_200), (bill, prior) => ({ ...bill, lateFee: Math.round(currentCharges(prior) * 0.015) })),
  onBill('due_date', costs(DOLLARS_200), (bill) => ({ ...bill, due: addDays(bill.date, 75) })),
  onBill('date_sanity', costs(DOLLARS_200), (bill, _prior, today) => ({ ...bill, date: addDays(today, 8), due: addDays(today, 30) })),
  {
    code: 'inactive',
    fits: isSingle,
    grow: (own) => ({
      regular: own.slice(0, -1),
      planted: marked('inactive', own.slice(-1)),
      account: { active: false, effective_to: addDays(own.at(-1)?.lines[0]?.from ?? '', -10) },
    }),
  },
  onBill(
    'missing_service',
    (account, own) => isMetered(account, own) && account.services.length === 2,
    (bill) => ({ ...bill, lines: bill.lines.slice(0, 1) }),
  ),
  onBill('unknown_meter', isSingle, (bill) => stating(bill, { unknown_meters: ['70118426'] })),
  onLine('unit_mismatch', isElectric, (line) => ({ ...line, rawUnit: 'units' })),
  onLine('demand', hasDemand, (line) => ({ ...line, factors: line.factors.map((factor) => scaledFactor(factor, 'KW', 2.4)) })),
  onLine('load_factor', hasDemand, (line) => ({ ...line, factors: line.factors.map((factor) => scaledFactor(factor, 'KW', 0.2)) })),
  onLine('power_factor', hasDemand, (line) => ({
    ...line,
    factors: line.factors.map((factor) => (factor.name === 'Power Factor' ? { ...factor, value: '0.8200' } : factor)),
  })),
  onLine('rate_changed', isElectric, (line) => ({ ...line, schedule: `${line.schedule} (optional)` })),
  onLine(
    'tax_exempt',
    (account, own) => isMetered(account, own) && account.taxId !== null,
    (line) => ({ ...line, values: [...line.values, { name: 'Utility Taxes', amount: scaledValues(line, 0.06)[0]?.amount ?? 0 }] }),
  ),
  onLine('credit_bill', isFlat, (line) => ({ ...line, values: scaledValues(line, -0.2) })),
  onLine('high_value', costs(DOLLARS_1500), (line) => ({ ...line, values: scaledValues(line, 9) })),
  {
    code: 'vendor_pay',
    fits: ({ vendor }) => vendor.methods.length === 0,
    grow: (own) => ({ regular: [], planted: marked('vendor_pay', own.slice(-2)) }),
  },
]

/** States that no audit produces, one of each for users of the demo. */
export const statePlants: readonly Plant[] = [
  onBill('Parked', isFlat, (bill) => stating(bill, { parked: true, notes: 'The utility will send a corrected invoice.' })),
  onBill('Parked', isMetered, (bill) => stating(bill, { parked: true })),
  onBill('QC', isMetered, (bill) => stating(bill, { qc: true })),
  onBill('QC', isFlat, (bill) => stating(bill, { qc: true })),
  onLine('Draft', isSingle, (line) => ({ ...line, before: null, after: null, stated: { usage: null } })),
  onLine('Draft', isElectric, (line) => ({ ...line, before: null, after: null, stated: { usage: null, read_date: null } })),
  correction('Void', 'replace', (line) => ({ ...line, values: scaledValues(line, 0.93) })),
  correction('Adjustment', 'add', (line) => ({ ...withTurns(line, 0), before: null, after: null, values: scaledValues(line, 0.04) })),
  { code: 'Missing bills', fits: isSingle, grow: (own) => ({ regular: own.slice(0, -2), planted: [] }) },
  { code: 'Missing bills', fits: isFlat, grow: (own) => ({ regular: own.slice(0, -2), planted: [] }) },
  { code: 'Past due', fits: isSingle, grow: (own) => ({ regular: own, planted: [], open: own.slice(-3, -1) }) },
  { code: 'Past due', fits: isFlat, grow: (own) => ({ regular: own, planted: [], open: own.slice(-3, -1) }) },
  unentered('Inbox electric', 'electric'),
  unentered('Inbox water', 'water'),
  unentered('Inbox lighting', 'electric'),
  unentered('Inbox further', 'water'),
]

/** Problems between the bills of several accounts, which are planted among the regular bills of all of them. */
export const linkPlants: readonly Plant[] = [
  {
    code: 'group_sum',
    fits: ({ kind }, own) => kind === 'group' && own.length > 12,
    grow: (own) => ({ regular: lastMarked('group_sum', own, (bill) => ({ ...bill, beside: DOLLARS_38 })), planted: [] }),
  },
  {
    code: 'supply_unlinked',
    fits: ({ supply, client, facility }, own) =>
      supply !== null && client.sample.supplyGroup !== true && facility.feet < SMALL_FEET && own.length > 12,
    grow: (own, _today, supply) => ({ regular: own, planted: [], isUnlinked: true, supply: lastMarked('supply_unlinked', supply) }),
  },
]

function lastMarked(
  code: string,
  bills: readonly PlannedBill[],
  change: (bill: PlannedBill) => PlannedBill = (bill) => bill,
): readonly PlannedBill[] {
  return [...bills.slice(0, -1), ...marked(code, bills.slice(-1).map(change))]
}
