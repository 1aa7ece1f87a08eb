/**
 * `npm run bench`: everything that must be fast, each compared with its reference measured in the same run. Prints a table and writes nothing;
 * no figure fails anything. `--bills 100000` sets the size of the world, `--only P1,P8` the selection, `--seconds 1.5` the duration of a cell.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startThrowawayPostgres } from '../src/server/kernel/postgres/embedded-postgres.ts'
import { makeSearchWorld, measureSearch } from './advanced-search.ts'
import { measureBatches } from './batches.ts'
import { measureP16, withBrowser } from './browser.ts'
import { measureBulk } from './bulk.ts'
import { measureP10 } from './dashboards.ts'
import { measureDesk } from './desk.ts'
import { measureEstate } from './estate.ts'
import { makeEstate, type Estate } from './estate-world.ts'
import { makeExceptionWorld } from './exception-world.ts'
import { measureExceptions } from './exceptions.ts'
import { measureP8 } from './exports.ts'
import { measureFacts } from './facts.ts'
import { measureForm } from './form.ts'
import { openGround, type Ground } from './ground.ts'
import { measureP9 } from './imports.ts'
import { measureP1, measureP2, measureP4, measureP5, measureP6, measureP7 } from './lists.ts'
import { residentMib } from './processes.ts'
import { measurePapers } from './papers.ts'
import { measurePaymentFiles } from './payment-files.ts'
import { measureReading } from './reading.ts'
import { measureReports } from './reports.ts'
import { measureSave } from './save.ts'
import { makeSaveWorld } from './save-world.ts'
import { measureP14, measureP15, memoryLine } from './starts.ts'
import { printTable, type Line } from './table.ts'
import { measureP17 } from './thousand-rows.ts'
import { makeWideWorld, makeWorld } from './world.ts'

const { values: options } = parseArgs({
  options: {
    bills: { type: 'string', default: '100000' },
    only: { type: 'string' },
    seconds: { type: 'string', default: '1.5' },
    full: { type: 'boolean' },
  },
})
const only = options.only?.split(',').map((goal) => goal.trim().toUpperCase())
const isWanted = (goal: string): boolean => only === undefined || only.includes(goal)
const mibAfterFiles = 200
/** Measurements that have their own world. */
const apart = ['DESK', 'ESTATE', 'SEARCH', 'READ', 'REPORTS', 'SAVE', 'EXCEPTIONS', 'P12', 'P13']
const say = (text: string): void => console.error(`${new Date().toISOString().slice(11, 19)} ${text}`)

if (process.platform !== 'linux') throw new Error('processor time and memory are read from /proc: this runs on Linux only')

const dataFolder = await mkdtemp(join(tmpdir(), 'meterbook-bench-'))
await using ending = new AsyncDisposableStack()
ending.defer(() => rm(dataFolder, { recursive: true, force: true }))
say('starting a database')
const server = await startThrowawayPostgres()
ending.defer(server.stop)

const bills = Number(options.bills)
const lines: Line[] = []
if (only === undefined || only.some((goal) => !apart.includes(goal))) {
  const ground = await openWorld('bench', bills)
  await measureLists(ground)
  await measureTheRest(ground)
}
await measure('P12', measurePaymentFiles)
await measure('P13', measurePapers)
await measure('DESK', async () => measureDesk(await openWorld('bench_desk', bills)))
await measure('ESTATE', async () => measureEstate(await openEstate()))
await measure('SEARCH', async () => measureSearch(await openSearch()))
await measure('EXCEPTIONS', async () => measureExceptions(await openExceptions()))
await measure('REPORTS', async () => measureReports(await openWide()))
await measure('SAVE', async () => measureSave(await openSave()))
await measure('READ', () => measureReading(server.url, say, options.full === true))
console.log(
  `${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}; --bills ${bills}`,
)
printTable(lines)

async function openWorld(name: string, size: number): Promise<Ground> {
  say(`making a world of ${size} bills`)
  const world = await makeWorld(server.url, name, size)
  ending.defer(world.database.close)
  say(`${world.bills} bills, ${world.billsOfFirst} of them of client 1; facts made anew in ${world.factsSeconds.toFixed(1)} s`)
  const opened = await openGround(world, server.pid(), dataFolder, Number(options.seconds) * 1_000)
  ending.defer(opened.stop)
  return opened
}

