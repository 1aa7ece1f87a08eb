/**
 * Deliberately planted problems, at least one for each audit that a new bill can raise, and bills in the states that work leaves behind.
 * Pure: each changes the planned bills of one account.
 */
import { addDays, daysBetween, type CalendarDate } from '#contract/kernel/date.ts'
import { wireOf } from '#contract/kernel/money.ts'
import { currentCharges, scaledValues } from './plan-bills.ts'
import type { AccountPlan, PlannedBill, PlannedLine, ServicePlan } from './plan.ts'
import type { Row } from './store-rows.ts'

export interface Planting {
  /** Bills that are created first and processed as usual. */
  readonly regular: readonly PlannedBill[]
  /** Bills that are created last, when earlier bills are paid. */
  readonly planted: readonly PlannedBill[]
  /** Regular bills that stay outside batches. */
  readonly open?: readonly PlannedBill[]
  /** The regular bill that the planted one corrects. */
  readonly corrects?: PlannedBill
  readonly account?: Row
  /** Bills of the account's supplier, if they differ. */
  readonly supply?: readonly PlannedBill[]
  /** The supplier's meter is not linked to any meter of the account. */
  readonly isUnlinked?: boolean
  /** Bills not entered yet: their documents wait in the inbox. */
  readonly inbox?: readonly PlannedBill[]
}

export interface Plant {
  /** The audit that finds it, or the state that it represents. */
  readonly code: string
  readonly fits: (account: AccountPlan, own: readonly PlannedBill[]) => boolean
  readonly grow: (own: readonly PlannedBill[], today: CalendarDate, supply: readonly PlannedBill[]) => Planting
}

const DOLLARS_38 = 3_800
const DOLLARS_200 = 20_000
const DOLLARS_1500 = 150_000
/** A usage that counts twice must not be the largest of a client. */
const SMALL_FEET = 120_000

const isPlain = ({ months, isInGroup, kind, supply, vendor }: AccountPlan): boolean =>
  months === 1 && !isInGroup && kind !== 'group' && supply === null && vendor.methods.length > 0
const costs = (least: number) => (account: AccountPlan, own: readonly PlannedBill[]) =>
  isPlain(account) && own.length > 12 && charged(own) >= least
const isMetered = (account: AccountPlan, own: readonly PlannedBill[]): boolean =>
  costs(DOLLARS_200)(account, own) && account.services[0]?.metered === true
const isSingle = (account: AccountPlan, own: readonly PlannedBill[]): boolean =>
  isMetered(account, own) && account.services.length === 1 && account.services[0]?.loadFactor === null
const isElectric = (account: AccountPlan, own: readonly PlannedBill[]): boolean =>
  isSingle(account, own) && account.services[0]?.utility === 'electric'
const hasDemand = (account: AccountPlan, own: readonly PlannedBill[]): boolean =>
  isMetered(account, own) && account.services[0]?.loadFactor !== null
const isFlat = (account: AccountPlan, own: readonly PlannedBill[]): boolean =>
  costs(DOLLARS_200)(account, own) && account.services[0]?.metered === false

const charged = (own: readonly PlannedBill[]): number => {
  const last = own.at(-1)
  return last ? currentCharges(last) : 0
}

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

type Fits = Plant['fits']

/** Changes the last bill. */
function onBill(code: string, fits: Fits, change: (bill: PlannedBill, prior: PlannedBill, today: CalendarDate) => PlannedBill): Plant {
  return {
    code,
    fits,
    grow: (own, today) => {
      const [prior, last] = own.slice(-2)
      return prior && last
        ? { regular: own.slice(0, -1), planted: marked(code, [change(last, prior, today)]) }
        : { regular: own, planted: [] }
    },
  }
}

/** Changes the first line of the last bill. */
function onLine(code: string, fits: Fits, change: (line: PlannedLine) => PlannedLine): Plant {
  return onBill(code, fits, (bill) => eachLine(bill, change))
}

/** Repeats the last bill, more or less. */
function again(code: string, fits: Fits, change: (bill: PlannedBill) => PlannedBill): Plant {
  return { code, fits, grow: (own) => ({ regular: own, planted: marked(code, own.slice(-1).map(change)), open: own.slice(-1) }) }
}

