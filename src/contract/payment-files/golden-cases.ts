/** For tests: an export for each golden file, by file name. */
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
