/**
 * A vendor's bank details and their changes. A requested change waits until a second user approves it; the old details stay in force until then.
 * A change is never altered: a further request creates a new one, so that an id always means the same numbers.
 */
import { z } from 'zod'
import { call, crudCalls, exportInput, listReply, started, writeReply } from '../kernel/call.ts'
import {
  boolean,
  choice,
  derived,
  entity,
  instant,
  integer,
  list,
  optional,
  ref,
  secret,
  shownOnly,
  text,
  type Row,
} from '../kernel/entity.ts'
import { listInput } from '../kernel/query.ts'

/** Days for which a vendor shows that its bank details have changed: the time in which a fraud is usually discovered. */
export const bankChangeShownDays = 30
/** Full numbers that one user may reveal per hour. */
export const revealsPerHourMax = 30

export const accountTypes = [
  { value: 'checking', label: 'Checking' },
  { value: 'savings', label: 'Savings' },
  { value: 'general_ledger', label: 'General ledger' },
  { value: 'loan', label: 'Loan' },
] as const
/** Maximum length of a name in a payment file. */
export const accountHolderLengthMax = 22

/** The bank details of a vendor, which take two users to change. */
export const bankKeys = ['po_box', 'payment_identifier', 'account_type', 'account_holder'] as const
export type BankKey = (typeof bankKeys)[number]

export const bankChangeStates = [
  { value: 'waiting', label: 'Waiting' },
  { value: 'approved', label: 'Approved' },
  { value: 'refused', label: 'Refused' },
  { value: 'withdrawn', label: 'Withdrawn' },
  { value: 'replaced', label: 'Replaced' },
] as const

export const vendorBankChange = entity(
  'vendor_bank_change',
  'vendor_bank_changes',
  {
    vendor_id: derived(ref('Vendor Id', 'vendors')),
    vendor_name: derived(text('Vendor')),
    state: derived(choice('State', bankChangeStates)),
    /** The requested ones of the four; the others stay unchanged. */
    changed: derived(list('Changed', z.array(z.enum(bankKeys)))),
    po_box_before: derived(optional(secret('Routing Number Before'))),
    po_box: derived(optional(secret('Routing Number'))),
    payment_identifier_before: derived(optional(secret('Accounting Number Before'))),
    payment_identifier: derived(optional(secret('Accounting Number'))),
    account_type_before: derived(optional(choice('Account Type Before', accountTypes))),
    account_type: derived(optional(choice('Account Type', accountTypes))),
    account_holder_before: derived(optional(text('Account Holder Before'))),
    account_holder: derived(optional(text('Account Holder'))),
    routing_is_doubtful: derived(boolean('Doubtful Routing Number')),
    /** Other vendors that are paid to the same account. */
    also_used_by: derived(optional(text('Also Used By', 1_000))),
    requested_by: derived(integer('Requested By Id')),
    requested_by_name: derived(text('Requested By')),
    /** True if the reader requested it; another user must decide. */
    is_own: shownOnly(boolean('Your Own')),
    requested_at: derived(instant('Requested')),
    decided_by_name: derived(optional(text('Decided By'))),
    decided_at: derived(optional(instant('Decided'))),
    reason: derived(optional(text('Reason', 500))),
  },
  {
    filter: ['id', 'vendor_name', 'state', 'requested_by_name', 'requested_at', 'decided_by_name', 'decided_at', 'reason'],
    sort: ['requested_at', 'vendor_name', 'state', 'requested_by_name', 'decided_at', 'id'],
    defaultSort: 'requested_at desc',
  },
)
export type VendorBankChange = Row<typeof vendorBankChange>

/** The only response that contains full numbers. */
const bankDetails = z.object({
  bank_details: z.object({
    po_box: z.string().nullable(),
    payment_identifier: z.string().nullable(),
    account_type: z.string().nullable(),
    account_holder: z.string().nullable(),
  }),
})

const path = '/vendor_bank_changes'
const one = `${path}/:id` as const
const may = 'vendor.update'
const { list: listChanges, get, exportCsv } = crudCalls(vendorBankChange, path, { read: may, create: may, update: may, destroy: may })
const decided = writeReply('vendor_bank_change', vendorBankChange.row)

export const vendorBankChangeCalls = {
  list: listChanges,
  get,
  exportCsv,
  ofVendor: call({
    name: 'vendor_bank_changes.of_vendor',
    method: 'GET',
    path: '/vendors/:vendor_id/bank_changes',
    may,
    summary: 'The changes of one vendor’s bank details',
    query: listInput,
    reply: listReply('vendor_bank_changes', vendorBankChange.row),
  }),
  exportOfVendor: call({
    name: 'vendor_bank_changes.of_vendor_export',
    method: 'GET',
    path: '/vendors/:vendor_id/bank_changes/export_csv',
    effect: 'write',
    may,
    summary: 'Starts a CSV export of the changes of one vendor’s bank details',
    query: exportInput,
    reply: started,
  }),
  approve: call({
    name: 'vendor_bank_changes.approve',
    method: 'POST',
    path: `${one}/approve`,
    may: 'vendor_bank_detail.update',
    summary: 'Puts a waiting change in force; never by who asked for it',
    reply: decided,
  }),
  refuse: call({
    name: 'vendor_bank_changes.refuse',
    method: 'POST',
    path: `${one}/refuse`,
    may: 'vendor_bank_detail.update',
    summary: 'Refuses a waiting change and says why',
    body: z.strictObject({ reason: text('Reason', 500).schema }, { error: 'Reason is required' }),
    reply: decided,
  }),
  withdraw: call({
    name: 'vendor_bank_changes.withdraw',
    method: 'POST',
    path: `${one}/withdraw`,
    may,
    summary: 'Takes back a waiting change; only who asked for it',
    reply: decided,
  }),
  reveal: call({
    name: 'vendor_bank_changes.bank_details',
    method: 'GET',
    path: `${one}/bank_details`,
    effect: 'write',
    may: 'vendor_bank_detail.read',
    summary: 'The full numbers of a waiting change; noted in the audit log',
    reply: bankDetails,
    secretReply: true,
  }),
  revealVendor: call({
    name: 'vendors.bank_details',
    method: 'GET',
    path: '/vendors/:id/bank_details',
    effect: 'write',
    may: 'vendor_bank_detail.read',
    summary: 'The full numbers that a vendor is paid to; noted in the audit log',
    reply: bankDetails,
    secretReply: true,
  }),
}
