/** The lines of a statement whose amounts count once. */
import { centsOf, formatMoney, sumCents, sumMoney, wireOf, type Cents } from '../kernel/money.ts'
import type { AccountCharge, Meter, Statement } from './statement.ts'
import { chargesOf, withoutCharges } from './retrieved-lines.ts'

/** A statement that prints amounts. */
export interface PricedStatement extends Statement {
  readonly amount_due: string
  readonly current_charges: string
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
export function countedLines(statement: PricedStatement, current: Cents): CountedLines {
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

export function hasAmounts(lines: PrintedLines): boolean {
  return amountsOf(lines).some((amount) => centsOf(amount) !== 0)
}

export function linesSum(lines: PrintedLines): Cents {
  return centsOf(sumMoney(amountsOf(lines)))
}

function amountsOf({ meters, account_charges }: PrintedLines): string[] {
  return [...account_charges.map(({ amount }) => amount), ...meters.flatMap(chargesOf)]
}

export function shown(cents: Cents): string {
  return formatMoney(wireOf(cents))
}
