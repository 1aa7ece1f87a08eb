/** For tests: an export for each golden file, by file name. */
import { layout } from './layout.ts'
import { exportOf, payments, profile, secondProfile } from './file-fixture.ts'
import type { ExportInput, PaymentForFile, ProfileForFile } from './payment-file.ts'

const both = (more: Partial<ProfileForFile>): ProfileForFile[] => [
  { ...profile, ...more },
  { ...secondProfile, ...more },
]
const checks: readonly PaymentForFile[] = payments.map((one, at) => ({
  ...one,
  payment_type: 'Check',
  effective_type: 'Check',
  check_number: String(20_001 + at),
  payment_date: '2026-11-24',
  is_void: at === 1,
}))
const asType = (payment_type: string, effective_type = payment_type) => payments.map((one) => ({ ...one, payment_type, effective_type }))
const pennies: readonly PaymentForFile[] = payments.slice(0, 1).map((one) => ({
  ...one,
  payment_type: 'NP',
  effective_type: 'NP',
  amount: 75,
  bills: one.bills.map((bill) => ({ ...bill, amount_paid: 75 })),
}))

/** A check request as a printer takes it that reads lines of fixed width: an edited layout of both profiles. */
export const ownCheckRequest = layout.parse({
  kind: 'fixed',
  grain: 'bill',
  heading: false,
  total_row: true,
  characters: 'ascii',
  line_end: 'lf',
  columns: [
    { heading: 'Kind', source: null, text: 'CHK', width: 5, total: 'label' },
    { heading: 'Payee', source: 'payee', width: 16, too_long: 'cut', required: true },
    { heading: 'Number', source: 'payment_number', width: 8, required: true, total: 'payments' },
    { heading: 'Date', source: 'check_date', width: 8, date: 'MMDDYYYY' },
    { heading: 'Check', source: 'payment_amount', width: 10, justify: 'right', fill: 'zero', amount: 'cents' },
    { heading: 'Account', source: 'utility_account_number', width: 10, justify: 'right', required: true, total: 'bills' },
    { heading: 'Paid', source: 'amount_paid', width: 11, justify: 'right', total: 'amount' },
    { heading: 'Mail', source: 'delivery', width: 1, values: { STANDARD: 'S', OVERNIGHT: 'O' } },
  ],
})

/** Each export makes one file, except `ach_bank`, where the second file is used: that of the payer with three payments. */
export const goldenCases: Readonly<Record<string, ExportInput>> = {
  'standard.ach': exportOf(),
  'standard-balanced-crlf.ach': exportOf({ profiles: both({ balanced: true, line_end: 'crlf' }) }),
  'standard-without-line-ends.ach': exportOf({ profiles: both({ line_end: 'none' }), is_test: true }),
  'nacha_plus.ach': exportOf({ format: 'nacha_plus' }),
  'nacha_plus-balanced.ach': exportOf({ format: 'nacha_plus', profiles: both({ balanced: true, account_type: 'savings' }) }),
  'ach_2.csv': exportOf({ format: 'ach_2' }),
  'ach_bank.csv': exportOf({ format: 'ach_bank' }),
  'avid.csv': exportOf({ type: 'Avid', format: 'avid', payments: asType('Check', 'Avid') }),
  'check_request.csv': exportOf({ type: 'Check - OVERNIGHT', format: 'check_request', payments: asType('Check - OVERNIGHT') }),
  'check_request-own.txt': exportOf({
    type: 'Check',
    format: 'check_request',
    payments: checks,
    profiles: both({ layouts: { check_request: { own: ownCheckRequest } } }),
  }),
  'positive_pay.csv': exportOf({ type: 'Check', format: 'positive_pay', payments: checks }),
  'positive_pay-fixed.txt': exportOf({
    type: 'Check',
    format: 'positive_pay',
    payments: checks,
    profiles: both({ layouts: { positive_pay: { preset: 'positive_pay_fixed' } }, account_number: '4400112233' }),
  }),
  'op_worklist.csv': exportOf({ type: 'OP', format: 'op_worklist', payments: asType('Check', 'OP') }),
  'np_register.csv': exportOf({ type: 'NP', format: 'np_register', payments: pennies }),
  'autopay_register.csv': exportOf({ type: 'Autopay', format: 'autopay_register', payments: asType('Autopay') }),
  'accounting.csv': exportOf({ type: 'Accounting', format: 'accounting', payments: asType('Check', 'OP') }),
}
