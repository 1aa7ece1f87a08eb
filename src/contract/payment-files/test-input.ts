/**
 * The input of a test file: the payer and the bank are those of the profile, the payees and their bills are invented. A bank that loads the file
 * by mistake finds no account to pay to, and the sum is a few dollars.
 */
import { addDays } from '../kernel/date.ts'
import { sumCents } from '../kernel/money.ts'
import type { FileFormat } from './layout.ts'
import type { BillForFile, ExportInput, FileMoment, PayerForFile, PaymentForFile, ProfileForFile, VendorForFile } from './payment-file.ts'

/** The formats that go to a bank or to AvidXchange. Registers and worklists are read by the provider's own staff. */
export const testFormats = [
  { value: 'standard', label: 'ACH Standard', type: 'ACH' },
  { value: 'nacha_plus', label: 'ACH NACHA+', type: 'ACH' },
  { value: 'ach_bank', label: 'ACH Bank', type: 'ACH' },
  { value: 'positive_pay', label: 'Positive Pay', type: 'Check' },
  { value: 'check_request', label: 'Check Request', type: 'Check' },
  { value: 'avid', label: 'Avid', type: 'Avid' },
] as const satisfies readonly { value: FileFormat; label: string; type: ExportInput['type'] }[]
export type TestFormat = (typeof testFormats)[number]['value']

/** Numbers that no payment of Meterbook has: `VP-9999991` is at most as long as the columns of a check number. */
const firstId = 9_999_991
/** Ten digits, the longest that a check number may be. */
const firstCheck = 9_999_999_991

/** Returns an export of three payments: one bill, two bills with a list of them, and two bills that are paid one by one. */
export function testInput(format: TestFormat, profile: ProfileForFile, payer: PayerForFile, moment: FileMoment): ExportInput {
  const chosen = testFormats.find(({ value }) => value === format) ?? testFormats[0]
  const paid = [
    { cents: [101], remittance: 'ctx', account_type: 'checking' },
    { cents: [202, 303], remittance: 'ctx', account_type: 'savings' },
    { cents: [404, 505], remittance: 'per_bill', account_type: 'checking' },
  ] as const
  return {
    type: chosen.type,
    format,
    moment,
    // A limit is about money that leaves.
    profiles: [{ ...profile, entry_limit: null, file_limit: null }],
    payments: paid.map(({ cents, remittance, account_type }, at) => {
      const bills = cents.map((amount, place) => testBill(amount, at * 2 + place, moment))
      const vendor = testVendor(profile, at + 1, { remittance, account_type })
      return testPayment(profile, payer, { at, bills, vendor, type: chosen.type, moment })
    }),
    vendor_name: null,
    is_test: true,
  }
}

interface Part {
  readonly at: number
  readonly bills: readonly BillForFile[]
  readonly vendor: VendorForFile
  readonly type: string
  readonly moment: FileMoment
}

/** The second check of a positive pay file is void, so that the bank sees both kinds. */
function testPayment(profile: ProfileForFile, payer: PayerForFile, { at, bills, vendor, type, moment }: Part): PaymentForFile {
  return {
    id: firstId + at,
    payer,
    profile_id: profile.id,
    batch_id: firstId,
    batch_date: moment.date,
    vendor,
    payment_type: type,
    effective_type: type,
    payment_date: moment.date,
    check_number: String(firstCheck + at),
    is_void: at === 1,
    amount: sumCents(bills.map(({ amount_paid }) => amount_paid)),
    bills,
  }
}

/** An account that does not exist, at the bank that takes the file: its routing number passes the bank's own check. */
function testVendor(
  { immediate_destination, routing_number }: ProfileForFile,
  number: number,
  how: Pick<VendorForFile, 'remittance' | 'account_type'>,
): VendorForFile {
  return {
    ...how,
    id: number,
    name: `Test Vendor ${number}`,
    short_code: `TEST-${number}`,
    client_vendor_number: null,
    is_exclusive: false,
    routing_number: immediate_destination ?? routing_number,
    account_number: `99990000${number}`,
    account_holder: null,
    prenote_state: 'none',
    prenote_date: null,
    phone: '555 555 0100',
    remit_name: null,
    remit_address: { street_address_1: `${number} Test Street`, street_address_2: null, city: 'Testville', state: 'OH', zip: '43004' },
  }
}

function testBill(amount: number, at: number, { date }: FileMoment): BillForFile {
  return {
    id: firstId + at,
    account_number: `TEST-ACCOUNT-${at + 1}`,
    invoice_number: `TEST-${at + 1}`,
    date: addDays(date, -14),
    due_date: addDays(date, 14),
    amount_due: amount,
    amount_paid: amount,
    notes: 'Test file: do not pay',
  }
}
