/** The import of bills: a row is a bill with up to three meters; further rows of the same bill add further meters. */
import { billableAccount } from '../accounts/billable-account.ts'
import { chargesPerBillMax } from '../bills/bill-draft.ts'
import { boolean, date, decimal, longText, money, month, optional, text } from '../kernel/entity.ts'
import { column, importKind, reference, type ImportColumn } from '../kernel/import.ts'
import { vendor } from '../vendors/vendor.ts'

/** Meters of one row. */
export const metersPerRow = 3
/** Head columns that together identify the rows of one bill. */
export const billRowKey = ['date', 'invoice_number', 'balance_forward', 'current_charges', 'late_fee', 'amount_due'] as const

/** The columns that fill entry fields and usage factors of a line, with the names of those fields. */
export const entryColumns = {
  utility_charges: 'Utility Charges',
  utility_taxes: 'Utility Taxes',
  supply_charges: 'Supply Charges',
  supply_taxes: 'Supply Taxes',
  other_charge: 'Other Charge',
  rec_charge: 'REC Charge',
} as const
export const factorColumns = {
  therm_factor: 'Therm Factor',
  adjustment_factor: 'Adjustment Factor',
  demand: 'Demand',
  kw_actual: 'KW Actual',
  kw_billed: 'KW Billed',
  power_factor: 'Power Factor',
} as const

const account = billableAccount.fields
const byShortCode = { refers: 'vendors', by: 'short_code', label: 'vendor' }

const entry = (name: string) => optional(money(name))
const factor = (name: string) => optional(decimal(name, 4, { whole: 12 }))

const meterFields: readonly (readonly [string, ImportColumn['field'], string, readonly [string, string]])[] = [
  ['meter_number', optional(text('Meter Number', 100)), 'The number on the meter, as the account has it.', ['M-5521', 'G-1107']],
  [
    'service',
    optional(text('Service')),
    'Its utility service or its service name, where services share a meter number or have none.',
    ['', ''],
  ],
  ['previous_read_date', optional(date('Previous Read Date')), 'The first day of the period.', ['01/02/2026', '2026-01-05']],
  ['read_date', optional(date('Read Date')), 'The last day of the period.', ['02/01/2026', '2026-02-04']],
  ['next_read_date', optional(date('Next Read Date')), 'When it is read next.', ['', '']],
  ['fiscal_month', optional(month('Fiscal Month')), 'The month that it is booked in.', ['', '']],
  ['previous_reading', optional(decimal('Previous Reading', 2)), 'What the meter showed before.', ['1000', '']],
  ['reading', optional(decimal('Reading', 2)), 'What the meter shows.', ['1850', '']],
  [
    'multiplier',
    optional(decimal('Multiplier', 4, { whole: 9 })),
    'What readings are multiplied by; the meter’s own where it is blank.',
    ['1', ''],
  ],
  ['usage', optional(decimal('Usage', 3)), 'What was used; the difference of the readings where it is blank.', ['850', '42.5']],
  [
    'unit',
    optional(text('Unit', 40)),
    'The unit of the usage; the service’s own where it is blank. A unit that we do not know is kept as a word, and its usage is summed with no other.',
    ['kWh', 'therm'],
  ],
  ['estimated', optional(boolean('Estimated')), 'Whether the reading is estimated.', ['N', 'Y']],
  ['utility_charges', entry('Utility Charges'), 'What the delivery costs.', ['120.55', '61.10']],
  ['utility_taxes', entry('Utility Taxes'), 'Taxes on it.', ['4.20', '']],
  ['supply_charges', entry('Supply Charges'), 'What the energy costs.', ['', '']],
  ['supply_taxes', entry('Supply Taxes'), 'Taxes on it.', ['', '']],
  ['other_charge', entry('Other Charge'), 'What else is charged.', ['', '']],
  ['rec_charge', entry('REC Charge'), 'Renewable energy certificates.', ['', '']],
  ['therm_factor', factor('Therm Factor'), 'The therm factor as billed.', ['', '']],
  ['adjustment_factor', factor('Adjustment Factor'), 'The adjustment factor as billed.', ['', '']],
  ['demand', factor('Demand'), 'The demand.', ['', '']],
  ['kw_actual', factor('KW Actual'), 'The demand that was measured.', ['', '']],
  ['kw_billed', factor('KW Billed'), 'The demand that is billed.', ['', '']],
  ['rate_schedule', optional(text('Rate Schedule', 500)), 'The rate that it is billed by.', ['', '']],
  ['power_factor', factor('Power Factor'), 'The power factor.', ['', '']],
  ['notes', optional(longText('Notes')), 'What is to be remembered of this meter’s line.', ['', '']],
]

