/**
 * The reader of bills: shares of correctly read values on the layouts it was built on, on held-out layouts, and on the sandbox provider's
 * documents; as text and as a scan; before and after users have confirmed bills. None of its figures has a reference.
 */
import { stopReading } from '../src/server/bill-reading/bill-reading.ts'
import { openJobsDatabase } from '../src/server/kernel/postgres/database.ts'
import type { Tx } from '../src/server/kernel/postgres/database.ts'
import { migrate } from '../src/server/kernel/postgres/migrate.ts'
import { closePrinter } from '../test/reading/html-sheet.ts'
import type { Layout } from '../test/reading/layout.ts'
import { openLayouts, unopenedLayouts } from '../test/reading/layouts-new.ts'
import { laterSeenLayouts } from '../test/reading/layouts-seen-later.ts'
import { seenLayouts } from '../test/reading/layouts-seen.ts'
import { measureLayout, type Measured, type Ways } from '../test/reading/measure.ts'
import { heldOutLayouts, openedLayouts } from '../test/reading/sheets.ts'
import { figure, measureMemory, measureTime } from './reading-cost.ts'
import { measureSandbox } from './reading-sandbox.ts'
import { measureStacks } from './reading-stacks.ts'
import { printFields, printLayouts, printShares, shareOf, type ShareRow } from './reading-table.ts'
import type { Line } from './table.ts'
import { createDatabase } from './world.ts'

/** Measurements per layout: this many bills, before and after others were confirmed. A scanned page takes seconds, so there are fewer. */
const ways = {
  newScan: { asScan: true, measured: 2, taught: [0, 1, 3] },
  text: { asScan: false, measured: 6, taught: [0, 1, 3] },
  scan: { asScan: true, measured: 1, taught: [0, 1] },
  fullScan: { asScan: true, measured: 2, taught: [0, 1, 3] },
} as const

/**
 * Measures the reader.
 * @param say reports each layout's figures while the rest is still being measured
 * @param isFull scans of all layouts, including the seen ones, before, after one and after three confirmed bills: some forty minutes
 */
export async function measureReading(serverUrl: string, say: (text: string) => void, isFull: boolean): Promise<Line[]> {
  const database = openJobsDatabase({ url: await createDatabase(serverUrl, 'bench_reading') })
  const tx = database.db
  const ownLayouts = [...seenLayouts, ...laterSeenLayouts, ...openedLayouts]
  try {
    await migrate(database.pool)
    const costs = [...(await measureTime()), await measureMemory()]
    const heldOut = await measureSet(tx, { name: 'held-out layouts', layouts: heldOutLayouts, ways: ways.text, say })
    const open = await measureSet(tx, { name: 'open layouts', layouts: openLayouts, ways: ways.text, say })
    const unopened = await measureSet(tx, { name: 'unopened layouts', layouts: unopenedLayouts, ways: ways.text, say })
    const unopenedScans = await measureSet(tx, { name: 'unopened layouts', layouts: unopenedLayouts, ways: ways.newScan, say })
    const stacks = await measureStacks(tx, unopenedLayouts, say)
    const rows = [
      ...open,
      ...unopened,
      ...unopenedScans,
      ...(await measureSet(tx, { name: 'seen layouts', layouts: ownLayouts, ways: ways.text, say })),
      ...heldOut,
      ...(await measureSandbox(tx, { isFull })),
      ...(await measureSet(tx, { name: 'held-out layouts', layouts: heldOutLayouts, ways: isFull ? ways.fullScan : ways.scan, say })),
      ...(isFull ? await measureSet(tx, { name: 'seen layouts', layouts: ownLayouts, ways: ways.fullScan, say }) : []),
    ]
    printShares(rows)
    printFields(heldOut)
    printLayouts('Unopened layouts, text', unopened)
    printLayouts('Unopened layouts, scan', unopenedScans)
    console.log(`\nStacks divided right: ${stacks}`)
    return [...costs, ...rows.map((row) => figure(`${row.documents}, after ${row.taught} confirmed`, shareOf(row.measured)))]
  } finally {
    await stopReading()
    await closePrinter()
    await database.close()
  }
}

async function measureSet(
  tx: Tx,
  set: { readonly name: string; readonly layouts: readonly Layout[]; readonly ways: Ways; readonly say: (text: string) => void },
): Promise<ShareRow[]> {
  const all: Measured[] = []
  const way = set.ways.asScan ? 'scan' : 'text'
  for (const layout of set.layouts) {
    const measured = await measureLayout(tx, layout, set.ways)
    all.push(...measured)
    // Totals only: failures on a held-out layout are not inspected.
    for (const one of measured) set.say(`  ${set.name}, ${way}, ${layout.name}, after ${one.taught} confirmed: ${shareOf([one])}`)
  }
  const documents = `${set.layouts.length} ${set.name}, ${way}, ${set.layouts.length * set.ways.measured} bills`
  return set.ways.taught.map((taught) => ({ documents, taught, measured: all.filter((one) => one.taught === taught) }))
}
