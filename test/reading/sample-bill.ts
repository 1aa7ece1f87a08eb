/** Bills of utilities that do not exist, from a seed: what a drawn document says, and therefore what a reader must find in it. */
import { addDays } from '#contract/kernel/date.ts'
import { addMoney, subtractMoney, sumMoney, wireOf } from '#contract/kernel/money.ts'
import { seededRandom } from '../../src/server/kernel/seeded-random.ts'
import { decimalOfUnits, minus, times } from '#contract/kernel/decimal.ts'

export interface SampleMeter {
  readonly meter_number: string
  readonly commodity: 'electric' | 'natural_gas' | 'water'
  readonly previous_read_date: string
  readonly read_date: string
  readonly previous_reading: string
  readonly meter_reading: string
  readonly multiplier: string
  readonly usage: string
  readonly unit: string
  readonly estimated: boolean
  readonly charges: readonly { readonly name: string; readonly amount: string }[]
  readonly utility_charges: string
}

export interface SampleBill {
  readonly vendor: string
  readonly account_number: string
  readonly invoice_number: string
  readonly customer: string
  readonly address: string
  readonly city: string
  readonly date: string
  readonly due_date: string
  readonly previous_balance: string
  readonly payments: string
  readonly balance_forward: string
  readonly current_charges: string
  readonly late_fee: string
  readonly amount_due: string
  readonly meters: readonly SampleMeter[]
}

/** The properties that all bills of one vendor have in common. */
export interface SampleKind {
  readonly vendor: string
  readonly commodities: readonly SampleMeter['commodity'][]
  readonly unit?: string
  /** `#` means a digit. */
  readonly account: string
  readonly invoice: string
  readonly meter: string
  /** Whether the customer has paid too much, so that a credit is carried. */
  readonly isOverpaid?: boolean
}

/** The same kind and seed make the same bill. */
export function sampleBill(kind: SampleKind, seed: number): SampleBill {
  const random = seededRandom(`${kind.vendor} ${seed}`)
  const whole = (from: number, to: number): number => from + Math.floor(random() * (to - from + 1))
  const one = <T>(of: readonly T[], fallback: T): T => of[whole(0, of.length - 1)] ?? fallback
  const digits = (pattern: string): string => {
    const text = pattern.replaceAll('#', () => String(whole(0, 9)))
    return pattern.startsWith('#') ? text.replace(/^0/, '4') : text
  }
  const read_date = addDays('2023-01-10', whole(0, 900))
  const date = addDays(read_date, whole(2, 5))
  const days = whole(27, 34)
  const meters = kind.commodities.map((commodity) => sampleMeter({ kind, commodity, read_date, days, whole, digits }))
  const current_charges = meters.length === 0 ? wireOf(whole(6_000, 70_000)) : sumMoney(meters.map((meter) => meter.utility_charges))
  const previous_balance = wireOf(whole(4_000, 90_000))
  const isPaid = random() < 0.7
  const payments = kind.isOverpaid === true ? addMoney(previous_balance, '31.46') : isPaid ? previous_balance : '0.00'
  const balance_forward = subtractMoney(previous_balance, payments)
  const late_fee = isPaid || kind.isOverpaid === true ? '0.00' : wireOf(whole(300, 2_500))
  return {
    vendor: kind.vendor,
    account_number: digits(kind.account),
    invoice_number: digits(kind.invoice),
    customer: `${one(firstWords, 'Maple')} ${one(secondWords, 'Holdings')}`,
    address: `${whole(10, 9_900)} ${one(streets, 'Oak Street')}`,
    city: one(cities, 'Springdale, TX 75001'),
    date,
    due_date: addDays(date, whole(17, 24)),
    previous_balance,
    payments,
    balance_forward,
    current_charges,
    late_fee,
    amount_due: sumMoney([balance_forward, current_charges, late_fee]),
    meters,
  }
}

const firstWords = ['Maple', 'Northgate', 'Cedar Point', 'Brightwater', 'Old Mill', 'Sunrise', 'Kestrel'] as const
const secondWords = ['Holdings LLC', 'Apartments', 'School District', 'Foods Inc', 'Hospital', 'Storage', 'Church'] as const
const streets = ['Oak Street', 'W Main St', 'County Road 12', 'Harbor Blvd', 'Elm Ave', 'Industrial Pkwy', '5th Avenue North'] as const
const cities = [
  'Springdale, TX 75001',
  'Fairview, CA 94107',
  'Lakeside, WA 98004',
  'Millbrook, OH 43004',
  'Granite Falls, MN 56241',
] as const

interface MeterSeed {
  readonly kind: SampleKind
  readonly commodity: SampleMeter['commodity']
  readonly read_date: string
  readonly days: number
  readonly whole: (from: number, to: number) => number
  readonly digits: (pattern: string) => string
}

const units = { electric: 'kWh', natural_gas: 'Therms', water: 'CCF' } as const
const chargeNames = {
  electric: ['Basic service charge', 'Energy charge', 'Delivery charge', 'Regulatory rider'],
  natural_gas: ['Customer charge', 'Gas cost', 'Distribution charge', 'Pipeline safety fee'],
  water: ['Base fee', 'Volume charge tier 1', 'Volume charge tier 2', 'Infrastructure surcharge'],
} as const

function sampleMeter({ kind, commodity, read_date, days, whole, digits }: MeterSeed): SampleMeter {
  const difference = commodity === 'electric' ? whole(180, 4_800) : whole(8, 420)
  const previous = commodity === 'electric' ? whole(10_000, 88_000) : whole(1_000, 9_000)
  const multiplier = commodity === 'electric' ? String(whole(0, 2) === 0 ? 40 : 1) : '1'
  const meter_reading = String(previous + difference)
  const charges = chargeNames[commodity].map((name, place) => ({ name, amount: wireOf(whole(250, 4_000) * (place === 1 ? 6 : 1)) }))
  return {
    meter_number: digits(kind.meter),
    commodity,
    previous_read_date: addDays(read_date, -days),
    read_date,
    previous_reading: String(previous),
    meter_reading,
    multiplier,
    usage: times(minus(meter_reading, String(previous)), multiplier),
    unit: commodity === 'water' ? (kind.unit ?? units.water) : units[commodity],
    estimated: whole(0, 5) === 0,
    charges,
    utility_charges: sumMoney(charges.map((charge) => charge.amount)),
  }
}

/** '12,345' of '12345'. */
export function grouped(value: string): string {
  return value.replace(/\B(?=(\d{3})+(?!\d)(?=\.|$))/g, ',')
}

/** Daily use to one decimal, as bills like to print beside the readings. */
export function daily(usage: string, days: number): string {
  return decimalOfUnits((BigInt(usage.split('.')[0] ?? '0') * 10n) / BigInt(days), 1)
}
