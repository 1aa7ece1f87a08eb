/** The meters of a bill, from a table or from blocks of labels, each value with its place. */
import type { ReadField, ReadMeterField } from '#contract/bill-reading/bill-reading.ts'
import { entriesOf, meterBlocks, type BlockEntry } from './meter-blocks.ts'
import { tableRows, type LearnedColumn } from './meter-table.ts'
import type { TableRow } from './meter-rows.ts'
import type { MeterColumn } from './meter-words.ts'
import { placeOf, textOf, type Sheet, type Token } from './page-lines.ts'
import { allPrinted, firstPrinted, unitOf } from './printed-values.ts'
import type { Printed } from './printed-dates.ts'

export type MeterValue = ReadField<ReadMeterField> & { readonly phrase: string }
export type MeterValues = Map<ReadMeterField, MeterValue>

const TABLE = 0.85
const BLOCK = 0.8

export function readMeters(sheets: readonly Sheet[], learned: LearnedColumn): MeterValues[] {
  const tables = Map.groupBy(tableRows(sheets, learned), (row) => row.headings)
  const fromTable = distinct([...tables.values()].map((rows) => rows.map((row) => metersOfRow(row, learned)).filter(isMeter)))
  const fromBlocks = distinct(meterBlocks(sheets, learned).map((block) => [metersOfBlock(block)].filter(isMeter)))
  const [more, fewer] = weight(fromTable) >= weight(fromBlocks) ? [fromTable, fromBlocks] : [fromBlocks, fromTable]
  // One meter in a table whose number is in a line beside it.
  const [one, other] = [more[0], fewer[0]]
  if (more.length === 1 && fewer.length === 1 && one !== undefined && other !== undefined && !contradicts(one, other))
    for (const [field, value] of other) if (!one.has(field)) one.set(field, value)
  return more
}

const contradicts = (one: MeterValues, other: MeterValues): boolean =>
  (['meter_number', 'usage', 'meter_reading'] as const).some((field) => {
    const [first, second] = [one.get(field)?.value, other.get(field)?.value]
    return first !== undefined && second !== undefined && first !== second
  })

/** The method that found more values matches the layout of the bill. */
const weight = (meters: readonly MeterValues[]): number => meters.reduce((sum, meter) => sum + meter.size, 0)

/** Returns true if something was metered, or a meter has dates. */
function isMeter(values: MeterValues): boolean {
  const has = (field: ReadMeterField): boolean => values.has(field)
  return (
    ((has('usage') || has('meter_reading') || has('previous_reading')) && values.size >= 2) || (has('meter_number') && has('read_date'))
  )
}

/**
 * A meter that is printed again in another table counts once. Within one table each row counts, as for water and sewer by the same meter.
 */
function distinct(tables: readonly (readonly MeterValues[])[]): MeterValues[] {
  const kept: MeterValues[] = []
  for (const table of tables) {
    const earlier = [...kept]
    for (const meter of table) {
      const same = earlier.find((one) => isSame(one, meter))
      if (same === undefined) kept.push(meter)
      else for (const [field, value] of meter) if (!same.has(field)) same.set(field, value)
    }
  }
  return kept
}

function isSame(a: MeterValues, b: MeterValues): boolean {
  const [first, second] = [a.get('meter_number')?.value, b.get('meter_number')?.value]
  return first === second && (first !== undefined || a.get('usage')?.value === b.get('usage')?.value) && !differs(a, b)
}

const differs = (a: MeterValues, b: MeterValues): boolean => {
  const [first, second] = [a.get('read_date')?.value, b.get('read_date')?.value]
  return first !== undefined && second !== undefined && first !== second
}

function metersOfRow(row: TableRow, learned: LearnedColumn): MeterValues {
  const values: MeterValues = new Map()
  for (const [column, tokens] of row.cells) {
    const heading = row.headings.find((one) => one.column === column)
    const isCounted = values.has('usage')
    take(values, { column, tokens, sheet: row.sheet, phrase: heading?.phrase ?? '', trust: TABLE })
    if (!isCounted && values.has('usage'))
      takeUnit(values, [...tokens.slice(-1).map((token) => token.text), ...(heading?.text.split(' ') ?? [])], tokens, row.sheet)
  }
  for (const note of row.notes) for (const entry of entriesOf(row.sheet, note, learned)) take(values, { ...entry, trust: BLOCK })
  return values
}

