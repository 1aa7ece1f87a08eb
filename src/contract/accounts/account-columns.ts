/** The columns that files of billable accounts and of supply accounts have in common. */
import { aliasesMax } from './account-fields.ts'
import { billableAccount } from './billable-account.ts'
import { date, list, optional, text } from '../kernel/entity.ts'
import { column, type ImportColumn } from '../kernel/import.ts'

export const { fields } = billableAccount

/** A list of texts in a file. */
export function texts(label: string, length = 100) {
  return { ...list(label, optional(text(label, length)).schema), length }
}

export const addressColumns: readonly ImportColumn[] = [
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

export const billingColumns: readonly ImportColumn[] = [
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

export function groupColumn(key: string): ImportColumn {
  return column('group_account_number', optional(text('Group Account', 100)), {
    own: true,
    key,
    meaning: 'The number of the group account that it belongs to, which another row of the file may bring.',
    examples: ['', ''],
  })
}

/** Columns that exports add to an account's own ones. */
export const derivedHeaders = [
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

export const partNotes = [
  'A row is an account with one of its services; further rows of the same account bring further services, and may leave the account’s own columns empty. Without a meter number a row is about the account alone.',
  'An account is stored with all of its rows or not at all.',
  'An account is found by its number as it stands, then without spaces and dashes, then by its aliases.',
]
