/**
 * Determines the charges of a statement for its period. It prints them up to three times: as its new charges, line by line, and as the amount
 * due minus the outstanding balance. If they disagree, the value of two of them counts, or else the amount due minus the outstanding balance;
 * the other one is reported. An amount counts once, however often it is printed.
 */
import { centsOf, formatMoney, sumCents, sumMoney, wireOf, type Cents } from '../kernel/money.ts'
import type { AccountCharge, Meter, Statement } from './statement.ts'
import { chargesOf, withoutCharges } from './retrieved-lines.ts'

/** A statement that prints amounts. */
export interface PricedStatement extends Statement {
  readonly amount_due: string
  readonly current_charges: string
}

export interface Charged {
  readonly current_charges: string
  /** The charged ones; repetitions stay only among the printed lines. */
  readonly meters: Meter[]
  readonly account_charges: AccountCharge[]
  /** Remarks for the user, in sentences. */
  readonly remarks: string[]
}

export function chargedOf(statement: PricedStatement): Charged {
  const decided = decide(statement)
  const lines = countedLines(statement, decided.cents)
  const counted = linesSum(lines)
  const isExplained = !hasAmounts(lines) || counted === decided.cents
  return {
    current_charges: wireOf(decided.cents),
    meters: lines.meters,
    account_charges: lines.account_charges,
    remarks: [
      ...decided.remarks,
      ...lines.remarks,
      ...(isExplained
        ? []
        : [`The printed charges add up to ${shown(counted)}, the statement's current charges are ${shown(decided.cents)}.`]),
    ],
  }
}

interface Figures {
  readonly due: Cents
  readonly late: Cents
  /** Null if 0.00 replaces a figure that the source does not have. */
  readonly printed: Cents | null
  /** Null if no line has an amount. */
  readonly lines: Cents | null
  /** The amount due minus the outstanding balance; null if no balance is printed. */
  readonly rest: Cents | null
  readonly previous: Cents | null
}

function figuresOf(statement: PricedStatement): Figures {
  const due = centsOf(statement.amount_due)
  const late = centsOf(statement.late_fee)
  const lines = hasAmounts(statement) ? linesSum(statement) : null
  const printed = centsOf(statement.current_charges)
  return {
    due,
    late,
    lines,
    printed: printed === 0 && lines !== null && lines !== 0 ? null : printed,
    rest: statement.balance_forward === null ? null : due - late - centsOf(statement.balance_forward),
    previous: statement.previous_balance === null || statement.kind === 'adjustment' ? null : centsOf(statement.previous_balance),
  }
}

interface Decided {
  readonly cents: Cents
  readonly remarks: readonly string[]
}

function decide(statement: PricedStatement): Decided {
  const figures = figuresOf(statement)
  const { due, late, printed, lines, rest, previous } = figures
  if (rest === null) return { cents: printed ?? lines ?? 0, remarks: [] }
  if (printed === rest) return { cents: rest, remarks: [] }
  if (lines === rest)
    return { cents: rest, remarks: printed === null ? [] : [`${newCharges(printed)}; the lines and ${restInWords(figures)}.`] }
  if (printed !== null && printed !== 0 && printed === lines)
    return { cents: printed, remarks: [`The lines and the new charges are ${shown(printed)}, but ${restInWords(figures)}.`] }
  const unpaid = previous === null ? null : due - late - previous
  if (previous !== null && unpaid !== null && unpaid !== 0 && (unpaid === printed || unpaid === lines)) {
    const which = unpaid === printed ? 'new charges' : 'lines'
    return {
      cents: unpaid,
      remarks: [
        `The amount due is the previous balance of ${shown(previous)} and the ${which} of ${shown(unpaid)}: the previous balance counts as outstanding, although the statement says ${shown(due - late - rest)}.`,
        ...(printed === null || unpaid === printed ? [] : [`${newCharges(printed)}.`]),
      ],
    }
  }
  if (printed === null && lines === null) return { cents: rest, remarks: [] }
  const others = [
    ...(printed === null ? [] : [`new charges of ${shown(printed)}`]),
    ...(lines === null ? [] : [`lines of ${shown(lines)}`]),
  ]
  return { cents: rest, remarks: [`The statement prints ${others.join(' and ')}; ${restInWords(figures)}, which is taken.`] }
}

