/**
 * The bills for the meters of ENERGY STAR Portfolio Manager, and the check of what is left out of them and what it would question. Both are made
 * of the same periods.
 */
import { formatDate } from '#contract/kernel/date.ts'
import { meterTypeOf } from '#contract/reports/portfolio-manager.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { refuseUnprepared } from './ghg-usage.ts'
import { datesAsked, periodsOf, unknownMeters, type Period, type UnknownMeter } from './portfolio-manager-lines.ts'
import { withoutZeros } from './report-sums.ts'
import type { AskedReport, Cell, ReportRow, ReportTable } from './report-table.ts'

/** Most meters or bills that a remark names; the check report has all of them. */
const NAMED_MAX = 10

export async function portfolioManagerBills(tx: Tx, asked: AskedReport): Promise<ReportTable> {
  await refuseUnprepared(tx, asked.clientId)
  const unknown = await unknownMeters(tx, asked)
  const found = { gap: nameList(), overlap: nameList(), left: nameList(), property: nameList() }
  const properties = new Set<string>()
  const unnamed = nameList()
  for (const meter of unknown) unnamed.add(meterName(meter))
  const note = (period: Period): void => {
    const { line, refusal, follows } = period
    if (refusal !== null) found.left.add(`${nameOf(period)} (${refusal})`)
    if (follows !== null) found[follows].add(followsText(period))
    if (line.property_id === null && !properties.has(line.meter_id)) found.property.add(line.meter_id)
    properties.add(line.meter_id)
  }
  async function* rows(): AsyncGenerator<ReportRow[]> {
    for await (const some of periodsOf(tx, asked)) {
      for (const period of some) note(period)
      yield some.filter(({ refusal }) => refusal === null).map((period) => rowFor(asked, billCells(period)))
    }
  }
  return {
    columns: asked.columns,
    rows: rows(),
    control: null,
    remarks: () => [
      datesText(asked),
      ...unnamed.sentence('Nothing is written for meters without a Portfolio Manager Meter ID'),
      ...found.left.sentence('Bills that are not written'),
      ...found.overlap.sentence('Bills that overlap the one before'),
      ...found.gap.sentence('Bills after a gap'),
      ...found.property.sentence('Meters of facilities without a Portfolio Manager Property ID'),
    ],
  }
}

export async function portfolioManagerCheck(tx: Tx, asked: AskedReport): Promise<ReportTable> {
  await refuseUnprepared(tx, asked.clientId)
  const unknown = await unknownMeters(tx, asked)
  const seen = new Set<string>()
  async function* rows(): AsyncGenerator<ReportRow[]> {
    yield unknown.map((meter) => rowFor(asked, { problem: 'No meter ID', ...meter, written: 'No' }))
    for await (const some of periodsOf(tx, asked))
      yield some.flatMap((period) => problemsOf(period, seen).map((problem) => rowFor(asked, checkCells(period, problem))))
  }
  return { columns: asked.columns, rows: rows(), control: null, remarks: () => [datesText(asked)] }
}

const followsWords = { gap: 'Gap', overlap: 'Overlap' } as const

/** A facility without a property ID is named once for each of its meters. */
function problemsOf({ line, refusal, follows }: Period, seen: Set<string>): string[] {
  const isNew = !seen.has(line.meter_id)
  seen.add(line.meter_id)
  return [
    ...(isNew && line.property_id === null ? ['No property ID'] : []),
    ...(refusal === null ? [] : [refusal]),
    ...(follows === null ? [] : [followsWords[follows]]),
  ]
}

function rowFor({ columns }: AskedReport, cells: Readonly<Record<string, Cell>>): ReportRow {
  return columns.map(({ key }) => cells[key] ?? null)
}

function billCells({ line, delivered, usage, units, cost, estimated }: Period): Readonly<Record<string, Cell>> {
  return {
    property_id: line.property_id,
    property_name: line.facility,
    meter_id: line.meter_id,
    meter_name: line.meter,
    meter_type: meterTypeOf(line.code)?.type ?? null,
    start_date: delivered === null ? line.start : null,
    end_date: delivered === null ? line.end : null,
    delivery_date: delivered,
    usage: usage === null ? null : withoutZeros(usage),
    units,
    cost,
    estimated: estimated ? 'Yes' : 'No',
  }
}

function checkCells({ line, refusal }: Period, problem: string): Readonly<Record<string, Cell>> {
  return {
    problem,
    facility: line.facility,
    utility_service: line.utility_service,
    meter: line.meter,
    meter_id: line.meter_id,
    bill_id: String(line.bill_id),
    start_date: line.start,
    end_date: line.end,
    written: refusal === null ? 'Yes' : 'No',
  }
}

function meterName({ meter, facility, utility_service }: UnknownMeter): string {
  return `${meter} (${utility_service}, ${facility ?? 'no facility'})`
}

function nameOf({ line }: Period): string {
  return `bill ${line.bill_id} of meter ${line.meter_id}`
}

function followsText(period: Period): string {
  const { line, previous } = period
  return `${nameOf(period)} from ${formatDate(line.start)}, where bill ${previous?.bill_id ?? ''} ends on ${formatDate(previous?.end)}`
}

function datesText(asked: AskedReport): string {
  const { from, to } = datesAsked(asked)
  return `Bills dated ${from === null ? '' : `from ${formatDate(from)} `}${to === null ? '' : `to ${formatDate(to)}`}`.trim() + '.'
}

interface NameList {
  readonly add: (name: string) => void
  /** One sentence about them: how many they are, and the first by name. None where there are none. */
  readonly sentence: (what: string) => string[]
}

/** Counts all names and keeps the first ones. */
function nameList(): NameList {
  const kept: string[] = []
  let count = 0
  return {
    add: (name) => {
      count += 1
      if (kept.length < NAMED_MAX) kept.push(name)
    },
    sentence: (what) => {
      const more = count > kept.length ? '; the Portfolio Manager Check Report names all' : ''
      return count === 0 ? [] : [`${what} (${count}): ${kept.join('; ')}${more}.`]
    },
  }
}
