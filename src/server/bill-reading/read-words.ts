/**
 * Turns the words of a document into the values of the bill, without any knowledge of the client: by labels, tables, and sums that must add
 * up.
 */
import type { BillReading, DocumentWords, ReadField, ReadMeterField } from '#contract/bill-reading/bill-reading.ts'
import { billStarts } from './bill-starts.ts'
import { chooseValues, type ChosenField } from './choose-values.ts'
import { withYears } from './days-without-year.ts'
import { judgeDates } from './judge-dates.ts'
import { judgeLetters } from './judge-letters.ts'
import { judgeMeters } from './judge-meters.ts'
import { applyLearned, type LearnedMeterRule } from './learned-meters.ts'
import type { LearnedColumn } from './meter-table.ts'
import { sheetsOf, type Sheet } from './page-lines.ts'
import { nothingKnown, readHeads, type LearnedLabels } from './read-heads.ts'
import { readMeters, type MeterValue, type MeterValues } from './read-meters.ts'
import { addServiceCharges } from './service-totals.ts'
import { addPeriod } from './period-on-page.ts'
import { addSupplyCharges } from './supply-charges.ts'
import { solvedRows } from './solve-rows.ts'
import { withSolved } from './solved-meters.ts'
import { addUnits } from './units-on-page.ts'

/** Learned rules of the layout at hand. */
export interface Learned extends LearnedLabels {
  readonly column: LearnedColumn
  readonly meters: readonly LearnedMeterRule[]
  /** Returns true if a bill showed that these words do not name a supply in this layout, though they do elsewhere. */
  isNoSupply(phrase: string): boolean
}

export const nothingLearned: Learned = { ...nothingKnown, column: () => null, meters: [], isNoSupply: () => false }

/** A reading before its account and its vendor are known. */
export interface DraftReading {
  readonly sheets: readonly Sheet[]
  readonly fields: readonly ChosenField[]
  readonly meters: readonly MeterValues[]
  readonly bills_begin_at: readonly number[]
}

/** @param vendorNames names that the document prints, so that a stack is divided where another vendor begins */
export function readWords(words: DocumentWords, learned: Learned = nothingLearned, vendorNames: readonly string[] = []): DraftReading {
  const all = sheetsOf(words)
  const starts = billStarts(all, vendorNames)
  // Only the first bill is read; the others are read when the document is split.
  const { sheets, fields } = headsOf(
    all.filter((sheet) => sheet.page < (starts[1] ?? Infinity)),
    learned,
  )
  const meters = withSolved(readMeters(sheets, learned.column), solvedRows(sheets))
  applyLearned(meters, sheets, learned.meters)
  addUnits(meters, sheets)
  addPeriod(meters, sheets)
  const currentCharges = fields.find((field) => field.field === 'current_charges')?.value ?? null
  addSupplyCharges(meters, sheets, { currentCharges, isNoSupply: learned.isNoSupply })
  addServiceCharges(meters, sheets, currentCharges)
  judgeMeters(meters, fields, sheets)
  return { sheets, fields: judgeLetters(judgeDates(fields, meters), sheets), meters, bills_begin_at: starts }
}

/** The bill's own date gives the year of dates that are printed without one. */
function headsOf(printed: readonly Sheet[], learned: Learned): Pick<DraftReading, 'sheets' | 'fields'> {
  const fields = chooseValues(readHeads(printed, learned))
  const date = fields.find((field) => field.field === 'date')?.value
  if (date === undefined) return { sheets: printed, fields }
  const sheets = withYears(printed, date)
  const isWhole = fields.some((field) => field.field === 'due_date')
  return { sheets, fields: isWhole ? fields : chooseValues(readHeads(sheets, learned)) }
}

export function pagesOf(words: DocumentWords): BillReading['pages'] {
  return words.pages.map(({ page, width, height, source }) => ({ page, width, height, source }))
}

export function withoutPhrase({ field, value, printed, confidence, place }: MeterValue): ReadField<ReadMeterField> {
  return { field, value, printed, confidence: Math.round(confidence * 100) / 100, place }
}
