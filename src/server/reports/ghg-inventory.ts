/**
 * The GHG inventory: what usage emits by scope, year, facility, utility service and factor. Its kilograms are those of the facts that dashboards
 * sum. What cannot be computed has a row with its reason and without tonnes.
 */
import { coverage } from '#contract/dashboard/metrics.ts'
import type { MonthWindow } from '#contract/dashboard/date-range.ts'
import { dividedBy, formatDecimal, isZero, plus, times } from '#contract/kernel/decimal.ts'
import { naturalOrder } from '#contract/kernel/natural-order.ts'
import { emissionsOf, inventoryNotes, scopeLabel, type InventoryNote } from '#contract/reports/ghg-inventory.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { monthsAsked } from './day-rows.ts'
import { readGaps, readMeterYears, readUsage, refuseUnprepared, type MeterYear, type Placed, type UsageRow } from './ghg-usage.ts'
import { rowsInParts } from './report-reading.ts'
import { withoutZeros } from './report-sums.ts'
import type { AskedReport, Cell, ReportTable } from './report-table.ts'

/** A row by the keys of the columns, with what it is sorted and summed by. */
interface InventoryRow {
  readonly at: Placed
  readonly cells: Readonly<Record<string, Cell>>
  readonly note: InventoryNote | null
}

export async function ghgInventory(tx: Tx, asked: AskedReport): Promise<ReportTable> {
  const window = monthsAsked(asked)
  const isBilled = asked.data.basis === 'billed'
  if (isBilled) await refuseUnprepared(tx, asked.clientId)
  const meters = await readMeterYears(tx, asked, window)
  const byPlace = new Map(meters.map((one) => [keyOf(one), one]))
  const usage = await readUsage(tx, asked, window)
  const gaps = await readGaps(tx, asked, window)
  const rows = [
    ...usage.map((one) => usageRow(one, byPlace.get(keyOf(one)))),
    ...gaps.map((gap) => listedRow(gap, gap.reason, { meters: String(gap.meters), usage: plain(gap.usage), unit: gap.unit })),
    ...meters.filter(({ unbilled }) => unbilled > 0).map((one) => listedRow(one, 'no bills', { meters: String(one.unbilled) })),
  ].toSorted(inOrder)
  return {
    columns: asked.columns,
    // As many as the facilities with their utility services, by the years.
    rows: rowsInParts(rows.map(({ cells }) => asked.columns.map(({ key }) => cells[key] ?? null))),
    control: null,
    remarks: () => [...remarksOn(window, isBilled), ...sumsByScope(rows), ...notCounted(rows)],
  }
}

const keyOf = ({ year, facility_id, utility_service_id }: Placed): string => `${year} ${facility_id} ${utility_service_id}`

function usageRow(row: UsageRow, meters: MeterYear | undefined): InventoryRow {
  const emissions = emissionsOf({
    scope: row.scope,
    inventoriable: row.inventoriable,
    usage: row.usage,
    factor: row.factor,
    isOwnFactor: row.is_own,
    kilograms: row.kg,
    supplierFactor: row.supplier_factor,
  })
  const share = meters === undefined ? null : coverage(meters.covered, meters.expected)
  const isPartial = meters !== undefined && meters.covered < meters.expected
  const note = emissions.note ?? (isPartial ? 'partial' : null)
  const hasFactor = row.is_own || !isZero(row.factor)
  return {
    at: row,
    note,
    cells: {
      ...placeCells(row),
      meters: String(row.meters),
      usage: plain(row.usage),
      unit: row.unit,
      factor: hasFactor ? plain(row.factor) : null,
      factor_source: hasFactor ? row.source : null,
      factor_year: hasFactor && row.factor_year !== null ? String(row.factor_year) : null,
      location_tonnes: plain(emissions.location),
      market_factor: emissions.isSupplied ? plain(row.supplier_factor) : null,
      market_source: emissions.isSupplied ? row.supplier_source : null,
      market_year: emissions.isSupplied ? String(row.year) : null,
      market_tonnes: plain(emissions.market),
      coverage: share === null ? null : dividedBy(times(share, '100'), '1', 2),
      note,
    },
  }
}

function listedRow(at: Placed, note: InventoryNote, cells: Readonly<Record<string, Cell>>): InventoryRow {
  return { at, note, cells: { ...placeCells(at), ...cells, note } }
}

function placeCells(at: Placed): Readonly<Record<string, Cell>> {
  return {
    scope: scopeLabel(at.scope),
    year: String(at.year),
    facility: at.facility ?? 'No facility',
    facility_number: at.facility_number,
    utility_service: at.utility_service ?? 'No utility service',
  }
}

function plain(value: string | null): Cell {
  return value === null ? null : withoutZeros(value)
}

/** After all scopes. */
const NO_SCOPE = 9

function inOrder(a: InventoryRow, b: InventoryRow): number {
  const { at } = a
  return (
    (at.scope ?? NO_SCOPE) - (b.at.scope ?? NO_SCOPE) ||
    at.year - b.at.year ||
    naturalOrder(textOf(a), textOf(b)) ||
    (at.facility_id ?? 0) - (b.at.facility_id ?? 0)
  )
}

function textOf({ cells }: InventoryRow): string {
  return ['facility', 'utility_service', 'note', 'factor_source', 'factor'].map((key) => cells[key] ?? '').join('\t')
}

function remarksOn(window: MonthWindow, isBilled: boolean): string[] {
  const { first_month, last_month } = window
  const isWhole = first_month.endsWith('-01') && last_month.endsWith('-12')
  return [
    `Months ${first_month} to ${last_month}, whole ones${isWhole ? '' : ', which are not whole calendar years'}.`,
    isBilled
      ? 'A bill counts whole in its fiscal month, else in the month of its date. Coverage is of the days of the months.'
      : 'Usage is spread over the days of the bills.',
    'Market-based tonnes are by the factor of the supplier, and are the location-based ones where there is none.',
  ]
}

/** Tonnes are shown to the kilogram. */
const TONNES_SCALE = 3

function sumsByScope(rows: readonly InventoryRow[]): string[] {
  const counted = rows.filter(({ cells }) => cells['location_tonnes'] !== null || cells['market_tonnes'] !== null)
  return [...Map.groupBy(counted, ({ at }) => at.scope)].map(([scope, some]) => {
    const sum = (key: string): string =>
      formatDecimal(
        some.reduce((total, { cells }) => plus(total, cells[key] ?? '0'), '0'),
        TONNES_SCALE,
      )
    return `${scopeLabel(scope)}: ${sum('location_tonnes')} t CO2e location-based, ${sum('market_tonnes')} market-based.`
  })
}

/** Says how many rows are there for their reason alone. */
function notCounted(rows: readonly InventoryRow[]): string[] {
  const by = Map.groupBy(rows, ({ note }) => note)
  const counts = inventoryNotes.flatMap((note) => {
    const count = by.get(note)?.length ?? 0
    return count === 0 || note === 'partial' ? [] : [`${count} ${note}`]
  })
  const partial = by.get('partial')?.length ?? 0
  return [
    ...(counts.length === 0 ? [] : [`Rows that are listed and not counted: ${counts.join(', ')}.`]),
    ...(partial === 0
      ? []
      : [`${partial} ${partial === 1 ? 'row counts' : 'rows count'} what is billed, which is not every day: partial.`]),
  ]
}
