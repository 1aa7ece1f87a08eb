/**
 * Which line of a bank statement is which payment. A line is matched where the bank names the check or the reference and the amount is the
 * same to the cent, or where a payment file of that amount settles on that very day and nothing else could be meant. What only looks alike is
 * proposed with its reason, and never matched by itself.
 */
import { daysBetween, formatDate } from '../kernel/date.ts'
import { formatMoney, wireOf, type Cents } from '../kernel/money.ts'
import type { Clearable } from './clearable.ts'
import type { ReadLine } from './read-statement.ts'

/** Days between a line and what it may be, if only the amount is the same. */
export const nearDaysMax = 5

export type MatchingLine = Pick<ReadLine, 'day' | 'amount' | 'check_number' | 'reference' | 'description'>

export interface LineVerdict {
  readonly state: 'matched' | 'near' | 'unknown' | 'ignored'
  /** The payment, batch or file that the line matches, or may match. */
  readonly clearable: Clearable | null
  readonly reason: string
}

export interface MatchGround {
  readonly clearables: readonly Clearable[]
  /** Why a check of the account cannot clear any more, by its number. */
  readonly spent: ReadonlyMap<string, string>
}

/** @returns a verdict for each line, in their order. No two verdicts hold the same payment. */
export function matchLines(lines: readonly MatchingLine[], { clearables, spent }: MatchGround): LineVerdict[] {
  const verdicts: (LineVerdict | undefined)[] = lines.map(() => undefined)
  const used = new Set<number>()
  const give = (at: number, verdict: LineVerdict): void => {
    verdicts[at] = verdict
    for (const id of sidesOf(verdict.clearable)) used.add(id)
  }
  const free = (one: Clearable): boolean => !sidesOf(one).some((id) => used.has(id))
  const byAmount = Map.groupBy(clearables, ({ amount }) => amount)
  for (const judge of [noMoney, byCheck(clearables, spent), byReference(clearables), byFile(lines, byAmount), nearest(byAmount)])
    lines.forEach((line, at) => {
      const verdict = verdicts[at] === undefined ? judge(line, free) : null
      if (verdict !== null) give(at, verdict)
    })
  return verdicts.flatMap((verdict) => verdict ?? [])
}

/** An entry leaves once and comes back once: the two are told apart by the sign. */
const sidesOf = (one: Clearable | null): number[] => (one === null ? [] : one.entries.map(({ id }) => (one.kind === 'return' ? -id : id)))

type ByAmount = ReadonlyMap<Cents, readonly Clearable[]>
type Judge = (line: MatchingLine, free: (one: Clearable) => boolean) => LineVerdict | null
const unknown = (reason: string): LineVerdict => ({ state: 'unknown', clearable: null, reason })

function noMoney({ amount }: MatchingLine): LineVerdict | null {
  return amount === 0 ? { state: 'ignored', clearable: null, reason: 'No money moves' } : null
}

/** A line that names a check is that check or none. */
function byCheck(clearables: readonly Clearable[], spent: MatchGround['spent']): Judge {
  const checks = new Map(clearables.flatMap((one) => (one.kind === 'check' && one.check_number !== null ? [[one.check_number, one]] : [])))
  return ({ check_number: number, amount }, free) => {
    if (number === null || amount > 0) return null
    const check = checks.get(number)
    if (check === undefined) return spent.has(number) ? unknown(spent.get(number) ?? '') : null
    if (!free(check)) return unknown(`Check ${number} is in this statement twice.`)
    if (check.amount !== amount) return unknown(`The bank paid ${said(amount)}, and check ${number} is ${said(check.amount)}.`)
    return { state: 'matched', clearable: check, reason: 'Same check number and amount' }
  }
}

/** Characters of a reference that is looked for in the words of a line. */
const referenceMin = 4

function byReference(clearables: readonly Clearable[]): Judge {
  const byWord = Map.groupBy(
    clearables.flatMap((clearable) => clearable.references.map((reference) => ({ word: reference.toUpperCase(), clearable }))),
    ({ word }) => word,
  )
  return ({ amount, reference, description }, free) => {
    const words = new Set(`${reference} ${description}`.toUpperCase().split(/[^A-Z0-9-]+/))
    const named = [...words].filter((word) => word.length >= referenceMin).flatMap((word) => byWord.get(word) ?? [])
    const sameWay = named.map(({ clearable }) => clearable).filter((one) => Math.sign(one.amount) === Math.sign(amount))
    const found = sameWay.filter((one) => one.amount === amount && free(one))
    const [first] = found
    if (first && found.every(({ key }) => key === first.key))
      return { state: 'matched', clearable: first, reason: 'Same reference and amount' }
    const [other] = sameWay
    if (first || !other) return null
    return unknown(`The bank has ${said(amount)}, and ${other.name} is ${said(other.amount)}.`)
  }
}

/** The bank posts a file or a batch as one sum. Only the sum and the day tell, so nothing else may have this amount. */
function byFile(lines: readonly MatchingLine[], byAmount: ByAmount): Judge {
  const linesOf = Map.groupBy(lines, ({ amount }) => amount)
  return ({ day, amount, check_number }, free) => {
    if (check_number !== null) return null
    const alike = (byAmount.get(amount) ?? []).filter((one) => free(one) && Math.abs(daysBetween(one.day, day)) <= nearDaysMax)
    const [only] = alike
    if (alike.length !== 1 || !only || !(only.kind === 'file' || only.kind === 'batch') || only.day !== day) return null
    if ((linesOf.get(amount) ?? []).length > 1) return null
    return { state: 'matched', clearable: only, reason: 'Same amount on the day on which the file settles' }
  }
}

/** Proposes the nearest in days. A check with another number is never proposed. */
function nearest(byAmount: ByAmount): Judge {
  return ({ day, amount, check_number: number }, free) => {
    const days = (one: Clearable): number => Math.abs(daysBetween(one.day, day))
    const alike = (byAmount.get(amount) ?? [])
      .filter((one) => days(one) <= nearDaysMax && free(one) && (number === null || one.check_number === null))
      .toSorted((a, b) => days(a) - days(b) || compared(a.day, b.day) || compared(a.key, b.key))
    const [first] = alike
    if (first)
      return {
        state: 'near',
        clearable: first,
        reason: `Same amount, ${apart(daysBetween(first.day, day))}.${othersWords(alike.length - 1)}`,
      }
    if (number !== null) return unknown(`No check ${number} of this account is outstanding.`)
    return unknown(`Nothing outstanding has this amount within ${nearDaysMax} days.`)
  }
}

const compared = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const othersWords = (others: number): string =>
  others === 0 ? '' : ` ${others === 1 ? 'Another one has' : `${others.toLocaleString('en-US')} others have`} this amount too.`

function apart(days: number): string {
  if (days === 0) return 'on the same day'
  const many = Math.abs(days) === 1 ? '1 day' : `${Math.abs(days)} days`
  return `${many} ${days > 0 ? 'later' : 'earlier'} than ours`
}

const said = (cents: Cents): string => formatMoney(wireOf(Math.abs(cents)))

/** The reason for which a check that was cleared or taken back cannot clear again. */
export function spentWords(
  number: string,
  { cleared_on, reversed_on }: { readonly cleared_on: string | null; readonly reversed_on: string | null },
): string {
  if (cleared_on !== null) return `Check ${number} was paid by the bank on ${formatDate(cleared_on)} already.`
  return `Check ${number} was taken back on ${formatDate(reversed_on)}, and the bank paid it.`
}