function newCharges(printed: Cents): string {
  return `The statement prints new charges of ${shown(printed)}`
}

function restInWords({ due, late, rest }: Figures): string {
  const balance = due - late - (rest ?? 0)
  return `the amount due less the outstanding balance of ${shown(balance)} is ${shown(rest ?? 0)}`
}

interface PrintedLines {
  readonly meters: readonly Meter[]
  readonly account_charges: readonly AccountCharge[]
}

interface CountedLines {
  readonly meters: Meter[]
  readonly account_charges: AccountCharge[]
  readonly remarks: readonly string[]
}

/**
 * Returns the lines without repeated amounts. A repetition is left out only if the lines exceed the current charges and come closer to them
 * without it: two meters may cost the same. If the meters alone add up to the current charges, the account's lines are not part of them: a
 * transfer between accounts, or the original that a correction reverses.
 */
function countedLines(statement: PricedStatement, current: Cents): CountedLines {
  const all = { meters: [...statement.meters], account_charges: [...statement.account_charges], remarks: [] }
  if (!hasAmounts(all) || linesSum(all) === current) return all
  const isNearer = (lines: PrintedLines): boolean => Math.abs(linesSum(lines) - current) < Math.abs(linesSum(all) - current)
  const metersAlone = { ...all, account_charges: [] }
  if (hasAmounts(metersAlone) && linesSum(metersAlone) === current) {
    const left = shown(sumCents(all.account_charges.map(({ amount }) => centsOf(amount))))
    return { ...metersAlone, remarks: [`The meters' lines are the current charges; the account's lines of ${left} are no part of them.`] }
  }
  const once = { ...all, ...accountLinesOnce(statement), ...metersOnce(all.meters) }
  if (!isNearer(once)) return all
  return { ...once, remarks: [`Lines of ${shown(linesSum(all) - linesSum(once))} repeat others of the statement and count once.`] }
}

/** Returns the account's lines without those that also appear under a meter, by name and amount. */
function accountLinesOnce({ account_charges, printed_lines }: PricedStatement): { account_charges: AccountCharge[] } {
  const ofMeters = printed_lines.filter((line) => line.commodity !== null).map(lineKey)
  return {
    account_charges: account_charges.filter((charge) => {
      const place = ofMeters.indexOf(lineKey(charge))
      if (place >= 0) ofMeters.splice(place, 1)
      return place < 0
    }),
  }
}

function lineKey({ name, amount }: { readonly name: string; readonly amount: string }): string {
  return `${name.trim().toLowerCase()}\n${amount}`
}

/** If a statement prints one meter's charges under several, the first keeps them, the others only their usage. */
function metersOnce(meters: readonly Meter[]): { meters: Meter[] } {
  const seen = new Set<string>()
  return {
    meters: meters.map((meter) => {
      const key = JSON.stringify([meter.commodity, meter.previous_read_date, meter.read_date, chargesOf(meter)])
      if (chargesOf(meter).every((amount) => centsOf(amount) === 0)) return meter
      if (seen.has(key)) return withoutCharges(meter)
      seen.add(key)
      return meter
    }),
  }
}

function hasAmounts(lines: PrintedLines): boolean {
  return amountsOf(lines).some((amount) => centsOf(amount) !== 0)
}

function linesSum(lines: PrintedLines): Cents {
  return centsOf(sumMoney(amountsOf(lines)))
}

function amountsOf({ meters, account_charges }: PrintedLines): string[] {
  return [...account_charges.map(({ amount }) => amount), ...meters.flatMap(chargesOf)]
}

function shown(cents: Cents): string {
  return formatMoney(wireOf(cents))
}
