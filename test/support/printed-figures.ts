/**
 * The charges of the real statements, computed from their raw JSON with bigint arithmetic: it shares no code with the mapping that it
 * checks.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { realFolder } from './real-statements.ts'

const charge = z.object({ amount: z.string() })
const printed = z.object({
  statement_id: z.string(),
  utility: z.string(),
  statement_date: z.string().nullable(),
  interval_end: z.string(),
  kind: z.enum(['bill', 'adjustment']),
  previous_balance: z.string().nullable(),
  outstanding_balance: z.string().nullable(),
  new_charges: z.string().nullable(),
  amount_due: z.string().nullable(),
  charges: z.array(charge),
  meters: z.array(z.object({ charges: z.array(charge) })),
})
export type PrintedStatement = z.infer<typeof printed>

/** Yields every statement of every file of a folder, as it is printed. */
export function* printedStatements(folder = realFolder): Generator<PrintedStatement> {
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.ndjson')))
    for (const line of readFileSync(join(folder, name), 'utf8').split('\n')) if (line.trim() !== '') yield printed.parse(JSON.parse(line))
}

/** Basis of the current charges: two figures that agree, or the chosen one if none do. */
export type Basis = 'all agree' | 'lines and rest' | 'new charges and rest' | 'new charges and lines' | 'previous balance' | 'rest alone'

export interface Expected {
  readonly current: bigint
  readonly due: bigint
  readonly balance: bigint
  readonly basis: Basis
  /** The sum of all printed lines. */
  readonly lines: bigint
}

/** Returns null for a statement that prints no amounts. */
export function expectedOf(one: PrintedStatement): Expected | null {
  if (one.amount_due === null || one.new_charges === null) return null
  const due = cents(one.amount_due)
  const stated = cents(one.new_charges)
  const rest = due - cents(one.outstanding_balance ?? '0.00')
  const lines = [...one.charges, ...one.meters.flatMap((meter) => meter.charges)].reduce((sum, line) => sum + cents(line.amount), 0n)
  const before = cents(one.previous_balance ?? '0.00')
  const is = (current: bigint, basis: Basis): Expected => ({ current, due, balance: due - current, basis, lines })
  if (stated === rest) return is(rest, lines === rest ? 'all agree' : 'new charges and rest')
  if (lines === rest && hasLines(one)) return is(rest, 'lines and rest')
  if (stated === lines && stated !== 0n) return is(stated, 'new charges and lines')
  const unpaid = due - before
  const says = (stated === unpaid && stated !== 0n) || (lines === unpaid && lines !== 0n)
  return one.kind === 'bill' && says ? is(unpaid, 'previous balance') : is(rest, 'rest alone')
}

function hasLines(one: PrintedStatement): boolean {
  return [...one.charges, ...one.meters.flatMap((meter) => meter.charges)].some((line) => cents(line.amount) !== 0n)
}

export function cents(wire: string): bigint {
  return BigInt(wire.replace('.', ''))
}

/** Formats cents as dollars with thousands separators, for the tables that tests print. */
export function dollars(amount: bigint): string {
  const sign = amount < 0n ? '-' : ''
  const digits = (amount < 0n ? -amount : amount).toString().padStart(3, '0')
  return `${sign}${digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',')}.${digits.slice(-2)}`
}