/** The last bill of an account of the first client has arrived and is not entered yet. */
function unentered(code: string, utility: ServicePlan['utility']): Plant {
  return {
    code,
    fits: (account, own) => {
      const [service, ...more] = account.services
      return account.client.place === 0 && service?.utility === utility && more.length === 0 && service.metered && isUsual(account, own)
    },
    grow: (own) => ({ regular: own.slice(0, -1), planted: [], inbox: own.slice(-1) }),
  }
}

function isUsual({ isInGroup, kind, supply }: AccountPlan, own: readonly PlannedBill[]): boolean {
  return !isInGroup && kind !== 'group' && supply === null && own.length > 4
}

function correction(code: string, mode: 'replace' | 'add', change: (line: PlannedLine) => PlannedLine): Plant {
  return {
    code,
    fits: isElectric,
    grow: (own) => {
      const last = own.at(-1)
      if (!last) return { regular: own, planted: [] }
      const bill = stating(eachLine(last, change), {
        rebill_adjustment: true,
        rebill_mode: mode,
        invoice_number: null,
        notes: 'Corrected by the utility after a meter test.',
      })
      return { regular: own, planted: marked(code, [bill]), open: [last], corrects: last }
    },
  }
}

/** Changes the last bills of the account, of which only the very last still needs work. */
function tail(
  own: readonly PlannedBill[],
  count: number,
  code: string,
  change: (bills: readonly PlannedBill[]) => readonly PlannedBill[],
): Planting {
  const changed = change(own.slice(-count))
  return { regular: [...own.slice(0, -count), ...changed.slice(0, -1)], planted: marked(code, changed.slice(-1)) }
}

function marked(code: string, bills: readonly PlannedBill[]): PlannedBill[] {
  return bills.map((bill) => ({ ...bill, plant: code }))
}

function stating(bill: PlannedBill, stated: PlannedBill['stated']): PlannedBill {
  return { ...bill, stated: { ...bill.stated, ...stated } }
}

function eachLine(bill: PlannedBill, change: (line: PlannedLine) => PlannedLine): PlannedBill {
  return { ...bill, lines: bill.lines.map((line, place) => (place === 0 ? change(line) : line)) }
}

/** Merges two bills into one over both periods. */
function joined(bills: readonly PlannedBill[]): PlannedBill[] {
  const [first, second] = bills
  if (!first || !second) return []
  const lines = second.lines.map((line, place): PlannedLine => {
    const earlier = first.lines[place]
    if (!earlier) return line
    const values = line.values.map(({ name, amount }, at) => ({ name, amount: amount + (earlier.values[at]?.amount ?? 0) }))
    return { ...line, from: earlier.from, before: earlier.before, usage: line.usage + earlier.usage, values }
  })
  return [{ ...second, lines }]
}

/** Sets the same whole units for every day, as in an estimate. */
function sameEveryDay(bills: readonly PlannedBill[]): PlannedBill[] {
  const [first] = bills
  const daily = Math.max(1, Math.round(turnsOf(first?.lines[0]) / daysBetween(first?.lines[0]?.from ?? '', first?.lines[0]?.to ?? '')))
  let dial = first?.lines[0]?.before ?? null
  return bills.map((bill) =>
    eachLine(bill, (line) => {
      const changed = withTurns({ ...line, before: dial }, daily * daysBetween(line.from, line.to))
      dial = changed.after
      return changed
    }),
  )
}

function turnsOf(line: PlannedLine | undefined): number {
  return line ? line.usage / line.multiplier : 0
}

function withTurns(line: PlannedLine, turns: number): PlannedLine {
  const whole = Math.round(turns)
  return { ...line, after: moved(line.before, whole), usage: whole * line.multiplier }
}

function moved(reading: number | null, by: number): number | null {
  return reading === null ? null : reading + by
}

function scaledFactor(factor: PlannedLine['factors'][number], prefix: string, by: number): PlannedLine['factors'][number] {
  return factor.name.startsWith(prefix) ? { ...factor, value: `${Math.max(1, Math.round(Number(factor.value) * by))}.0000` } : factor
}
