/**
 * The reader of bills: shares of values read right, on layouts that it was built on, on layouts that it never saw, and on what the sandbox
 * provider draws; as text and as a scan; before and after people have confirmed bills. No figure of it has a reference.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Statement } from '#contract/retrieval.ts'
import { fileStatement, statementOfFile } from '#contract/statement-file.ts'
import { proposeBill, readDocument, stopReading } from '../src/server/bill-reading/bill-reading.ts'
import { sandboxStatements } from '../src/server/bill-retrieval/sandbox-statements.ts'
import { drawStatement } from '../src/server/bill-retrieval/statement-pdf.ts'
import { openJobsDatabase } from '../src/server/kernel/database.ts'
import type { Tx } from '../src/server/kernel/database.ts'
import { migrate } from '../src/server/kernel/migrate.ts'
import type { Layout, Truth } from '../test/reading/layout.ts'
import { heldOutLayouts } from '../test/reading/layouts-held-out.ts'
import { seenLayouts } from '../test/reading/layouts-seen.ts'
import { byField, compare, measureLayout, type Measured, type Ways } from '../test/reading/measure.ts'
import { sampleBill } from '../test/reading/sample-bill.ts'
import { scanned } from '../test/reading/scan.ts'
import { residentMib } from './processes.ts'
import type { Line } from './table.ts'
import { createDatabase } from './world.ts'

/** What is measured of each layout: so many bills, before and after others were confirmed. */
const asText = { asScan: false, measured: 6, taught: [0, 1, 3] } as const
/** A scanned page takes seconds, so that there are fewer; what is known well is shown by a sample. */
const heldOutScan = { asScan: true, measured: 2, taught: [0, 1, 3] } as const
const seenScan = { asScan: true, measured: 1, taught: [0] } as const
const seenScanLayouts = 3
/** No further layout of scans is begun after so long, whatever the machine: the line says how many there were. */
const scanSecondsMax = 240
const memoryDocuments = 50
const memoryWarmUp = 10
const memoryMibMore = 60
const sandboxBillsEach = 4

/** @param say what each layout's figures are, while the rest is still measured. */
export async function measureReading(serverUrl: string, say: (text: string) => void): Promise<Line[]> {
  const database = openJobsDatabase({ url: await createDatabase(serverUrl, 'bench_reading') })
  try {
    await migrate(database.pool)
    const lines = await measureTime(say)
    lines.push(...(await measureSandbox(database.db, say)))
    lines.push(await measureMemory())
    const tx = database.db
    lines.push(...(await measureSet(tx, { name: 'held out', layouts: heldOutLayouts, ways: asText, say })))
    lines.push(...(await measureSet(tx, { name: 'seen', layouts: seenLayouts, ways: asText, say })))
    lines.push(...(await measureSet(tx, { name: 'seen', layouts: seenLayouts.slice(0, seenScanLayouts), ways: seenScan, say })))
    lines.push(...(await measureSet(tx, { name: 'held out', layouts: heldOutLayouts, ways: heldOutScan, say })))
    return lines
  } finally {
    await stopReading()
    await database.close()
  }
}

async function measureSet(
  tx: Tx,
  { name, layouts, ways, say }: { name: string; layouts: readonly Layout[]; ways: Ways; say: (text: string) => void },
): Promise<Line[]> {
  const { asScan } = ways
  const all: Measured[] = []
  const began = performance.now()
  let done = 0
  for (const layout of layouts) {
    if (asScan && performance.now() - began > scanSecondsMax * 1_000) break
    done += 1
    const measured = await measureLayout(tx, layout, ways)
    all.push(...measured)
    for (const one of measured)
      say(`  ${name}, ${asScan ? 'scan' : 'text'}, ${layout.name}, taught ${one.taught}: ${shareOf([one])} ${wrongOf(one)}`)
  }
  const bills = `${done * ways.measured} bills of ${done} of ${layouts.length} layouts`
  const way = `${name}, ${asScan ? 'scan' : 'text'} (${bills})`
  return ways.taught.map((taught) => {
    const some = all.filter((one) => one.taught === taught)
    say(
      `  ${way}, taught ${taught}: ${[...byField(some)].map(([field, { right, all: count }]) => `${field} ${right}/${count}`).join(', ')}`,
    )
    return figure(
      `${way}, after ${taught} confirmed`,
      `${shareOf(some)}; sure and wrong ${some.reduce((sum, one) => sum + one.sureWrong, 0)}`,
    )
  })
}

const figure = (what: string, ours: string): Line => ({ goal: 'READ', what, ours, reference: '', ratio: '', holds: undefined })

function shareOf(measured: readonly Measured[]): string {
  const scores = measured.flatMap((one) => one.scores)
  const right = scores.filter((score) => score.isRight).length
  return `${((100 * right) / scores.length).toFixed(1)} % (${right} of ${scores.length})`
}

function wrongOf(measured: Measured): string {
  const wrong = Map.groupBy(
    measured.scores.filter((score) => !score.isRight),
    (score) => score.field,
  )
  return [...wrong].map(([field, scores]) => `${field} x${scores.length} (${scores[0]?.wanted} read ${scores[0]?.read})`).join('; ')
}

