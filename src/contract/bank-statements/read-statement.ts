/** A statement as any reader returns it, and the rule that every statement keeps: it adds up. */
import type { CalendarDate } from '../kernel/date.ts'
import { formatMoney, sumCents, wireOf, type Cents } from '../kernel/money.ts'

/** A file has at most so many characters, and its statements have together at most so many lines. */
export const statementFileMax = 1_000_000
export const statementLinesMax = 10_000
/** A field of a line is cut to so many characters. */
export const statementTextMax = 500
/**
 * An amount has at most so many digits, in cents. The longest file has room for fewer than 80,000 amounts of that length, so the sum of all its
 * amounts is below the largest safe integer, and no cent is lost.
 */
export const amountDigitsMax = 11
export const faultsMax = 20

export interface ReadLine {
  /** The line of the file, from 1. */
  readonly line: number
  readonly day: CalendarDate
  /** It is negative where money has left the account. */
  readonly amount: Cents
  /** The bank's type of the line: the type code of BAI2, or the text of the column. */
  readonly code: string
  readonly description: string
  /** Without leading zeros. */
  readonly check_number: string | null
  /** Every reference that the bank gives, separated by spaces. */
  readonly reference: string
}

/** One account from one day to another. */
export interface ReadStatement {
  /** The account number as the file names it; null if it names none. */
  readonly account: string | null
  readonly from_day: CalendarDate
  readonly to_day: CalendarDate
  readonly opening: Cents
  readonly closing: Cents
  readonly lines: readonly ReadLine[]
}

export type ReadAnswer =
  | { readonly statements: readonly ReadStatement[]; readonly faults: readonly [] }
  | { readonly statements?: undefined; readonly faults: readonly string[] }

export type StatementFormat = 'bai2' | 'csv'

/** A file of BAI2 begins with the record 01; anything else is read as CSV. */
export function formatOfFile(text: string): StatementFormat {
  return /^\uFEFF?\s*01,/.test(text) ? 'bai2' : 'csv'
}

/** Returns why a statement cannot be true: its opening balance and its lines must come to its closing balance. Null if they do. */
export function sumFault({ opening, closing, lines }: Pick<ReadStatement, 'opening' | 'closing' | 'lines'>): string | null {
  const moved = sumCents(lines.map(({ amount }) => amount))
  const off = closing - opening - moved
  if (off === 0) return null
  const said = (cents: Cents): string => formatMoney(wireOf(cents))
  return `It opens with ${said(opening)}, its lines come to ${said(moved)}, and it closes with ${said(closing)}: that is ${said(Math.abs(off))} too ${off > 0 ? 'much' : 'little'}.`
}

/** Returns the text in one line, cut to what is stored. */
export function plainText(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, statementTextMax)
}
