/** The imports of a client's hierarchy: divisions, facilities, billable accounts. */
import { billableAccount } from './billable-account.ts'
import { division } from './division.ts'
import { facility } from './facility.ts'
import { column, importKind, reference } from './kernel/import.ts'

const account = billableAccount.fields

export const divisionImport = importKind({
  name: 'division',
  label: 'Division',
  labels: 'Divisions',
  key: ['code'],
  passedOver: ['id', 'client'],
  columns: [
    column('code', division.fields.code, { meaning: 'What the division is known by inside the client.', examples: ['D01', 'D02'] }),
    column('name', division.fields.name, { meaning: 'The name of the division.', examples: ['East', 'West'] }),
    column('short_code', division.fields.short_code, { meaning: 'A short form of the name.', examples: ['E', 'W'] }),
    reference('batch_group', division.fields.batch_group_id, {
      key: 'batch_group_id',
      meaning: 'The batch group that its bills are batched with; it must be there.',
      examples: ['', ''],
      to: { refers: 'batch_groups', by: 'name', label: 'batch group' },
    }),
  ],
})

export const facilityImport = importKind({
  name: 'facility',
  label: 'Facility',
  labels: 'Facilities',
  key: ['number'],
  passedOver: ['id', 'client', 'division'],
  columns: [
    column('number', facility.fields.number, { meaning: 'What the facility is known by inside the client.', examples: ['1001', '1002'] }),
    column('name', facility.fields.name, { meaning: 'The name of the facility.', examples: ['Albany Warehouse', 'Troy Store'] }),
    reference('division_code', facility.fields.division_id, {
      key: 'division_id',
      meaning: 'The division that it belongs to.',
      examples: ['D01', 'D02'],
      to: { refers: 'divisions', by: 'code', label: 'division' },
    }),
    reference('facility_type', facility.fields.facility_type_id, {
      key: 'facility_type_id',
      meaning: 'What kind of facility it is.',
      examples: ['', ''],
      to: { refers: 'facility_types', by: 'name', label: 'facility type' },
    }),
    column('square_footage', facility.fields.square_footage, { meaning: 'Its floor area in square feet.', examples: ['12500', '3200.5'] }),
    reference('production_units', facility.fields.production_unit_ids, {
      key: 'production_unit_ids',
      required: false,
      many: true,
      meaning: 'What it produces.',
      examples: ['', ''],
      to: { refers: 'production_units', by: 'name', label: 'production unit' },
    }),
  ],
})

export const billableAccountImport = importKind({
  name: 'billableAccount',
  label: 'Billable Account',
  labels: 'Billable Accounts',
  key: ['account_number', 'vendor_short_code'],
  passedOver: [
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
    'group_account',
  ],
  columns: [
    column('account_number', account.account_number, { meaning: 'The number on the vendor’s bills.', examples: ['4417-002-88', '90871'] }),
    reference('vendor_short_code', account.vendor_id, {
      key: 'vendor_id',
      meaning: 'The vendor that bills it.',
      examples: ['NPWR', 'HVGAS'],
      to: { refers: 'vendors', by: 'short_code', label: 'vendor' },
    }),
    reference('facility_number', account.facility_id, {
      key: 'facility_id',
      meaning: 'The facility that it serves.',
      examples: ['1001', '1002'],
      to: { refers: 'facilities', by: 'number', label: 'facility' },
    }),
    column('name', account.name, { meaning: 'The name of the account.', examples: ['Albany Warehouse Electric', 'Troy Store Gas'] }),
    reference('utility_service_code', account.utility_service_id, {
      key: 'utility_service_id',
      meaning: 'What the vendor delivers.',
      examples: ['', ''],
      to: { refers: 'utility_services', by: 'code', label: 'utility service' },
    }),
    column('active', account.active, { meaning: 'Whether bills are expected.', examples: ['Y', 'Y'] }),
    column('is_group_account', account.is_group_account, { meaning: 'Whether it gathers other accounts.', examples: ['N', 'N'] }),
    column('tax_id', account.tax_id, { meaning: 'Tax ID.', examples: ['', ''] }),
    column('street_address_1', account.street_address_1, {
      meaning: 'Where the service is delivered.',
      examples: ['100 Main Street', '7 River Road'],
    }),
    column('street_address_2', account.street_address_2, { meaning: 'Second line of that address.', examples: ['', ''] }),
    column('city', account.city, { meaning: 'City.', examples: ['Albany', 'Troy'] }),
    column('state', account.state, { meaning: 'State, by its code or its name.', examples: ['NY', 'New York'] }),
    column('zip', account.zip, { meaning: 'Zipcode.', examples: ['12207', '12180'] }),
    column('mailing_address', account.mailing_address, { meaning: 'Where the bill is sent.', examples: ['', ''] }),
    column('mailing_city', account.mailing_city, { meaning: 'City that the bill is sent to.', examples: ['', ''] }),
    column('mailing_state', account.mailing_state, { meaning: 'State that the bill is sent to.', examples: ['', ''] }),
    column('mailing_zipcode', account.mailing_zipcode, { meaning: 'Zipcode that the bill is sent to.', examples: ['', ''] }),
    column('billing_period', account.billing_period, { meaning: 'How often it is billed.', examples: ['Monthly', '2'] }),
    column('billing_cycle', account.billing_cycle, { meaning: 'Days between two bills; 30 unless told.', examples: ['30', ''] }),
    column('notes', account.notes, { meaning: 'Notes.', examples: ['', ''] }),
  ],
})