/** Statements as the sandbox provider draws them: of made accounts, and of the folder of real statements where `REAL_STATEMENTS` names one. */
async function measureSandbox(tx: Tx, say: (text: string) => void): Promise<Line[]> {
  const folder = process.env['REAL_STATEMENTS']
  const sets: (readonly [string, readonly Statement[]])[] = [['made accounts', madeStatements()]]
  if (folder !== undefined)
    sets.push([`statements of ${readdirSync(folder).filter(isStatements).length} utilities`, realStatements(folder)])
  const lines: Line[] = []
  for (const [name, statements] of sets) {
    const all: Measured[] = []
    for (const statement of statements) {
      const reading = await proposeBill(tx, 0, await readDocument(await drawStatement(statement)))
      all.push({ layout: statement.provider_name, taught: 0, ...compare(statementTruth(statement), reading) })
    }
    for (const one of all.filter((measured) => measured.scores.some((score) => !score.isRight)).slice(0, 12))
      say(`  ${one.layout}: ${shareOf([one])} ${wrongOf(one)}`)
    say(`  ${name}: ${[...byField(all)].map(([field, { right, all: count }]) => `${field} ${right}/${count}`).join(', ')}`)
    lines.push(figure(`sandbox PDFs, ${name} (${all.length}), text`, shareOf(all)))
  }
  return lines
}

function madeStatements(): Statement[] {
  const services = [
    {
      meter_number: 'E-7710042',
      utility_service: 'Electric',
      unit: 'kWh',
      multiplier: '40',
      last_reading: '10450',
      usage_per_day: '52.5',
      rate: '0.16',
    },
    {
      meter_number: 'G-118822',
      utility_service: 'Natural Gas',
      unit: 'therm',
      multiplier: null,
      last_reading: '3310',
      usage_per_day: '4.2',
      rate: '1.31',
    },
    {
      meter_number: 'W-90331',
      utility_service: 'Water',
      unit: 'CCF',
      multiplier: null,
      last_reading: '812',
      usage_per_day: '1.1',
      rate: '4.90',
    },
  ].map((service) => ({ ...service, last_read_date: '2025-01-14' }))
  return ['City Power', 'PacGAndE', 'Harbor Water'].flatMap((vendor_name, place) =>
    sandboxStatements(
      1,
      'DEMO',
      { account_number: `88${place}-41907${place}`, vendor_name, payment_terms_days: 19, services: services.slice(0, place + 1) },
      '2026-01-01',
    )
      .slice(0, sandboxBillsEach)
      .map((one) => one.statement),
  )
}

const isStatements = (name: string): boolean => name.endsWith('.ndjson')

/** The first bills with amounts of each utility. */
function realStatements(folder: string): Statement[] {
  return readdirSync(folder)
    .filter(isStatements)
    .flatMap((name) => {
      const lines = readFileSync(join(folder, name), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
      const bills = lines.slice(0, 40).map((line) => statementOfFile(fileStatement.parse(JSON.parse(line))))
      return bills.filter((one) => one.kind === 'bill' && one.amount_due !== null).slice(0, sandboxBillsEach)
    })
}

function statementTruth(statement: Statement): Truth {
  return {
    values: present({
      account_number: statement.account_number,
      invoice_number: statement.invoice_number,
      date: statement.bill_date,
      due_date: statement.due_date,
      balance_forward: statement.balance_forward,
      current_charges: statement.current_charges,
      late_fee: statement.late_fee,
      amount_due: statement.amount_due,
    }),
    meters: statement.meters.map(
      ({ meter_number, previous_read_date, read_date, previous_reading, meter_reading, multiplier, usage, unit, estimated }) =>
        present({
          meter_number,
          previous_read_date,
          read_date,
          previous_reading,
          meter_reading,
          multiplier,
          usage,
          unit,
          estimated: String(estimated),
        }),
    ),
  }
}

function present<Values extends Readonly<Record<string, string | null>>>(values: Values): { [Key in keyof Values]?: string } {
  const kept: { [Key in keyof Values]?: string } = {}
  for (const key in values) {
    const value = values[key]
    if (typeof value === 'string' && value !== '') kept[key] = value
  }
  return kept
}

/** Time of one page of text and of one scanned page, the thread warm. */
async function measureTime(say: (text: string) => void): Promise<Line[]> {
  const [layout] = seenLayouts
  if (layout === undefined) return []
  const text = await layout.draw(sampleBill(layout.kind, 1))
  const scan = await scanned(text, { dpi: 200, skew: 0.3, specks: 0.001 })
  const lines: Line[] = []
  for (const [name, bytes, times] of [
    ['text', text, 20],
    ['scan', scan, 3],
  ] as const) {
    await readDocument(bytes)
    const took: number[] = []
    for (let round = 0; round < times; round += 1) {
      const began = performance.now()
      await readDocument(bytes)
      took.push(performance.now() - began)
    }
    const median = took.toSorted((a, b) => a - b)[Math.floor(times / 2)] ?? 0
    say(`  a page of ${name}: ${Math.round(median)} ms`)
    lines.push(figure(`a page of ${name}, median of ${times}`, `${Math.round(median)} ms`))
  }
  return lines
}

/** Memory of the process, thread included, after 50 documents beside after 10. */
async function measureMemory(): Promise<Line> {
  let early = 0
  for (let place = 1; place <= memoryDocuments; place += 1) {
    const layout = seenLayouts[place % seenLayouts.length]
    if (layout !== undefined) await readDocument(await layout.draw(sampleBill(layout.kind, place)))
    if (place === memoryWarmUp) early = residentMib(process.pid)
  }
  const late = residentMib(process.pid)
  return {
    goal: 'READ',
    what: `memory after ${memoryDocuments} documents, and after ${memoryWarmUp}`,
    ours: `${late} MiB`,
    reference: `${early} MiB`,
    ratio: '',
    holds: late < early + memoryMibMore,
  }
}
