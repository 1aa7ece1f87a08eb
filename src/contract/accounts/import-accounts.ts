/** The imports of accounts with their services. */
import { billingPeriod } from './account-fields.ts'
import { billableLedgersColumn, serviceImportColumns, servicePart } from '../services/import-services.ts'
import { optional } from '../kernel/entity.ts'
import { column, importKind, reference } from '../kernel/import.ts'
import { supplyAccount } from './supply-account.ts'
import { partNotes, derivedHeaders, fields, groupColumn, addressColumns, billingColumns, texts } from './account-columns.ts'

const supply = supplyAccount.fields

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
