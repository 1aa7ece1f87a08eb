/** Share of the printed values that is proposed right, per field, before and after people have confirmed bills of the same layout. */
import { sql } from 'kysely'
import type { BillReading, ConfirmedReading, DocumentWords, ReadBillField, ReadMeterField } from '#contract/bill-reading/bill-reading.ts'
import { unitSymbol } from '#contract/bill-retrieval/printed-usage.ts'
import { subtractMoney } from '#contract/kernel/money.ts'
import type { Tx } from '../../src/server/kernel/postgres/database.ts'
import { learnLayout, proposeBill, readDocument } from '../../src/server/bill-reading/bill-reading.ts'
import type { DraftReading } from '../../src/server/bill-reading/read-words.ts'
import { truthOf, type Layout, type Truth } from './layout.ts'
import { sampleBill, type SampleBill } from './sample-bill.ts'
import { scanned, type Scanner } from './scan.ts'
import { scoresOf, type ReadValues, type Score } from './score.ts'

/** Bills that teach are others than bills that are measured. */
const TAUGHT_FROM = 1
const MEASURED_FROM = 101
/** The distortions of a scanner, one after the other. */
const scanners: readonly Scanner[] = [
  { dpi: 150, skew: 0.4, specks: 0.001 },
  { dpi: 200, skew: -0.6, specks: 0.002 },
  { dpi: 170, skew: 0.2, specks: 0.0005 },
]

export interface Measured {
  readonly layout: string
  /** Bills that were confirmed before. */
  readonly taught: number
  readonly scores: readonly Score[]
  /** Values that were proposed although the paper prints none. */
  readonly invented: number
  /** Number of right and of wrong proposals that a form shows as sure. */
  readonly sureRight: number
  readonly sureWrong: number
}

export interface Ways {
  readonly asScan: boolean
  readonly measured: number
  readonly taught: readonly number[]
}

/** Measures one layout; its vendor is known by name, the accounts are not. What was learned is gone afterwards: the next begins with nothing. */
export async function measureLayout(tx: Tx, layout: Layout, ways: Ways): Promise<Measured[]> {
  const { rows } = await sql<{
    id: number
  }>`insert into vendors (name, short_code) values (${layout.kind.vendor}, ${`R${Math.random()}`}) returning id`.execute(tx)
  const vendorId = rows[0]?.id ?? 0
  try {
    return await measureVendor(tx, layout, ways, vendorId)
  } finally {
    await sql`delete from vendors where id = ${vendorId}`.execute(tx)
  }
}

async function measureVendor(tx: Tx, layout: Layout, ways: Ways, vendorId: number): Promise<Measured[]> {
  const wordsOf = async (seed: number): Promise<{ bill: SampleBill; words: DocumentWords }> => {
    const bill = sampleBill(layout.kind, seed)
    const pdf = await layout.draw(bill)
    const scanner = scanners[seed % scanners.length]
    return { bill, words: await readDocument(ways.asScan && scanner !== undefined ? await scanned(pdf, scanner) : pdf) }
  }
  const documents: { bill: SampleBill; words: DocumentWords }[] = []
  for (let seed = MEASURED_FROM; seed < MEASURED_FROM + ways.measured; seed += 1) documents.push(await wordsOf(seed))
  const found: Measured[] = []
  let taught = 0
  for (const wanted of ways.taught) {
    for (; taught < wanted; taught += 1) {
      const { bill, words } = await wordsOf(TAUGHT_FROM + taught)
      await learnLayout(tx, words, confirmedOf(bill, vendorId, layout.supplyOf))
    }
    found.push(await measureOnce(tx, layout, taught, documents))
  }
  return found
}

async function measureOnce(
  tx: Tx,
  layout: Layout,
  taught: number,
  documents: readonly { bill: SampleBill; words: DocumentWords }[],
): Promise<Measured> {
  const all = []
  for (const { bill, words } of documents) all.push(compare(truthOf(layout, bill), await proposeBill(tx, 0, words)))
  return {
    layout: layout.name,
    taught,
    scores: all.flatMap((one) => one.scores),
    invented: sum(all.map((one) => one.invented)),
    sureRight: sum(all.map((one) => one.sureRight)),
    sureWrong: sum(all.map((one) => one.sureWrong)),
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

/** Values of a reading, before or after its account is known. */
type Read = Pick<BillReading, 'fields'> & { readonly meters: readonly Pick<BillReading['meters'][number], 'fields'>[] }

/** Compares the values of the truth with those of the reading. */
export function compare(truth: Truth, reading: Read): Omit<Measured, 'layout' | 'taught'> {
  const scores = scoresOf(truth, valuesOf(reading))
  const sure = new Map<string, number>()
  for (const field of [...reading.fields, ...reading.meters.flatMap((meter) => meter.fields)]) {
    if (field.confidence >= 0.8) sure.set(`${field.field} ${field.value}`, 1)
  }
  const isSure = (score: Score): boolean => score.read !== undefined && sure.has(`${score.field} ${score.read}`)
  const printed = new Set<string>([...Object.keys(truth.values), ...truth.meters.flatMap((meter) => Object.keys(meter))])
  return {
    scores,
    invented: [...reading.fields, ...reading.meters.flatMap((meter) => meter.fields)].filter(
      (field) => !printed.has(field.field) && field.place !== null,
    ).length,
    sureRight: scores.filter((score) => score.isRight && isSure(score)).length,
    sureWrong: scores.filter((score) => !score.isRight && isSure(score)).length,
  }
}

/** Compares a reading without a client with the truth: vendors are known only within a client. */
export function compareDraft(truth: Truth, { fields, meters }: DraftReading): Omit<Measured, 'layout' | 'taught'> {
  const values = { ...truth.values }
  delete values.vendor
  return compare({ ...truth, values }, { fields, meters: meters.map((meter) => ({ fields: [...meter.values()] })) })
}

export function valuesOf(reading: Read): ReadValues {
  const values: Partial<Record<ReadBillField, string>> = {}
  for (const { field, value } of reading.fields) values[field] = value
  const meters = reading.meters.map((meter) => {
    const of: Partial<Record<ReadMeterField, string>> = {}
    for (const { field, value } of meter.fields) of[field] = value
    return of
  })
  return { values, meters }
}

/** The bill as a person saves it: all fields of the form. */
export function confirmedOf(bill: SampleBill, vendorId: number, supplyOf?: Layout['supplyOf']): ConfirmedReading {
  const { account_number, invoice_number, date, due_date, balance_forward, current_charges, late_fee, amount_due } = bill
  return {
    vendor_id: vendorId,
    values: { account_number, invoice_number, date, due_date, balance_forward, current_charges, late_fee, amount_due },
    meters: bill.meters.map((meter) => {
      const supply_charges = supplyOf?.(meter)
      return {
        ...meter,
        estimated: String(meter.estimated),
        unit: unitSymbol(meter.unit),
        ...(supply_charges === undefined ? {} : { supply_charges, utility_charges: subtractMoney(meter.utility_charges, supply_charges) }),
      }
    }),
  }
}

/** Right and all values of each field, the fields in the order in which they first appear. */
export function byField(measured: readonly Measured[]): ReadonlyMap<Score['field'], { right: number; all: number }> {
  const tally = new Map<Score['field'], { right: number; all: number }>()
  for (const score of measured.flatMap((one) => one.scores)) {
    const before = tally.get(score.field) ?? { right: 0, all: 0 }
    tally.set(score.field, { right: before.right + (score.isRight ? 1 : 0), all: before.all + 1 })
  }
  return tally
}
