/** The imports of shared data and of data above a client's hierarchy: vendors, clients, and vendors' numbers at a client. */
import { client } from './client.ts'
import { clientVendorNumber } from './client-vendor-number.ts'
import { column, importKind, reference } from '../kernel/import.ts'
import { vendor } from '../vendors/vendor.ts'

const { fields } = vendor

export const vendorImport = importKind({
  name: 'vendor',
  label: 'Vendor',
  labels: 'Vendors',
  key: ['short_code'],
  passedOver: [
    'id',
    'display_name',
    'vendor',
    'account_type',
    'account_holder',
    'prenote',
    'prenote_date',
    'remittance_email',
    'remittance_by_mail',
  ],
  notes: [
    'Bank numbers are kept encrypted; the report shows their last characters only. They wait until a second person approves them.',
    'Account type, account holder, prenote and remittance advice by mail are set in the vendor’s form.',
  ],
  columns: [
    column('short_code', fields.short_code, { meaning: 'What the vendor is known by; it is unique.', examples: ['NPWR', 'HVGAS'] }),
    column('name', fields.name, { meaning: 'The name of the vendor.', examples: ['Northern Power & Light', 'Hudson Valley Gas'] }),
    column('street_address_1', fields.street_address_1, { meaning: 'First line of the address.', examples: ['100 Main Street', ''] }),
    column('street_address_2', fields.street_address_2, { meaning: 'Second line of the address.', examples: ['Suite 4', ''] }),
    column('city', fields.city, { meaning: 'City.', examples: ['Albany', ''] }),
    column('state', fields.state, { meaning: 'State.', examples: ['NY', ''] }),
    column('zip', fields.zip, { meaning: 'Zipcode.', examples: ['12207', ''] }),
    column('country', fields.country, { meaning: 'Country.', examples: ['USA', ''] }),
    column('phone', fields.phone, { meaning: 'Phone.', examples: ['518-555-0100', ''] }),
    reference('payment_methods', fields.payment_method_ids, {
      key: 'payment_method_ids',
      required: false,
      many: true,
      meaning: 'How the vendor is paid; the first is the usual one.',
      examples: ['ACH;Check', 'Check'],
      to: { refers: 'payment_methods', by: 'name', label: 'payment method' },
    }),
    column('exclusive', fields.is_exclusive, {
      key: 'is_exclusive',
      meaning: 'Its bills can only be batched individually or with bills of the same vendor.',
      examples: ['N', 'Y'],
    }),
    column('payment_terms_days', fields.payment_terms_days, {
      meaning: 'The due date of a statement that prints none is its bill date plus these days.',
      examples: ['30', ''],
    }),
    column('po_box', fields.po_box, { meaning: 'The routing number that payments go to.', examples: ['021000021', ''] }),
    column('payment_identifier', fields.payment_identifier, {
      meaning: 'The accounting number that payments go to.',
      examples: ['7730012', ''],
    }),
    column('tariffs_link', fields.tariffs_link, { meaning: 'The name on the W-9.', examples: ['Northern Power & Light Inc.', ''] }),
    column('active', fields.active, { meaning: 'Whether the vendor is offered for new accounts.', examples: ['Y', ''] }),
    column('remittance', fields.remittance, {
      meaning: 'What a payment tells the vendor about the bills that it pays.',
      examples: ['ctx', ''],
    }),
    column('remit_name', fields.remit_name, {
      meaning: 'Who payments by check are made out to.',
      examples: ['Northern Power & Light', ''],
    }),
    column('remit_street_address_1', fields.remit_street_address_1, {
      meaning: 'Where checks are sent, where that is not the address.',
      examples: ['PO Box 4401', ''],
    }),
    column('remit_street_address_2', fields.remit_street_address_2, { meaning: 'Second line of it.', examples: ['', ''] }),
    column('remit_city', fields.remit_city, { meaning: 'City of it.', examples: ['Albany', ''] }),
    column('remit_state', fields.remit_state, { meaning: 'State of it.', examples: ['NY', ''] }),
    column('remit_zip', fields.remit_zip, { meaning: 'Zip code of it.', examples: ['12201', ''] }),
    column('aliases', fields.aliases, {
      many: true,
      meaning: 'Other names under which bills and files know the vendor.',
      examples: ['Northern P&L;NPL', ''],
    }),
  ],
})

export const clientImport = importKind({
  name: 'client',
  label: 'Client',
  labels: 'Clients',
  key: ['short_code'],
  // The retrieval service is a setting of the installation.
  passedOver: ['id', 'logo_file', 'retrieval_service'],
  columns: [
    column('short_code', client.fields.short_code, { meaning: 'What the client is known by; it is unique.', examples: ['LAKE', 'RIDGE'] }),
    column('name', client.fields.name, { meaning: 'The name of the client.', examples: ['Lakeside Foods', 'Ridgeview Schools'] }),
    column('identifier', client.fields.identifier, {
      meaning: 'The number under which you know the client.',
      examples: ['C-1001', 'C-1002'],
    }),
    column('active', client.fields.active, { meaning: 'Whether the client is active.', examples: ['Y', ''] }),
    reference('channel_partner', client.fields.channel_partner_id, {
      key: 'channel_partner_id',
      meaning: 'The channel partner that looks after the client.',
      examples: ['', ''],
      to: { refers: 'channel_partners', by: 'name', label: 'channel partner' },
    }),
    column('bills_due_on', client.fields.bills_due_on, { meaning: 'When bills to the client fall due.', examples: ['Upon Receipt', ''] }),
    column('notes', client.fields.notes, { meaning: 'Notes.', examples: ['', ''] }),
    column('user_management', client.fields.user_management, {
      meaning: 'Subscription: the client keeps its own users.',
      examples: ['Y', ''],
    }),
    column('utility_payment_management', client.fields.utility_payment_management, {
      meaning: 'Subscription: vendors are paid for the client.',
      examples: ['N', ''],
    }),
    column('accounting_batch_management', client.fields.accounting_batch_management, {
      meaning: 'Subscription: bills are batched for the client’s books.',
      examples: ['Y', ''],
    }),
    column('ledger_account_management', client.fields.ledger_account_management, {
      meaning: 'Subscription: the client keeps ledger fields and accounts.',
      examples: ['N', ''],
    }),
  ],
})

export const clientVendorNumberImport = importKind({
  name: 'clientVendorNumber',
  label: 'Client Vendor Number',
  labels: 'Client Vendor Numbers',
  key: ['vendor_short_code'],
  passedOver: ['id', 'vendor', 'vendor_name', 'client'],
  columns: [
    reference('vendor_short_code', clientVendorNumber.fields.vendor_id, {
      key: 'vendor_id',
      meaning: 'The short code of the vendor.',
      examples: ['NPWR', 'HVGAS'],
      to: { refers: 'vendors', by: 'short_code', label: 'vendor' },
    }),
    column('vendor_number', clientVendorNumber.fields.vendor_number, {
      meaning: 'The number under which the client’s books know the vendor.',
      examples: ['V-000123', 'V-000124'],
    }),
  ],
})