const meterColumns = Array.from({ length: metersPerRow }, (_, at) => at + 1).flatMap((meter) =>
  meterFields.map(([name, field, meaning, examples]) =>
    column(
      `m${meter}_${name}`,
      { ...field, label: `Meter ${meter} ${field.label}` },
      { meaning: `Meter ${meter}: ${meaning}`, examples: meter === 1 ? examples : ['', ''] },
    ),
  ),
)

/** Parses a header `m1_entry:Meter Fee`: the meter's number and the name of the field. */
export const entryHeader = /^m([1-9])_entry:\s*(\S.*)$/i

export const billsImport = importKind({
  name: 'bills',
  label: 'Bill',
  labels: 'Bills',
  key: ['account_number', 'date'],
  keyText: 'Rows make new bills; what is stored already is never changed. A bill that is there already is refused, with its number.',
  noted: 'Findings',
  notes: [
    'A further column m1_entry:NAME fills the entry field of that name of meter 1, be it one of the installation, of the service or a usage factor; m2_ and m3_ likewise.',
    'For more than three meters repeat the bill on another row: rows with the same account, date, invoice number and amounts are one bill, stored with all of its rows or not at all. What else they say of the bill may stand on one of them.',
    'An account is found by its number as it stands, then without spaces and dashes, then by its aliases.',
    'What a form asks for and a row lacks, such as the usage of a meter, makes the bill a Draft.',
    'A row that corrects an earlier bill (rebill_adjustment) replaces the bill of the very same days, else it adds to the one that it overlaps.',
  ],
  columns: [
    column('account_number', account.account_number, { meaning: 'The account that is billed.', examples: ['4417-002-88', '90871'] }),
    reference(
      'vendor_short_code',
      { ...optional(vendor.fields.short_code), label: 'Vendor' },
      {
        key: 'vendor_id',
        meaning: 'The vendor, where two have an account of this number.',
        examples: ['NPWR', ''],
        to: byShortCode,
      },
    ),
    column('account_type', optional(text('Account Type', 1)), {
      meaning: 'B for a billable account, S for a supply account, where both have this number.',
      examples: ['B', ''],
    }),
    column('date', date('Date'), { meaning: 'The date of the bill.', examples: ['02/05/2026', '2026-02-06'] }),
    column('due_date', date('Due Date'), { meaning: 'When it is due.', examples: ['02/25/2026', '2026-02-28'] }),
    column('invoice_number', optional(text('Invoice Number', 100)), { meaning: 'The number of the bill.', examples: ['', '2026-104'] }),
    column('balance_forward', money('Balance Forward'), { meaning: 'What was owed before.', examples: ['0.00', '0.00'] }),
    column('current_charges', money('Current Charges'), { meaning: 'What this bill adds.', examples: ['124.75', '64.10'] }),
    column('late_fee', optional(money('Late Fee')), { meaning: 'Late fee.', examples: ['', ''] }),
    column('amount_due', money('Amount Due'), { meaning: 'What is to be paid.', examples: ['124.75', '64.10'] }),
    column('notes', optional(longText('Notes')), { meaning: 'Notes.', examples: ['', ''] }),
    column('rebill_adjustment', optional(boolean('Rebill/Adjustment')), {
      meaning: 'Whether it corrects an earlier bill.',
      examples: ['N', ''],
    }),
    column('qc', optional(boolean('QC')), { meaning: 'Whether it needs quality control.', examples: ['N', ''] }),
    column('parked', optional(boolean('Parked')), { meaning: 'Whether it is put aside.', examples: ['N', ''] }),
    column('group_account_number', optional(text('Group Account Number')), {
      meaning:
        'The group account whose bill pays this one: the account is one of its subaccounts. Blank: the bill finds the bill of its group by itself. none: it belongs to none.',
      examples: ['', ''],
    }),
    column('file_name', optional(text('File Name')), {
      meaning: 'The name of its PDF; it is kept in the notes, so that the file can be found.',
      examples: ['', ''],
    }),
    column(
      'account_charges',
      { ...optional(text('Account Charges', 2_000)), length: 520 },
      {
        many: true,
        repeats: true,
        most: chargesPerBillMax,
        meaning: 'Charges of the account as a whole, as name:amount.',
        examples: ['', 'Customer charge:3.00'],
      },
    ),
    column('previous_read_date', optional(date('Previous Read Date')), {
      meaning: 'The first day of a bill that names no meter.',
      examples: ['', ''],
    }),
    column('read_date', optional(date('Read Date')), { meaning: 'The last day of a bill that names no meter.', examples: ['', ''] }),
    ...meterColumns,
  ],
  madeBy: (header) => {
    const [, meter, name] = entryHeader.exec(header) ?? []
    if (meter === undefined || name === undefined || Number(meter) > metersPerRow) return null
    return column(`m${meter}_entry:${name.trim()}`, optional(decimal(name.trim(), 4, { whole: 12 })), {
      meaning: `Meter ${meter}: the entry field ${name.trim()}.`,
      examples: [],
    })
  },
})
