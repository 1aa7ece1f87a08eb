/** P12: a payment file of a hundred thousand entries, from the search for faults to the bytes that the checker has read back. */
import { bill, cityPower, exportOf, payment, profile } from '../src/contract/payment-files/file-fixture.ts'
import type { ExportInput, PaymentForFile, ProfileForFile } from '../src/contract/payment-files/payment-file.ts'
import { buildFile, exportFaults, planFiles } from '../src/contract/payment-files/payment-files.ts'
import { round, shown, spreadOf } from './measure.ts'
import type { Line } from './table.ts'

const entries = 100_000
const [fewBatches, manyBatches] = [50, 500]
const entriesPerSecond = 150_000
const timesFew = 1.1
const rounds = 5

export async function measurePaymentFiles(): Promise<Line[]> {
  const [few, many] = [inputOf(fewBatches), inputOf(manyBatches)]
  built(few)
  built(many)
  const times: Record<'few' | 'many' | 'raw', number[]> = { few: [], many: [], raw: [] }
  for (let turn = 0; turn < rounds; turn += 1) {
    times.raw.push(timeOf(() => copied(few)))
    times.few.push(timeOf(() => built(few)))
    times.many.push(timeOf(() => built(many)))
    // The collector gets its turn between the rounds.
    await new Promise((resolve) => setImmediate(resolve))
  }
  const [fewMs, manyMs] = [spreadOf(times.few), spreadOf(times.many)]
  const perSecond = (entries / manyMs.median) * 1_000
  const raw = `the same number of records joined and encoded ${shown(spreadOf(times.raw))}`
  return [
    {
      goal: 'P12',
      what: `ACH file of ${entries.toLocaleString('en')} entries in ${manyBatches} batches, found free of faults, written and read back`,
      ours: `${shown(manyMs)}, ${round(perSecond)} entries/s`,
      reference: raw,
      ratio: `>= ${entriesPerSecond.toLocaleString('en')}/s`,
      holds: perSecond >= entriesPerSecond,
    },
    {
      goal: 'P12',
      what: `the same entries in ${manyBatches} batches and in ${fewBatches}`,
      ours: shown(manyMs),
      reference: `${fewBatches} batches ${shown(fewMs)}`,
      ratio: `${round(manyMs.median / fewMs.median)} of <= ${timesFew}`,
      holds: manyMs.median <= fewMs.median * timesFew,
    },
  ]
}

/** One payment of one bill for each entry; each payer is one batch of the file. */
function inputOf(payers: number): ExportInput {
  const profiles = Array.from({ length: payers }, (_, at): ProfileForFile => ({ ...profile, id: at + 1, client_id: at + 1 }))
  const payments = Array.from({ length: entries }, (_, at): PaymentForFile => {
    const own = (at % payers) + 1
    return payment(at + 1, [bill(at + 1, 1_000 + (at % 9_000))], {
      payer: { client_id: own, name: `Payer ${own}`, short_code: `P${own}` },
      profile_id: own,
      batch_id: own,
      vendor: cityPower,
    })
  })
  return exportOf({ profiles, payments })
}

/** A new input each time, since the groups of an input are remembered. */
function built(of: ExportInput): void {
  const input = { ...of }
  const faults = exportFaults(input)
  if (faults.length > 0) throw new Error(`the export has faults: ${JSON.stringify(faults.slice(0, 3))}`)
  for (const plan of planFiles(input)) buildFile(input, plan, { modifier: 'A', first_trace: 1, sequence: 1 })
}

function copied({ payments }: ExportInput): void {
  const text = payments.map(({ id, amount }) => `6${String(id).padStart(46)}${String(amount).padStart(46)} \n`).join('')
  new TextEncoder().encode(text)
}

function timeOf(work: () => void): number {
  const began = performance.now()
  work()
  return performance.now() - began
}
