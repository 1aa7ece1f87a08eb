/** The cost of reading: time per page, and memory over many documents. */
import { readDocument } from '../src/server/bill-reading/bill-reading.ts'
import { seenLayouts } from '../test/reading/layouts-seen.ts'
import { sampleBill } from '../test/reading/sample-bill.ts'
import { scanned } from '../test/reading/scan.ts'
import { residentMib } from './processes.ts'
import type { Line } from './table.ts'

const memoryDocuments = 50
const memoryWarmUp = 10
const memoryMibMore = 60

export const figure = (what: string, ours: string): Line => ({ goal: 'READ', what, ours, reference: '', ratio: '', holds: undefined })

/** CPU time, including the thread, of one page of text and of one scanned page, with a warm thread. */
export async function measureTime(): Promise<Line[]> {
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
      const began = process.cpuUsage()
      await readDocument(bytes)
      const { user, system } = process.cpuUsage(began)
      took.push((user + system) / 1_000)
    }
    const median = took.toSorted((a, b) => a - b)[Math.floor(times / 2)] ?? 0
    lines.push(figure(`a page of ${name}, median of ${times}`, `${Math.round(median)} ms of a processor`))
  }
  return lines
}

/** Memory of the process, thread included, after 50 documents compared with after 10. */
export async function measureMemory(): Promise<Line> {
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
