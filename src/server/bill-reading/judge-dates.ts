/**
 * Checks the dates of one bill against each other: a date is certain only if another one fits it, and of dates that do not fit, the
 * isolated one is wrong.
 */
import type { ReadField } from '#contract/bill-reading/bill-reading.ts'
import { daysBetween } from '#contract/kernel/date.ts'
import type { ChosenField } from './choose-values.ts'
import type { MeterValues } from './read-meters.ts'

/** Below the confidence that a form shows without asking for a check. */
export const UNSURE = 0.7
/** Confidence of a value that contradicts another. */
const CONTRADICTED = 0.4

/** Usual number of days from one date to the other. */
const usual = {
  period: { from: 5, until: 100 },
  /** A bill may be issued a few days before its readings, if these are estimated. */
  billed: { from: -5, until: 75 },
  due: { from: 0, until: 75 },
  dueAfterReading: { from: 1, until: 120 },
} as const

interface Judged {
  readonly value: string
  fits: number
  fails: number
}

/** Returns the bill's fields with a confidence that the other dates support. Changes the meters' values in place. */
export function judgeDates(fields: readonly ChosenField[], meters: readonly MeterValues[]): ChosenField[] {
  const judged = new Map<ReadField, Judged>()
  const take = (field: ReadField | undefined): Judged | undefined => {
    if (field === undefined) return undefined
    const one = { value: field.value, fits: 0, fails: 0 }
    judged.set(field, one)
    return one
  }
  const billed = take(fields.find(({ field }) => field === 'date'))
  const due = take(fields.find(({ field }) => field === 'due_date'))
  relate(billed, due, usual.due)
  for (const meter of meters) {
    const [from, until] = [take(meter.get('previous_read_date')), take(meter.get('read_date'))]
    relate(from, until, usual.period)
    relate(until, billed, usual.billed)
    relate(until, due, usual.dueAfterReading)
  }
  for (const meter of meters)
    for (const field of ['previous_read_date', 'read_date'] as const) {
      const value = meter.get(field)
      if (value !== undefined) meter.set(field, { ...value, confidence: confidenceOf(value, judged.get(value)) })
    }
  return fields.map((field) => ({ ...field, confidence: confidenceOf(field, judged.get(field)) }))
}

function relate(earlier: Judged | undefined, later: Judged | undefined, { from, until }: { from: number; until: number }): void {
  if (earlier === undefined || later === undefined) return
  const days = daysBetween(earlier.value, later.value)
  const isFit = days >= from && days <= until
  for (const one of [earlier, later]) {
    one.fits += isFit ? 1 : 0
    one.fails += isFit ? 0 : 1
  }
}

function confidenceOf({ confidence }: ReadField, judged: Judged | undefined): number {
  if (judged === undefined) return confidence
  if (judged.fails > judged.fits) return Math.min(confidence, CONTRADICTED)
  return judged.fails > 0 || judged.fits === 0 ? Math.min(confidence, UNSURE) : confidence
}
