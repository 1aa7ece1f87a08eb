/** How a fault is planted into the demo's bills. */
import { daysBetween, type CalendarDate } from '#contract/kernel/date.ts'
import { currentCharges } from './plan-bills.ts'
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

export const DOLLARS_200 = 20_000

const isPlain = ({ months, isInGroup, kind, supply, vendor }: AccountPlan): boolean =>
  months === 1 && !isInGroup && kind !== 'group' && supply === null && vendor.methods.length > 0
export const costs = (least: number) => (account: AccountPlan, own: readonly PlannedBill[]) =>
  isPlain(account) && own.length > 12 && charged(own) >= least
export const isMetered = (account: AccountPlan, own: readonly PlannedBill[]): boolean =>
  costs(DOLLARS_200)(account, own) && account.services[0]?.metered === true
export const isSingle = (account: AccountPlan, own: readonly PlannedBill[]): boolean =>
  isMetered(account, own) && account.services.length === 1 && account.services[0]?.loadFactor === null
export const isElectric = (account: AccountPlan, own: readonly PlannedBill[]): boolean =>
  isSingle(account, own) && account.services[0]?.utility === 'electric'
export const hasDemand = (account: AccountPlan, own: readonly PlannedBill[]): boolean =>
  isMetered(account, own) && account.services[0]?.loadFactor !== null
export const isFlat = (account: AccountPlan, own: readonly PlannedBill[]): boolean =>
  costs(DOLLARS_200)(account, own) && account.services[0]?.metered === false

const charged = (own: readonly PlannedBill[]): number => {
  const last = own.at(-1)
  return last ? currentCharges(last) : 0
}

type Fits = Plant['fits']

/** Changes the last bill. */
export function onBill(
  code: string,
  fits: Fits,
  change: (bill: PlannedBill, prior: PlannedBill, today: CalendarDate) => PlannedBill,
): Plant {
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
export function onLine(code: string, fits: Fits, change: (line: PlannedLine) => PlannedLine): Plant {
  return onBill(code, fits, (bill) => eachLine(bill, change))
}

/** Repeats the last bill, more or less. */
export function again(code: string, fits: Fits, change: (bill: PlannedBill) => PlannedBill): Plant {
  return { code, fits, grow: (own) => ({ regular: own, planted: marked(code, own.slice(-1).map(change)), open: own.slice(-1) }) }
}

/** The last bill of an account of the first client has arrived and is not entered yet. */
export function unentered(code: string, utility: ServicePlan['utility']): Plant {
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

export function correction(code: string, mode: 'replace' | 'add', change: (line: PlannedLine) => PlannedLine): Plant {
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
export function tail(
  own: readonly PlannedBill[],
  count: number,
  code: string,
  change: (bills: readonly PlannedBill[]) => readonly PlannedBill[],
): Planting {
  const changed = change(own.slice(-count))
  return { regular: [...own.slice(0, -count), ...changed.slice(0, -1)], planted: marked(code, changed.slice(-1)) }
}

export function marked(code: string, bills: readonly PlannedBill[]): PlannedBill[] {
  return bills.map((bill) => ({ ...bill, plant: code }))
}

export function stating(bill: PlannedBill, stated: PlannedBill['stated']): PlannedBill {
  return { ...bill, stated: { ...bill.stated, ...stated } }
}

export function eachLine(bill: PlannedBill, change: (line: PlannedLine) => PlannedLine): PlannedBill {
  return { ...bill, lines: bill.lines.map((line, place) => (place === 0 ? change(line) : line)) }
}

/** Merges two bills into one over both periods. */
export function joined(bills: readonly PlannedBill[]): PlannedBill[] {
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
export function sameEveryDay(bills: readonly PlannedBill[]): PlannedBill[] {
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

export function turnsOf(line: PlannedLine | undefined): number {
  return line ? line.usage / line.multiplier : 0
}

export function withTurns(line: PlannedLine, turns: number): PlannedLine {
  const whole = Math.round(turns)
  return { ...line, after: moved(line.before, whole), usage: whole * line.multiplier }
}

export function moved(reading: number | null, by: number): number | null {
  return reading === null ? null : reading + by
}

export function scaledFactor(factor: PlannedLine['factors'][number], prefix: string, by: number): PlannedLine['factors'][number] {
  return factor.name.startsWith(prefix) ? { ...factor, value: `${Math.max(1, Math.round(Number(factor.value) * by))}.0000` } : factor
}
