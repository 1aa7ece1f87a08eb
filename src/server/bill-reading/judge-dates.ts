/** The dates of one bill judge each other: none is sure before another one fits it, and where two do not fit, the one that stands alone is wrong. */
import type { ReadField } from '#contract/bill-reading/bill-reading.ts'
import { daysBetween } from '#contract/kernel/date.ts'
import type { ChosenField } from './choose-values.ts'
import type { MeterValues } from './read-meters.ts'

/** Below what a form shows without asking for a second look. */
export const UNSURE = 0.7
/** What contradicts another value. */
const CONTRADICTED = 0.4

/** Usual days from one to the other. */
const usual = {
  period: { from: 5, until: 100 },
  /** A bill may be made a few days before its readings, where these are estimated. */
  billed: { from: -5, until: 75 },
  due: { from: 0, until: 75 },
  dueAfterReading: { from: 1, until: 120 },
} as const

interface Judged {
  readonly value: string
  fits: number
  fails: number
}

/** The bill's fields and the meters' dates as sure as the other dates let them be. Changes the meters' values in place. */
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