function metersOfBlock(block: readonly BlockEntry[]): MeterValues {
  const values: MeterValues = new Map()
  for (const entry of block) {
    const isCounted = values.has('usage')
    take(values, { ...entry, trust: BLOCK })
    // Words without a figure name the usage too, and a unit among them belongs to another meter.
    if (!isCounted && values.has('usage')) {
      takeUnit(values, [...entry.tokens.slice(0, 3).map((token) => token.text), ...entry.phrase.split(' ')], entry.tokens, entry.sheet)
    }
  }
  return values
}

interface Source {
  readonly column: MeterColumn
  readonly tokens: readonly Token[]
  readonly sheet: Sheet
  readonly phrase: string
  readonly trust: number
}

/** Sets the fields of a column, each from the words of its kind; a reading's words may hold its date and the mark of an estimate. */
function take(values: MeterValues, source: Source): void {
  const { column, tokens } = source
  const put = (field: ReadMeterField, printed: Printed | null, value = printed?.value): void => {
    if (printed === null || value === undefined || values.has(field)) return
    values.set(field, valueOf(field, value, printed.tokens, source))
  }
  if (column === 'meter_number') put('meter_number', firstPrinted('identifier', tokens))
  if (column === 'multiplier') put('multiplier', firstPrinted('factor', tokens))
  if (column === 'charges' || column === 'delivery') put('utility_charges', allPrinted('money', tokens).at(-1) ?? null)
  if (column === 'supply') put('supply_charges', allPrinted('money', tokens).at(-1) ?? null)
  if (column === 'usage') put('usage', positive(allPrinted('number', withoutDates(tokens))))
  if (column === 'period' || column === 'previous_read_date' || column === 'read_date') {
    // 'Read Dates: 05/16 - 06/16' names both dates, whatever the label says: its first date is not that of the present reading.
    const period = allPrinted('period', tokens)[0] ?? null
    put('previous_read_date', period)
    put('read_date', period, period?.until)
    if (column !== 'period' && period === null) put(column, firstPrinted('date', tokens))
  }
  if (column === 'previous_reading' || column === 'meter_reading') {
    put(column, positive(allPrinted('number', withoutDates(tokens))))
    put(column === 'meter_reading' ? 'read_date' : 'previous_read_date', allPrinted('date', tokens)[0] ?? null)
  }
  if (column === 'estimated' || column === 'meter_reading' || column === 'usage') takeEstimate(values, source)
}

/** A reading that is printed as a subtrahend has a minus sign. */
function positive(found: readonly Printed[]): Printed | null {
  const [first] = found
  return first === undefined ? null : { ...first, value: first.value.replace(/^-/, '') }
}

function withoutDates(tokens: readonly Token[]): readonly Token[] {
  const inDates = new Set(allPrinted('date', tokens).flatMap((date) => date.tokens))
  return tokens.filter((token) => !inDates.has(token))
}

function valueOf(
  field: ReadMeterField,
  value: string,
  tokens: readonly Token[],
  source: Pick<Source, 'phrase' | 'sheet' | 'trust'>,
): MeterValue {
  const trust = Math.min(1, ...tokens.map((token) => token.confidence))
  return {
    field,
    value,
    printed: textOf(tokens),
    confidence: source.trust * (0.6 + 0.4 * trust),
    place: placeOf(tokens, source.sheet),
    phrase: source.phrase,
  }
}

function takeUnit(values: MeterValues, texts: readonly string[], tokens: readonly Token[], sheet: Sheet): void {
  const unit = texts
    .map((text) => unitOf(/^[\d,.]+[A-Za-z]+$/.test(text) ? text.replace(/[\d,.]/g, '') : text))
    .find((symbol) => symbol !== null)
  if (unit === undefined || unit === null || values.has('unit')) return
  values.set('unit', valueOf('unit', unit, tokens, { phrase: '', sheet, trust: BLOCK }))
}

function takeEstimate(values: MeterValues, source: Source): void {
  const mark = source.tokens.find(
    (token) => /^\(?(e|est|estimated?|estimate|a|act|actual)\.?\)?$/i.test(token.text) || /^\d+e$/i.test(token.text),
  )
  if (mark === undefined) return
  const isEstimated = /e/i.test(mark.text.replace(/[^a-z]/gi, '').charAt(0))
  values.set('estimated', valueOf('estimated', String(isEstimated), [mark], source))
}
