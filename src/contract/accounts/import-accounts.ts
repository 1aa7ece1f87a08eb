/** The imports of accounts with their services. */
import { aliasesMax, billingPeriod } from './account-fields.ts'
import { billableAccount } from './billable-account.ts'
import { billableLedgersColumn, serviceImportColumns, servicePart } from '../services/import-services.ts'
import { date, list, optional, text } from '../kernel/entity.ts'
import { column, importKind, reference, type ImportColumn } from '../kernel/import.ts'
import { supplyAccount } from './supply-account.ts'

const { fields } = billableAccount
const supply = supplyAccount.fields

/** A list of texts in a file. */
function texts(label: string, length = 100) {
  return { ...list(label, optional(text(label, length)).schema), length }
}

const addressColumns: readonly ImportColumn[] = [
  column('street_address_1', fields.street_address_1, {
    meaning: 'Where the service is delivered.',
    examples: ['100 Main Street', '7 River Road'],
  }),
  column('street_address_2', fields.street_address_2, { meaning: 'Second line of that address.', examples: ['', ''] }),
  column('city', fields.city, { meaning: 'City.', examples: ['Albany', 'Troy'] }),
  column('state', fields.state, { meaning: 'State, by its code or its name.', examples: ['NY', 'New York'] }),
  column('zip', fields.zip, { meaning: 'Zipcode.', examples: ['12207', '12180'] }),
  column('mailing_address', fields.mailing_address, { meaning: 'Where the bill is sent.', examples: ['', ''] }),
  column('mailing_city', fields.mailing_city, { meaning: 'City that the bill is sent to.', examples: ['', ''] }),
  column('mailing_state', fields.mailing_state, { meaning: 'State that the bill is sent to.', examples: ['', ''] }),
  column('mailing_zipcode', fields.mailing_zipcode, { meaning: 'Zipcode that the bill is sent to.', examples: ['', ''] }),
]

const billingColumns: readonly ImportColumn[] = [
  column('billing_cycle', fields.billing_cycle, { meaning: 'Days between two bills; 30 unless told.', examples: ['30', ''] }),
  column('notes', fields.notes, { meaning: 'Notes.', examples: ['', ''] }),
  column('effective_from', optional(date('Effective From')), { meaning: 'The first day that bills may be for.', examples: ['', ''] }),
  column('effective_to', optional(date('Effective To')), { meaning: 'The last such day.', examples: ['', ''] }),
  column('aliases', texts('Aliases'), {
    own: true,
    many: true,
    required: false,
    meaning: `Other numbers of the account, at most ${aliasesMax}.`,
    examples: ['', ''],
  }),
  column('audits_off', fields.audits_off, { meaning: 'Whether its bills are not audited.', examples: ['N', ''] }),
  column('accruals_off', fields.accruals_off, { meaning: 'Whether it is left out of accruals.', examples: ['N', ''] }),
]

function groupColumn(key: string): ImportColumn {
  return column('group_account_number', optional(text('Group Account', 100)), {
    own: true,
    key,
    meaning: 'The number of the group account that it belongs to, which another row of the file may bring.',
    examples: ['', ''],
  })
}

/** Columns that exports add to an account's own ones. */
const derivedHeaders = [
  'id',
  'client',
  'facility',
  'division',
  'division_name',
  'vendor',
  'services',
  'service_names',
  'service_types',
  'last_bill_date',
]

const partNotes = [
  'A row is an account with one of its services; further rows of the same account bring further services, and may leave the account’s own columns empty. Without a meter number a row is about the account alone.',
  'An account is stored with all of its rows or not at all.',
  'An account is found by its number as it stands, then without spaces and dashes, then by its aliases.',
]

