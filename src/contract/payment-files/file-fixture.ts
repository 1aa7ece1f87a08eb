/** For tests: two payers at one invented bank and one at another, four vendors, and payments of one and of several bills. */
import type { BillForFile, ExportInput, PaymentForFile, PayerForFile, ProfileForFile, VendorForFile } from './payment-file.ts'

/** Routing numbers with valid check digits that no bank has, because of their third digit. */
export const meridian = '010000126'
export const harborBank = '060000215'
export const cityBank = '070000315'

export const profile: ProfileForFile = {
  id: 7,
  client_id: 11,
  name: 'Operating account',
  bank_name: 'First Meridian Bank',
  routing_number: meridian,
  immediate_destination: meridian,
  immediate_destination_name: 'First Meridian Bank',
  immediate_origin: '1987654321',
  immediate_origin_name: 'Meterbook',
  company_name: 'Harvest Lane Markets',
  company_id: '1123456789',
  discretionary_data: null,
  entry_description: 'UTIL PYMT',
  account_number: '4400112233',
  account_type: 'checking',
  balanced: false,
  lead_days: 1,
  cutoff_time: '17:00',
  same_day_allowed: false,
  line_end: 'lf',
  character_set: 'standard',
  entry_limit: null,
  file_limit: null,
  layouts: {},
  avid_payer_id: 'HLM-01',
  avid_bank_account_id: 'OPER',
  payer_address: { street_address_1: '1 Market Street', street_address_2: null, city: 'Dayton', state: 'OH', zip: '45402' },
}

export const secondProfile: ProfileForFile = {
  ...profile,
  id: 8,
  client_id: 12,
  name: 'Utilities',
  company_name: 'Bright Field Schools',
  company_id: '1555666777',
  account_number: '5500-9988',
  avid_payer_id: 'BFS-01',
  lead_days: 2,
}

export const harvest: PayerForFile = { client_id: 11, name: 'Harvest Lane Markets', short_code: 'HLM' }
export const bright: PayerForFile = { client_id: 12, name: 'Bright Field Schools', short_code: 'BFS' }

export const cityPower: VendorForFile = {
  id: 21,
  name: 'City Power & Light Company',
  short_code: 'CPL',
  client_vendor_number: '4711',
  is_exclusive: false,
  routing_number: cityBank,
  account_number: '000123456789',
  account_type: 'checking',
  account_holder: null,
  remittance: 'ctx',
  prenote_state: 'none',
  prenote_date: null,
  phone: '937-555-0100',
  remit_name: 'City Power & Light',
  remit_address: { street_address_1: '20 Grid Avenue', street_address_2: 'Suite 4', city: 'Columbus', state: 'OH', zip: '43085' },
}
export const harborGas: VendorForFile = {
  ...cityPower,
  id: 22,
  name: 'Harbor Gas',
  short_code: 'HGS',
  client_vendor_number: null,
  routing_number: harborBank,
  account_number: '77-88 9900',
  account_type: 'savings',
  account_holder: 'Harbor Gas Collections',
  remittance: 'per_bill',
  remit_name: null,
}

export function bill(id: number, paid: number, more: Partial<BillForFile> = {}): BillForFile {
  return {
    id,
    account_number: `55-${id}`,
    invoice_number: null,
    date: '2026-11-05',
    due_date: '2026-11-28',
    amount_due: paid,
    amount_paid: paid,
    notes: null,
    ...more,
  }
}

export function payment(id: number, bills: readonly BillForFile[], more: Partial<PaymentForFile> = {}): PaymentForFile {
  return {
    id,
    payer: harvest,
    profile_id: 7,
    batch_id: 301,
    batch_date: '2026-11-24',
    vendor: cityPower,
    payment_type: 'ACH',
    effective_type: 'ACH',
    payment_date: null,
    check_number: null,
    is_void: false,
    amount: bills.reduce((sum, one) => sum + one.amount_paid, 0),
    bills,
    ...more,
  }
}

/** Four payments of two payers: one bill, two bills by CTX, two separate bills, and one bill of the other payer. */
export const payments: readonly PaymentForFile[] = [
  payment(901, [bill(5001, 12_050, { invoice_number: 'INV-9', notes: 'Confirmed 88A' })]),
  payment(902, [bill(5002, 30_000), bill(5003, -2_000, { amount_due: -2_000 })]),
  payment(903, [bill(5004, 4_525), bill(5005, 1_075, { amount_due: 2_000 })], { vendor: harborGas }),
  payment(904, [bill(5006, 99_999, { invoice_number: 'B 77/1' })], { payer: bright, profile_id: 8, batch_id: 302 }),
]

export function exportOf(more: Partial<ExportInput> = {}): ExportInput {
  return {
    type: 'ACH',
    format: 'standard',
    moment: { date: '2026-11-24', time: '14:05' },
    profiles: [profile, secondProfile],
    payments,
    vendor_name: null,
    is_test: false,
    ...more,
  }
}
