/** For tests: an electric account with two uneventful years, and a bill without findings. */
import { addDays, addToMonth, firstDayOf } from '../kernel/date.ts'
import { decimalOfUnits } from '../kernel/decimal.ts'
import type { AuditBill, AuditInput, AuditLine } from './input.ts'
import type { AuditAccount, AuditService, AuditVendor } from './estate-input.ts'
import type { HistoryBill, HistoryLine } from './history-input.ts'
import { ordinaryContext } from './input.ts'

/** The audited bill covers this month; it is dated the 3rd of the next month and due on the 22nd. */
const MONTH = '2026-10'
export const KWH = 1
export const CCF = 2

export const service: AuditService = {
  id: 11,
  meter_number: 'E-1',
  active: true,
  metered: true,
  net_metered: false,
  meter_multiplier: '40.0000',
  rate_schedule: 'GS-1',
  tax_code: null,
  effective_from: null,
  effective_to: null,
  audits_off: false,
  audit_settings: {},
  is_supply: false,
  expects_supply_bill: false,
  lacks_delivery: false,
  linked_lines: [],
  usage_unit_id: KWH,
  standard_unit: 'kWh',
  usage_units: [
    { unit_id: KWH, symbol: 'kWh', conversion_factor: '1.000000000' },
    { unit_id: 3, symbol: 'MWh', conversion_factor: '1000.000000000' },
  ],
  ledger_shares: [{ ledger_account_id: 1, share_ratio: '1.0000', active: true }],
}

export const account: AuditAccount = {
  active: true,
  is_group_account: false,
  billing_period: 2,
  billing_cycle: 30,
  effective_from: null,
  effective_to: null,
  audits_off: false,
  tax_ids: [],
}

export const vendor: AuditVendor = {
  name: 'Test Power',
  payment_methods: ['ACH'],
  has_routing_number: true,
  has_account_number: true,
  has_remit_address: true,
}

/** Usage by calendar month, 3 decimals: high in summer, a little different every time. */
function usageIn(month: string): number {
  const ofYear = Number(month.slice(5, 7))
  const year = Number(month.slice(0, 4))
  return 6_000 + (ofYear >= 6 && ofYear <= 9 ? 3_000 : 0) + ofYear * 7 + (year - 2024) * 13
}

/** The reading at the start of a month: the usage of all months since the first one, divided by the multiplier of 40. */
function readingAt(month: string): string {
  let used = 0
  for (let one = '2024-01'; one < month; one = addToMonth(one, 1)) used += usageIn(one)
  return decimalOfUnits(BigInt(1_000_000 + Math.round((used * 100) / 40)), 2)
}

function chargeIn(month: string): string {
  return decimalOfUnits(BigInt(usageIn(month) * 15 + Number(month.slice(5, 7))), 2)
}

export function historyOf(month: string): HistoryBill {
  const start = firstDayOf(month)
  const end = firstDayOf(addToMonth(month, 1))
  const line: HistoryLine = {
    service_id: service.id,
    previous_read_date: start,
    read_date: end,
    meter_reading: readingAt(addToMonth(month, 1)),
    multiplier: '40.0000',
    unit_id: KWH,
    usage: `${usageIn(month)}.000`,
    standard_usage: `${usageIn(month)}.000000`,
    cost: chargeIn(month),
    estimated: false,
    kw_billed: '20.0000',
  }
  return {
    id: Number(month.replace('-', '')),
    date: addDays(end, 2),
    due_date: addDays(end, 21),
    invoice_number: `INV-${month}`,
    current_charges: chargeIn(month),
    amount_due: chargeIn(month),
    amount_paid: chargeIn(month),
    paid: true,
    received_on: addDays(end, 3),
    batched_on: addDays(end, 5),
    paid_on: addDays(end, 7),
    lines: [line],
  }
}

export const history: readonly HistoryBill[] = Array.from({ length: 24 }, (_, place) => historyOf(addToMonth(MONTH, place - 24)))

export const line: AuditLine = {
  service_id: service.id,
  previous_read_date: '2026-10-01',
  read_date: '2026-11-01',
  previous_reading: readingAt('2026-10'),
  meter_reading: readingAt('2026-11'),
  multiplier: '40.0000',
  usage: `${usageIn(MONTH)}.000`,
  unit_id: KWH,
  raw_unit: null,
  rate_schedule: 'GS-1',
  estimated: false,
  notes: null,
  service_bill_usage_factors: [],
  service_bill_entry_fields: [{ name: 'Utility Charges', value: chargeIn(MONTH) }],
  service_bill_additional_entry_fields: [],
}

export const bill: AuditBill = {
  id: null,
  date: '2026-11-03',
  due_date: '2026-11-22',
  invoice_number: `INV-${MONTH}`,
  balance_forward: '0.00',
  current_charges: chargeIn(MONTH),
  late_fee: null,
  amount_due: chargeIn(MONTH),
  paid: false,
  finalized: false,
  rebill_adjustment: false,
  rebill_mode: null,
  rebill_of_id: null,
  bill_charges: [],
  service_bills: [line],
}

export const input: AuditInput = {
  bill,
  account,
  services: [service],
  vendor,
  history,
  settings: [],
  today: '2026-11-05',
  context: ordinaryContext,
}

export function withBill(some: Partial<AuditBill>, rest: Partial<AuditInput> = {}): AuditInput {
  return { ...input, ...rest, bill: { ...bill, ...some } }
}

export function withLine(some: Partial<AuditLine>, rest: Partial<AuditInput> = {}): AuditInput {
  return withBill({ service_bills: [{ ...line, ...some }] }, rest)
}

export function withService(some: Partial<AuditService>, rest: Partial<AuditInput> = {}): AuditInput {
  return { ...input, ...rest, services: [{ ...service, ...some }] }
}

/** Returns the history with its last bill, or that bill's last line, changed. */
export function lastBill(some: Partial<HistoryBill>, ofLine: Partial<HistoryLine> = {}): HistoryBill[] {
  return history.map((one, place) =>
    place === history.length - 1 ? { ...one, lines: one.lines.map((other) => ({ ...other, ...ofLine })), ...some } : one,
  )
}
