/**
 * A bank profile: the account that pays a client's vendors, and the file formats of its bank. A client may have several, one of which is the
 * default; a profile without a client is the provider's own, and the provider's default pays for clients without any. Changed by staff only.
 */
import { z } from 'zod'
import { crudCalls } from '../kernel/call.ts'
import {
  boolean,
  choice,
  defaulted,
  derived,
  entity,
  helped,
  integer,
  list,
  money,
  numberText,
  optional,
  ref,
  secret,
  shownOnly,
  text,
  type Draft,
  type Row,
} from '../kernel/entity.ts'
import { entryDescriptionLengthMax } from '../payment-files/profile-gaps.ts'
import { editableFormats } from '../payment-files/layout-faults.ts'
import { presetLabels, presetsOf } from '../payment-files/layout-presets.ts'
import type { FileFormat } from '../payment-files/layout.ts'

export const leadDaysMax = 10
/** Allowed account numbers: the same as a vendor's at an export. */
export const accountNumberPattern = /^[A-Za-z0-9-]{4,17}$/

const lineEnds = [
  { value: 'lf', label: 'Line feed (LF)' },
  { value: 'crlf', label: 'Carriage return and line feed (CRLF)' },
  { value: 'none', label: 'None' },
] as const
const characterSets = [
  { value: 'standard', label: "Letters, digits, space and . - / & ' , ( ) #" },
  { value: 'narrow', label: "Letters, digits, space and . - '" },
] as const
const ownAccountTypes = [
  { value: 'checking', label: 'Checking' },
  { value: 'savings', label: 'Savings' },
] as const

/** The formats whose layout a profile chooses. */
export const chosenFormats = ['standard', 'nacha_plus', 'ach_2', 'ach_bank', 'positive_pay'] as const satisfies readonly FileFormat[]

/** A layout of the profile's own is written on the page of its layouts; here it is chosen. */
export const ownLayout = 'own'

const gap = z.object({ field: z.string(), sentence: z.string() })
export type BankProfileGap = z.infer<typeof gap>

export const originatingProfile = entity(
  'originating_profile',
  'originating_profiles',
  {
    client_id: helped(optional(ref('Client', 'clients')), 'Empty for the provider’s own. It stays once it is saved.'),
    client_name: derived(text('Payer')),
    name: text('Name', 100),
    active: defaulted(boolean('Active'), true),
    is_default: helped(defaulted(boolean('Default'), true), 'Pays where nothing else is chosen. A client has one default profile.'),
    bank_name: optional(text('Bank', 60)),
    routing_number: helped(optional(numberText('Routing Number', 9)), 'Of the payer’s own bank.'),
    account_number: optional(secret('Account Number', 17)),
    account_type: defaulted(choice('Account Type', ownAccountTypes), 'checking'),
    immediate_destination: helped(optional(numberText('Immediate Destination', 9)), 'Routing number of the bank that takes the file.'),
    immediate_destination_name: optional(text('Destination Name', 23)),
    immediate_origin: helped(optional(numberText('Immediate Origin', 10)), 'What the bank has assigned: 9 or 10 characters.'),
    immediate_origin_name: optional(text('Origin Name', 23)),
    company_name: helped(optional(text('Company Name', 16)), 'Vendors read it as the payer.'),
    company_id: helped(
      optional(numberText('Company ID', 10)),
      '1 and the EIN, 3 and the DUNS number, or 9 and what the bank has assigned.',
    ),
    entry_description: defaulted(text('Entry Description', entryDescriptionLengthMax), 'UTIL PYMT'),
    discretionary_data: optional(text('Discretionary Data', 20)),
    balanced: helped(defaulted(boolean('Balanced'), false), 'Each batch ends with a debit of the payer’s own account.'),
    lead_days: helped(defaulted(integer('Lead Days', { min: 0, max: leadDaysMax }), 1), 'Banking days until a file settles.'),
    cutoff_time: helped(defaulted(choice('Cut-off', halfHours()), '17:00'), 'New York time. A later file counts for the next banking day.'),
    same_day_allowed: defaulted(boolean('Same Day ACH'), false),
    entry_limit: optional(money('Payment Limit')),
    file_limit: optional(money('File Limit')),
    release_always: helped(defaulted(boolean('Always Release'), false), 'Each export waits for a release by a second person.'),
    release_vendor_limit: helped(optional(money('Limit for a Vendor')), 'An export that pays one vendor more waits for a release.'),
    release_export_limit: helped(optional(money('Limit for an Export')), 'An export of more waits for a release.'),
    release_day_limit: helped(
      optional(money('Limit for a Person and Day')),
      'What takes the exports of one person on a New York day above it waits for a release.',
    ),
    release_apart: helped(
      defaulted(boolean('Apart from the Bills'), false),
      'Who entered or batched one of the bills, or resolved an error of one, does not release.',
    ),
    line_end: defaulted(choice('Line End', lineEnds), 'lf'),
    character_set: defaulted(choice('Characters', characterSets), 'standard'),
    standard_layout: layoutField('Standard', 'standard'),
    nacha_plus_layout: layoutField('NACHA+', 'nacha_plus'),
    ach_2_layout: layoutField('ACH 2 Internal', 'ach_2'),
    ach_bank_layout: layoutField('ACH Bank', 'ach_bank'),
    positive_pay_layout: layoutField('Positive pay', 'positive_pay'),
    avid_payer_id: optional(numberText('Avid Payer ID', 40)),
    avid_bank_account_id: optional(numberText('Avid Bank Account ID', 40)),
    street_address_1: optional(text('Street Address 1', 100)),
    street_address_2: optional(text('Street Address 2', 100)),
    city: optional(text('City', 28)),
    state: optional(text('State', 2)),
    zip: optional(text('Zipcode', 10)),
    next_check_number: defaulted(integer('Next Check Number', { min: 1, max: 9_999_999_999 }), 1),
    gaps: shownOnly(optional(list('Incomplete', z.array(gap)))),
  },
  {
    filter: ['id', 'client_id', 'client_name', 'name', 'bank_name', 'active', 'is_default', 'company_name', 'company_id', 'routing_number'],
    sort: ['client_name', 'name', 'bank_name', 'active', 'is_default', 'company_name', 'id'],
    defaultSort: 'client_name asc',
  },
  { label: 'Bank Profile', labels: 'Bank Profiles' },
)
export type OriginatingProfile = Row<typeof originatingProfile>
export type OriginatingProfileDraft = Draft<typeof originatingProfile>

export const originatingProfileCalls = {
  ...crudCalls(originatingProfile, '/originating_profiles', {
    read: 'global_batch.read',
    create: 'global_batch.create',
    update: 'global_batch.update',
    destroy: 'global_batch.destroy',
  }),
}

function layoutField(label: string, format: FileFormat) {
  const [first, ...rest] = presetsOf(format)
  const presets = [first, ...rest].map((value) => ({ value, label: presetLabels[value] }))
  const own = editableFormats.some((one) => one === format) ? [{ value: ownLayout, label: 'Own layout' }] : []
  return defaulted(choice(label, [...presets, ...own]), first)
}

/** Each half hour of the day, in the format of the bank's cutoff. */
function halfHours() {
  return Array.from({ length: 48 }, (_, at) => {
    const hour = Math.floor(at / 2)
    const minute = at % 2 === 0 ? '00' : '30'
    return {
      value: `${String(hour).padStart(2, '0')}:${minute}`,
      label: `${hour % 12 === 0 ? 12 : hour % 12}:${minute} ${hour < 12 ? 'AM' : 'PM'}`,
    }
  })
}
