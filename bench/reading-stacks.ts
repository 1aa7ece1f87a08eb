/** Stacks of several bills in one document, as from a scanner's feeder: how many are split where the bills begin. */
import type { DocumentWords } from '#contract/bill-reading/bill-reading.ts'
import { sql } from 'kysely'
import { proposeBill, readDocument } from '../src/server/bill-reading/bill-reading.ts'
import { seededRandom } from '../src/server/kernel/seeded-random.ts'
import type { Tx } from '../src/server/kernel/postgres/database.ts'
import type { Layout } from '../test/reading/layout.ts'
import { sampleBill } from '../test/reading/sample-bill.ts'

const stacks = 40
const billsEach = 6

/** The vendors are known by name, as for a client that gets their bills; nothing of their layouts has been learned. */
export async function measureStacks(tx: Tx, layouts: readonly Layout[], say: (text: string) => void): Promise<string> {
  const { rows } = await sql<{ id: number }>`insert into vendors (name, short_code) select name, 'S' || name from jsonb_to_recordset(
    ${JSON.stringify(layouts.map((layout) => ({ name: layout.kind.vendor })))}::jsonb) as vendor(name text) returning id`.execute(tx)
  try {
    let right = 0
    let [found, wanted, wrong] = [0, 0, 0]
    for (let stack = 1; stack <= stacks; stack += 1) {
      const { words, starts } = await stackOf(layouts, stack)
      const read = (await proposeBill(tx, 0, words)).bills_begin_at
      right += JSON.stringify(read) === JSON.stringify(starts) ? 1 : 0
      wanted += starts.length
      found += starts.filter((page) => read.includes(page)).length
      wrong += read.filter((page) => !starts.includes(page)).length
    }
    const told = `${right} of ${stacks} stacks of ${billsEach} bills; ${found} of ${wanted} beginnings found, ${wrong} made up`
    say(`  ${told}`)
    return told
  } finally {
    await sql`delete from vendors where id = any(${rows.map((row) => row.id)})`.execute(tx)
  }
}

/** Makes a stack of bills from several vendors, sometimes two of one vendor in a row. */
async function stackOf(layouts: readonly Layout[], seed: number): Promise<{ words: DocumentWords; starts: number[] }> {
  const random = seededRandom(`stack ${seed}`)
  const pages: DocumentWords['pages'][number][] = []
  const starts: number[] = []
  let last: Layout | undefined
  for (let bill = 0; bill < billsEach; bill += 1) {
    const layout = last !== undefined && random() < 0.3 ? last : layouts[Math.floor(random() * layouts.length)]
    if (layout === undefined) continue
    const read = await readDocument(await layout.draw(sampleBill(layout.kind, seed * 100 + bill)))
    starts.push(pages.length + 1)
    for (const page of read.pages) pages.push({ ...page, page: pages.length + 1 })
    last = layout
  }
  return { words: { pages }, starts }
}
