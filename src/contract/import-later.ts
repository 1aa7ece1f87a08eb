/** Columns of the import of bills, whose screen is still to come: its template, example and guide are there already. */
import { billableAccount } from './billable-account.ts'
import { boolean, date, decimal, longText, money, month, optional, text } from './kernel/entity.ts'
import { column, importKind, reference, type ImportColumn } from './kernel/import.ts'
import { vendor } from './vendor.ts'

const account = billableAccount.fields
const byShortCode = { refers: 'vendors', by: 'short_code', label: 'vendor' }

const usageText = 'Missing usage makes the bill a Draft.'
const meterFields: readonly (readonly [string, ImportColumn['field'], string, string])[] = [
  ['meter_number', optional(text('Meter Number', 100)), 'The number on the meter.', 'M-5521'],
  ['service', optional(text('Service')), 'The service, where services share a meter number.', ''],
  ['previous_read_date', optional(date('Previous Read Date')), 'The first day of the period.', '01/02/2026'],
  ['read_date', optional(date('Read Date')), 'The last day of the period.', '02/01/2026'],
  ['next_read_date', optional(date('Next Read Date')), 'When it is read next.', ''],
  ['fiscal_month', optional(month('Fiscal Month')), 'The month that it is booked in.', ''],
  ['previous_reading', optional(decimal('Previous Reading', 4)), 'What the meter showed before.', '1000'],
  ['reading', optional(decimal('Reading', 4)), 'What the meter shows.', '1850'],
  ['multiplier', optional(decimal('Multiplier', 4)), 'What readings are multiplied by.', '1'],
  ['usage', optional(decimal('Usage', 4)), usageText, '850'],
  ['unit', optional(text('Unit', 40)), 'The unit of the usage.', 'kWh'],
  ['estimated', optional(boolean('Estimated')), 'Whether the reading is estimated.', 'N'],
  ['utility_charges', optional(money('Utility Charges')), 'What the delivery costs.', '120.55'],
  ['utility_taxes', optional(money('Utility Taxes')), 'Taxes on it.', '4.20'],
  ['supply_charges', optional(money('Supply Charges')), 'What the energy costs.', ''],
  ['supply_taxes', optional(money('Supply Taxes')), 'Taxes on it.', ''],
  ['other_charge', optional(money('Other Charge')), 'What else is charged.', ''],
  ['rec_charge', optional(money('REC Charge')), 'Renewable energy certificates.', ''],
  ['therm_factor', optional(decimal('Therm Factor', 4)), 'The therm factor as billed.', ''],
  ['adjustment_factor', optional(decimal('Adjustment Factor', 4)), 'The adjustment factor as billed.', ''],
  ['demand', optional(decimal('Demand', 4)), 'The demand.', ''],
  ['kw_actual', optional(decimal('KW Actual', 4)), 'The demand that was measured.', ''],
  ['kw_billed', optional(decimal('KW Billed', 4)), 'The demand that is billed.', ''],
  ['rate_schedule', optional(text('Rate Schedule')), 'The rate that it is billed by.', ''],
  ['power_factor', optional(decimal('Power Factor', 4)), 'The power factor.', ''],
]

const meterColumns = [1, 2, 3].flatMap((meter) =>
  meterFields.map(([name, field, meaning, example]) =>
    column(`m${meter}_${name}`, field, { meaning: `Meter ${meter}: ${meaning}`, examples: [meter === 1 ? example : ''] }),
  ),
)

export const billsImport = importKind({
  name: 'bills',
  label: 'Bill',
  labels: 'Bills',
  key: ['account_number', 'date'],
  notes: [
    'A further column m1_entry:NAME fills the entry field of that name of meter 1; m2_ and m3_ likewise.',
    'For more than three meters repeat the bill on another row: rows with the same account, date, invoice number and amounts are one bill.',
  ],
  columns: [
    column('account_number', account.account_number, { meaning: 'The account that is billed.', examples: ['4417-002-88'] }),
    reference(
      'vendor_short_code',
      { ...optional(vendor.fields.short_code), label: 'Vendor' },
      {
        key: 'vendor_id',
        meaning: 'The vendor, where two have an account of this number.',
        examples: ['NPWR'],
        to: byShortCode,
      },
    ),
    column('account_type', optional(text('Account Type', 1)), {
      meaning: 'B for a billable account, S for a supply account.',
      examples: ['B'],
    }),
    column('date', date('Date'), { meaning: 'The date of the bill.', examples: ['02/05/2026'] }),
    column('due_date', date('Due Date'), { meaning: 'When it is due.', examples: ['02/25/2026'] }),
    column('invoice_number', optional(text('Invoice Number', 100)), { meaning: 'The number of the bill.', examples: [''] }),
    column('balance_forward', money('Balance Forward'), { meaning: 'What was owed before.', examples: ['0.00'] }),
    column('current_charges', money('Current Charges'), { meaning: 'What this bill adds.', examples: ['124.75'] }),
    column('late_fee', optional(money('Late Fee')), { meaning: 'Late fee.', examples: [''] }),
    column('amount_due', money('Amount Due'), { meaning: 'What is to be paid.', examples: ['124.75'] }),
    column('notes', optional(longText('Notes')), { meaning: 'Notes.', examples: [''] }),
    column('rebill_adjustment', optional(boolean('Rebill/Adjustment')), {
      meaning: 'Whether it corrects an earlier bill.',
      examples: ['N'],
    }),
    column('qc', optional(boolean('QC')), { meaning: 'Whether it needs quality control.', examples: ['N'] }),
    column('parked', optional(boolean('Parked')), { meaning: 'Whether it is put aside.', examples: ['N'] }),
    column('file_name', optional(text('File Name')), { meaning: 'The name of its PDF.', examples: [''] }),
    column('account_charges', optional(text('Account Charges', 2_000)), {
      many: true,
      meaning: 'Charges of the account as a whole, as name:amount.',
      examples: [''],
    }),
    ...meterColumns,
  ],
})