/** An estate of a hundred thousand accounts, or the number of `--bills`. */
async function openEstate(): Promise<Ground & { readonly world: Estate }> {
  say(`making an estate of ${bills} accounts`)
  const estate = await makeEstate(server.url, 'bench_estate', bills)
  ending.defer(estate.database.close)
  const opened = await openGround(estate, server.pid(), dataFolder, Number(options.seconds) * 1_000)
  ending.defer(opened.stop)
  return { ...opened, world: estate }
}

/** As many accounts as `--bills`, with ten bills each. */
async function openSearch(): Promise<Ground> {
  say(`making ${bills} accounts with ${bills * 10} bills`)
  const world = await makeSearchWorld(server.url, bills, 10)
  ending.defer(world.database.close)
  const opened = await openGround(world, server.pid(), dataFolder, Number(options.seconds) * 1_000)
  ending.defer(opened.stop)
  return opened
}

/** A fifth as many accounts as `--bills`. */
async function openExceptions(): Promise<Ground> {
  say(`making ${bills / 5} accounts with five bills each`)
  const world = await makeExceptionWorld(server.url, bills)
  ending.defer(world.database.close)
  const opened = await openGround(world, server.pid(), dataFolder, Number(options.seconds) * 1_000)
  ending.defer(opened.stop)
  return opened
}

/** Client 1 has as many bills as `--bills`, with ten lines each. */
async function openWide(): Promise<Ground> {
  say(`making a world of ${bills} bills with ${bills * 10} lines`)
  const world = await makeWideWorld(server.url, 'bench_reports', bills)
  ending.defer(world.database.close)
  say(`${world.billsOfFirst} bills of client 1, ${world.lines} lines; facts made anew in ${world.factsSeconds.toFixed(1)} s`)
  const opened = await openGround(world, server.pid(), dataFolder, Number(options.seconds) * 1_000)
  ending.defer(opened.stop)
  return opened
}

/** Five thousand accounts at full size, each with three years of bills. */
async function openSave(): Promise<Ground> {
  const accounts = Math.round(bills / 20)
  say(`making ${accounts} accounts with three years of bills`)
  const world = await makeSaveWorld(server.url, 'bench_save', accounts)
  ending.defer(world.database.close)
  say(`${world.bills} bills, ${world.lines} lines; facts made anew in ${world.factsSeconds.toFixed(1)} s`)
  const opened = await openGround(world, server.pid(), dataFolder, Number(options.seconds) * 1_000)
  ending.defer(opened.stop)
  return opened
}

async function measure(goal: string, work: () => Promise<Line[]>): Promise<void> {
  if (!isWanted(goal)) return
  say(goal)
  const found = await work().catch((error: unknown) => [failed(goal, error)])
  lines.push(...found)
  for (const { what, ours, reference, ratio } of found) say(`  ${what}: ${ours}; ${reference} ${ratio}`)
}

/** A failed measurement must not hide the others. */
function failed(goal: string, error: unknown): Line {
  const what = error instanceof Error ? error.message : String(error)
  return { goal, what: `not measured: ${what.slice(0, 200)}`, ours: '', reference: '', ratio: '', holds: false }
}

async function measureLists(of: Ground): Promise<void> {
  await measure('P1', () => measureP1(of))
  await measure('P2', () => measureP2(of))
  await measure('P4', () => measureP4(of))
  await measure('P5', () => measureP5(of))
  await measure('P6', async () => measureP6(of, await openWorld('bench_small', bills / 10)))
  await measure('P7', () => measureP7(of))
}

async function measureTheRest(of: Ground): Promise<void> {
  await measure('P15', () => measureP15(of, dataFolder))
  await measure('P8', async () => [
    ...(await measureP8(of)),
    memoryLine('server process, after lists and exports', residentMib(of.product.pid), mibAfterFiles),
  ])
  await measure('P9', () => measureP9(of))
  await measure('P10', () => measureP10(of))
  await measure('FACTS', () => measureFacts(of))
  await measure('BULK', () => measureBulk(of))
  await measure('P11', () => measureBatches(of))
  await measure('P14', () => measureP14(of, dataFolder))
  await measure('P16', () => withBrowser((browser) => measureP16(of, browser)))
  await measure('P17', () => withBrowser((browser) => measureP17(of, browser)))
  await measure('FORM', () => withBrowser((browser) => measureForm(of, browser)))
}