export const billableAccountImport = importKind({
  name: 'billableAccount',
  label: 'Billable Account',
  labels: 'Billable Accounts',
  key: ['account_number', 'vendor_short_code'],
  part: servicePart,
  notes: partNotes,
  passedOver: [...derivedHeaders, 'group_account'],
  columns: [
    column('account_number', fields.account_number, { meaning: 'The number on the vendor’s bills.', examples: ['4417-002-88', '90871'] }),
    reference('vendor_short_code', fields.vendor_id, {
      key: 'vendor_id',
      meaning: 'The vendor that bills it.',
      examples: ['NPWR', 'HVGAS'],
      to: { refers: 'vendors', by: 'short_code', label: 'vendor' },
    }),
    reference('facility_number', fields.facility_id, {
      key: 'facility_id',
      meaning: 'The facility that it serves.',
      examples: ['1001', '1002'],
      to: { refers: 'facilities', by: 'number', label: 'facility' },
    }),
    column('name', fields.name, { meaning: 'The name of the account.', examples: ['Albany Warehouse Electric', 'Troy Store Gas'] }),
    reference('utility_service_code', fields.utility_service_id, {
      key: 'utility_service_id',
      meaning: 'What the vendor delivers.',
      examples: ['', ''],
      to: { refers: 'utility_services', by: 'code', label: 'utility service' },
    }),
    column('active', fields.active, { meaning: 'Whether bills are expected.', examples: ['Y', 'Y'] }),
    column('is_group_account', fields.is_group_account, { meaning: 'Whether it gathers other accounts.', examples: ['N', 'N'] }),
    groupColumn('group_account_id'),
    column('tax_id', fields.tax_id, { meaning: 'Tax ID.', examples: ['', ''] }),
    ...addressColumns,
    column('billing_period', optional(billingPeriod), { meaning: 'How often it is billed.', examples: ['Monthly', '2'] }),
    ...billingColumns,
    ...serviceImportColumns,
  ],
})

export const supplyAccountImport = importKind({
  name: 'supplyAccount',
  label: 'Supply Account',
  labels: 'Supply Accounts',
  key: ['account_number', 'vendor_short_code'],
  part: servicePart,
  notes: [
    ...partNotes,
    'Services that the account supplies are named by their meters: of one billable account, or of as many as there are meters, one after the other.',
  ],
  passedOver: [...derivedHeaders, 'group_supply_account'],
  columns: [
    column('account_number', supply.account_number, { meaning: 'The number on the supplier’s bills.', examples: ['S-20011', 'S-20012'] }),
    reference('vendor_short_code', supply.vendor_id, {
      key: 'vendor_id',
      meaning: 'The supplier.',
      examples: ['NPWR', ''],
      to: { refers: 'vendors', by: 'short_code', label: 'vendor' },
    }),
    reference('facility_number', supply.facility_id, {
      key: 'facility_id',
      meaning: 'The facility that it serves.',
      examples: ['1001', ''],
      to: { refers: 'facilities', by: 'number', label: 'facility' },
    }),
    column('name', supply.name, { meaning: 'The name of the account.', examples: ['Albany Warehouse Supply', 'Troy Store Supply'] }),
    column('active', supply.active, { meaning: 'Whether bills are expected.', examples: ['Y', 'Y'] }),
    column('is_group_account', supply.is_group_account, { meaning: 'Whether it gathers other supply accounts.', examples: ['N', 'N'] }),
    groupColumn('group_supply_account_id'),
    column('linked_billable_account_number', texts('Linked Billable Account'), {
      own: true,
      many: true,
      repeats: true,
      required: false,
      meaning: 'The account that delivers what this one supplies.',
      examples: ['4417-002-88', ''],
    }),
    column('linked_meter_number', texts('Linked Meters'), {
      own: true,
      many: true,
      repeats: true,
      required: false,
      key: 'billable_service_ids',
      meaning: 'Its meters there; meter:CODE where two services share a meter, with the code of the utility service.',
      examples: ['M-5521', ''],
    }),
    column('service_identifiers', texts('Service Identifiers'), {
      own: true,
      many: true,
      required: false,
      meaning: 'What the supplier calls the points that it delivers to.',
      examples: ['', ''],
    }),
    column('tax_ids', texts('Tax IDs'), { own: true, many: true, required: false, meaning: 'Tax IDs.', examples: ['', ''] }),
    ...addressColumns,
    column('billing_period', supply.billing_period, {
      meaning: 'How often it is billed; monthly unless told.',
      examples: ['Monthly', '2'],
    }),
    ...billingColumns,
    ...serviceImportColumns,
    billableLedgersColumn,
  ],
})
