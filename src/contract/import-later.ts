/** Columns of the imports whose screens and records are still to come: their templates, examples and guides are there already. */
import { accountAddress } from './address.ts'
import { billableAccount } from './billable-account.ts'
import { boolean, date, decimal, integer, longText, money, month, optional, text } from './kernel/entity.ts'
import { column, importKind, reference, type ImportColumn } from './kernel/import.ts'
import { service } from './service.ts'
import { vendor } from './vendor.ts'

const account = billableAccount.fields
const accountRef = optional(text('Account Number', 100))
const byShortCode = { refers: 'vendors', by: 'short_code', label: 'vendor' }
const byNumber = { refers: 'facilities', by: 'number', label: 'facility' }

const addressColumns = [
  column('street_address_1', accountAddress.street_address_1, {
    meaning: 'Where the service is delivered.',
    examples: ['100 Main Street'],
  }),
  column('street_address_2', accountAddress.street_address_2, { meaning: 'Second line of that address.', examples: [''] }),
  column('city', accountAddress.city, { meaning: 'City.', examples: ['Albany'] }),
  column('state', accountAddress.state, { meaning: 'State, by its code or its name.', examples: ['NY'] }),
  column('zip', accountAddress.zip, { meaning: 'Zipcode.', examples: ['12207'] }),
  column('mailing_address', accountAddress.mailing_address, { meaning: 'Where the bill is sent.', examples: [''] }),
  column('mailing_city', accountAddress.mailing_city, { meaning: 'City that the bill is sent to.', examples: [''] }),
  column('mailing_state', accountAddress.mailing_state, { meaning: 'State that the bill is sent to.', examples: [''] }),
  column('mailing_zipcode', accountAddress.mailing_zipcode, { meaning: 'Zipcode that the bill is sent to.', examples: [''] }),
  column('billing_period', account.billing_period, { meaning: 'How often it is billed.', examples: ['Monthly'] }),
  column('billing_cycle', account.billing_cycle, { meaning: 'Days between two bills; 30 unless told.', examples: ['30'] }),
  column('notes', account.notes, { meaning: 'Notes.', examples: [''] }),
]

/** The first meter of an account; further rows of the same account bring further meters. */
const serviceColumns = [
  column('service_utility_code', optional(text('Utility Service', 40)), { meaning: 'What the meter measures.', examples: ['ELEC'] }),
  column('meter_number', optional(service.fields.meter_number), { meaning: 'The number on the meter.', examples: ['M-5521'] }),
  column('service_name_1', service.fields.service_name_1, { meaning: 'A name for the service.', examples: [''] }),
  column('service_name_2', service.fields.service_name_2, { meaning: 'A second name for the service.', examples: [''] }),
  column('meter_multiplier', service.fields.meter_multiplier, { meaning: 'What a reading is multiplied by.', examples: ['1'] }),
  column('rate_schedule', service.fields.rate_schedule, { meaning: 'The rate that it is billed by.', examples: [''] }),
  column('usage_unit', optional(text('Usage Unit', 40)), { meaning: 'The unit of its usage.', examples: ['kWh'] }),
  column('contract_demand_capacity', service.fields.contract_demand_capacity, { meaning: 'The demand agreed on.', examples: [''] }),
  column('emissions_factor', service.fields.emissions_factor, { meaning: 'Empty uses that of the utility service.', examples: [''] }),
  column('tax_code', service.fields.tax_code, { meaning: 'Tax code.', examples: [''] }),
  column('ledger_account', optional(text('Ledger Account')), { meaning: 'The ledger account that it is booked on.', examples: [''] }),
  column('shares', optional(text('Shares', 2_000)), {
    many: true,
    meaning: 'How it is split between ledger accounts, as name:ratio.',
    examples: [''],
  }),
]

export const supplyAccountImport = importKind({
  name: 'supplyAccount',
  label: 'Supply Account',
  labels: 'Supply Accounts',
  key: ['account_number'],
  columns: [
    column('account_number', account.account_number, { meaning: 'The number on the supplier’s bills.', examples: ['S-20011'] }),
    reference(
      'vendor_short_code',
      { ...optional(vendor.fields.short_code), label: 'Vendor' },
      {
        key: 'vendor_id',
        meaning: 'The supplier.',
        examples: ['NPWR'],
        to: byShortCode,
      },
    ),
    reference('facility_number', optional(text('Facility', 60)), {
      key: 'facility_id',
      meaning: 'The facility that it serves.',
      examples: ['1001'],
      to: byNumber,
    }),
    column('name', account.name, { meaning: 'The name of the account.', examples: ['Albany Warehouse Supply'] }),
    column('linked_billable_account_number', accountRef, { meaning: 'The account that delivers what this one supplies.', examples: [''] }),
    column('linked_meter_number', optional(text('Meter Numbers', 2_000)), { many: true, meaning: 'Its meters there.', examples: [''] }),
    ...addressColumns,
    ...serviceColumns,
    column('billable_ledgers', service.fields.billable_ledgers, {
      meaning: 'Books the service by the ledger accounts of the billable one.',
      examples: ['N'],
    }),
  ],
})

export const ledgerFieldImport = importKind({
  name: 'ledger_field',
  label: 'Ledger Field',
  labels: 'Ledger Fields',
  key: ['name'],
  columns: [
    column('name', text('Name'), { meaning: 'The name of the field.', examples: ['Cost Center', 'Account'] }),
    column('description', text('Description'), {
      meaning: 'What it is for.',
      examples: ['Who bears the cost', 'The account of the books'],
    }),
    column('order', integer('Order', { min: 0 }), { meaning: 'Its place among the fields.', examples: ['1', '2'] }),
  ],
})

export const ledgerAccountImport = importKind({
  name: 'ledger_account',
  label: 'Ledger Account',
  labels: 'Ledger Accounts',
  key: ['name'],
  notes: ['One more column for each ledger field of the client, headed by the name of the field.'],
  columns: [
    column('name', text('Name'), { meaning: 'The name of the ledger account.', examples: ['6100 Electricity', '6110 Gas'] }),
    column('active', boolean('Active'), { required: false, meaning: 'Whether it can be booked on.', examples: ['Y', 'Y'] }),
  ],
})

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
