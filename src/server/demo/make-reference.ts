/** Data that all demo clients share: vendors with payment details, partners, units of production, cost parameters. */
import type { Tx } from '../kernel/postgres/database.ts'
import { secretColumns } from '../kernel/secret.ts'
import { partnerNames } from './client-catalog.ts'
import { diceOf, type Dice } from './dice.ts'
import { asBytea, idsByName, insertNumbered, insertRows, takeIds, type Row } from './store-rows.ts'
import { vendorSamples, type VendorSample } from './vendor-catalog.ts'

const productionUnits = ['Beds', 'Students', 'Guest Rooms', 'Apartments', 'Tons Produced', 'Racks'] as const
const costParameters = ['Weather Normalization', 'Escalation 3%', 'Demand Response Credit', 'Solar Offset'] as const

export interface Reference {
  /** Vendors by their short code. */
  readonly vendors: ReadonlyMap<string, number>
  readonly partners: readonly number[]
  /** Units of production by name. */
  readonly productionUnit: (name: string) => number
}

export async function makeReference(tx: Tx, secretKey: string, at: string): Promise<Reference> {
  const made = { lock_version: 0, created_at: at, updated_at: at }
  const partners = await insertNumbered(
    tx,
    'channel_partners',
    partnerNames.map((name) => ({ name, ...made })),
  )
  await insertNumbered(
    tx,
    'production_units',
    productionUnits.map((name) => ({ name, ...made })),
  )
  await insertNumbered(
    tx,
    'cost_parameters',
    costParameters.map((name, place) => ({ name, active: place < costParameters.length - 1, ...made })),
  )
  const vendorIds = await takeIds(tx, 'vendors', vendorSamples.length)
  await insertRows(
    tx,
    'vendors',
    vendorSamples.map((vendor, place) => vendorRow(vendor, vendorIds[place] ?? 0, secretKey, made)),
  )
  const methodId = await idsByName(tx, 'payment_methods', 'name')
  const vendors = new Map(vendorSamples.map((vendor, place) => [vendor.code, vendorIds[place] ?? 0]))
  await insertRows(
    tx,
    'vendor_payment_methods',
    vendorSamples.flatMap(({ code, methods }) =>
      methods.map((method, position) => ({ vendor_id: vendors.get(code), payment_method_id: methodId(method), position })),
    ),
  )
  await insertNumbered(
    tx,
    'vendor_aliases',
    vendorSamples.flatMap(({ code, aliases = [] }) => aliases.map((alias) => ({ vendor_id: vendors.get(code), alias, created_at: at }))),
  )
  return { vendors, partners, productionUnit: await idsByName(tx, 'production_units', 'name') }
}

/** A vendor without a payment method has no remit address either: the audits of its bills report that. */
function vendorRow(vendor: VendorSample, id: number, secretKey: string, made: Row): Row {
  const dice = diceOf(`vendor ${vendor.code}`)
  const isAch = vendor.methods.includes('ACH')
  const canBePaid = vendor.methods.length > 0
  const box = `PO Box ${dice.whole(1_000, 99_900)}`
  return {
    id,
    name: vendor.name,
    short_code: vendor.code,
    active: true,
    street_address_1: canBePaid ? box : null,
    phone: `(8${dice.digits(2)}) ${dice.digits(3)}-${dice.digits(4)}`,
    city: vendor.city,
    state: vendor.state,
    country: 'US',
    zip: vendor.zip,
    tariffs_link: vendor.name,
    is_exclusive: vendor.is_exclusive ?? false,
    payment_terms_days: vendor.terms,
    account_type: 'checking',
    account_holder: isAch ? vendor.name.slice(0, 22) : null,
    remittance: 'ctx',
    remit_name: canBePaid ? vendor.name : null,
    remit_street_address_1: canBePaid ? box : null,
    remit_city: canBePaid ? vendor.city : null,
    remit_state: canBePaid ? vendor.state : null,
    remit_zip: canBePaid ? vendor.zip : null,
    prenote_state: isAch ? 'accepted' : 'none',
    audit_settings: {},
    ...sealed(secretKey, { table: 'vendors', column: 'po_box', id }, isAch ? routingNumber(dice) : null),
    ...sealed(secretKey, { table: 'vendors', column: 'payment_identifier', id }, isAch ? dice.digits(dice.whole(9, 12)) : null),
    ...made,
  }
}

/** Returns a secret as its columns in a bulk row. */
export function sealed(secretKey: string, place: { table: string; column: string; id: number }, value: string | null): Row {
  return Object.fromEntries(
    Object.entries(secretColumns(secretKey, place, value)).map(([column, stored]) => [
      column,
      Buffer.isBuffer(stored) ? asBytea(stored) : stored,
    ]),
  )
}

/** Returns nine digits with a valid check digit, in the range of ordinary banks; the third digit belongs to no bank. */
export function routingNumber(dice: Dice): string {
  const eight = `0${dice.whole(1, 9)}0${dice.digits(6).slice(1)}`
  const weights = [3, 7, 1, 3, 7, 1, 3, 7]
  const sum = weights.reduce((total, weight, place) => total + weight * Number(eight[place]), 0)
  return `${eight}${(10 - (sum % 10)) % 10}`
}
