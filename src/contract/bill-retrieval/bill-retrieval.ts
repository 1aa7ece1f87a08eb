/**
 * Bills from a retrieval service: statements are fetched and stored, each with a state that tells whether it can become a bill; a user chooses,
 * and a task creates the bills. Every record is the specification's third-party bill record with its state.
 */
import { z } from 'zod'
import { accountTypes } from '../bills/bill.ts'
import { facility } from '../clients/facility.ts'
import { call, exportOf, listReply, started, type ListReply } from '../kernel/call.ts'
import {
  boolean,
  choice,
  date,
  derived,
  entity,
  instant,
  list,
  longText,
  money,
  optional,
  ref,
  text,
  type Row,
  numberText,
} from '../kernel/entity.ts'
import { listInput } from '../kernel/query.ts'
import { states } from '../accounts/address.ts'
import { accountCharge, meter, retrievalRecord, statementKinds, statementStates } from './statement.ts'
import { vendor } from '../vendors/vendor.ts'

export const stateLabels = {
  new: 'New',
  matched: 'Matched',
  needs_account: 'Needs account',
  needs_meter: 'Needs meter',
  duplicate: 'Duplicate',
  created: 'Created',
  ignored: 'Ignored',
} as const

const stateChoices = statementStates.map((value) => ({ value, label: stateLabels[value] }))
const kindLabels = { bill: 'Bill', adjustment: 'Adjustment', notice: 'Notice' } as const
const kindChoices = statementKinds.map((value) => ({ value, label: kindLabels[value] }))

/** Amounts are null on a statement that prints none; such a statement is `ignored`, with a reason. */
export const retrievedStatement = entity(
  'record',
  'records',
  {
    statement_id: derived(text('Statement')),
    file_id: derived(text('File')),
    kind: derived(choice('Kind', kindChoices)),
    client: derived(text('Client')),
    provider: derived(text('Provider')),
    provider_name: derived(text('Utility')),
    account_number: derived(numberText('Account Number')),
    invoice_number: derived(optional(numberText('Invoice Number'))),
    bill_date: derived(optional(date('Bill Date'))),
    due_date: derived(optional(date('Due Date'))),
    interval_start: derived(optional(date('From'))),
    interval_end: derived(optional(date('To'))),
    meters: derived(list('Meters', z.array(meter))),
    account_charges: derived(list('Account Charges', z.array(accountCharge))),
    balance_forward: derived(optional(money('Balance Forward'))),
    current_charges: derived(optional(money('Current Charges'))),
    late_fee: derived(optional(money('Late Fee'))),
    amount_due: derived(optional(money('Amount Due'))),
    notes: derived(optional(longText('Notes'))),
    rebill_adjustment: derived(boolean('Rebill/Adjustment')),
    qc: derived(boolean('QC')),
    parked: derived(boolean('Parked')),
    attachment: derived(text('Attachment')),
    assumed: derived(list('Assumed', z.array(z.string()))),
    service_address: derived(optional(text('Service Address'))),
    state: derived(choice('State', stateChoices)),
    reason: derived(optional(text('Reason'))),
    account_type: derived(optional(choice('Account Type', accountTypes))),
    account_id: derived(optional(ref('Account', 'billable_accounts'))),
    account_name: derived(optional(text('Account'))),
    vendor_id: derived(optional(ref('Vendor', 'vendors'))),
    vendor_name: derived(optional(text('Vendor'))),
    bill_id: derived(optional(ref('Bill', 'bills'))),
    fetched_at: derived(instant('Fetched')),
    client_id: derived(ref('Client', 'clients')),
  },
  {
    filter: [
      'id',
      'state',
      'kind',
      'provider_name',
      'account_number',
      'statement_id',
      'file_id',
      'bill_date',
      'amount_due',
      'account_name',
      'vendor_id',
      'bill_id',
      'reason',
    ],
    sort: ['bill_date', 'provider_name', 'account_number', 'amount_due', 'state', 'fetched_at', 'id'],
    defaultSort: 'bill_date desc',
    sizes: [10, 20, 50, 100, 200, 1000],
  },
  { label: 'Statement', labels: 'Statements' },
)
export type RetrievedStatement = Row<typeof retrievedStatement>

const count = z.int()
/** Statements by state, for the whole client and for each utility. States without statements are absent. */
export const statementCounts = z.object({
  by_state: z.record(z.string(), count),
  by_utility: z.array(z.object({ provider_name: z.string(), total: count, by_state: z.record(z.string(), count) })),
})
export type StatementCounts = z.infer<typeof statementCounts>

const serviceStatus = z.object({
  provider: z.string(),
  label: z.string(),
  ok: z.boolean(),
  message: z.string().nullable(),
  /** Accounts by the state of their sign-in at the utility. */
  credentials: z.object({ ok: count, failed: count, needs_action: count }),
  /** The time of the last complete fetch, the latest bill date then, and the error of the last fetch. */
  checked_at: z.string().nullable(),
  read_until: z.string().nullable(),
  failed_at: z.string().nullable(),
  error: z.string().nullable(),
  counts: statementCounts,
})
export type RetrievalStatus = z.infer<typeof serviceStatus>

const suggestion = z.object({ id: z.int(), name: z.string() })
const accountsNeeded = z.object({
  utilities: z.array(
    z.object({
      provider_name: z.string(),
      statements: count,
      accounts: count,
      commodities: z.array(z.string()),
      /** The vendor that this utility was matched to before, or one with the same name. */
      vendor: suggestion.nullable(),
    }),
  ),
  /** At most `accountsNeededMax`, those with the most statements first. */
  accounts: z.array(
    z.object({
      provider_name: z.string(),
      account_number: z.string(),
      statements: count,
      first_date: z.string().nullable(),
      last_date: z.string().nullable(),
      commodities: z.array(z.string()),
      service_address: z.string().nullable(),
      reason: z.string().nullable(),
    }),
  ),
  total: count,
})
export type AccountsNeeded = z.infer<typeof accountsNeeded>

export const accountsNeededMax = 2_000
/** Most records that one call may name; more are chosen by `all_matching`. */
export const recordsPerCallMax = 5_000
export const statementsPerImportMax = 20_000
export const utilitiesPerCallMax = 500

const q = z.record(
  z.string().max(100),
  z.union([z.string(), z.number(), z.boolean(), z.array(z.union([z.string(), z.number()])).max(1_000)]),
)
const filter = z.strictObject({ q: q.optional() })

/** The sent part of a record: its file id, and a user's changes. A whole record may be sent as listed; its state keys are ignored. */
export const chosenRecordSchema = retrievalRecord
  .pick({
    statement_id: true,
    invoice_number: true,
    bill_date: true,
    due_date: true,
    interval_start: true,
    interval_end: true,
    meters: true,
    account_charges: true,
    balance_forward: true,
    current_charges: true,
    late_fee: true,
    amount_due: true,
    notes: true,
    rebill_adjustment: true,
    qc: true,
    parked: true,
  })
  .partial()
  .extend({
    file_id: retrievalRecord.shape.file_id,
    // A default would fill a gap: an unsent field keeps the statement's value.
    invoice_number: z.string().max(100).nullable().optional(),
    interval_start: z.iso.date().nullable().optional(),
    interval_end: z.iso.date().nullable().optional(),
    notes: z.string().max(10_000).nullable().optional(),
    /** The relation of a corrected statement to the bill of its period; by default, the same period replaces and any other adds. */
    rebill_mode: z.enum(['replace', 'add']).nullable().optional(),
    /** Creates the bill although a similar one exists (G-DUP-OVERRIDE). */
    override_reason: z.string().max(1_000).nullable().optional(),
  })
export type ChosenRecord = z.infer<typeof chosenRecordSchema>

export const newAccountAddress = z.strictObject({
  street_address_1: z.string().trim().min(1).max(255),
  city: z.string().trim().min(1).max(100),
  state: z.enum(states.map((state) => state.value)),
  zip: z.string().trim().min(1).max(20),
})

/** For all missing accounts of a utility: their vendor and their facility. The address is used if the statement prints none. */
export const newAccounts = z
  .strictObject({
    provider_name: z.string().min(1).max(500),
    vendor_id: z.int().positive().optional(),
    new_vendor: z.strictObject({ name: vendor.fields.name.schema, short_code: vendor.fields.short_code.schema }).optional(),
    facility_id: z.int().positive().optional(),
    new_facility: z
      .strictObject({
        name: facility.fields.name.schema,
        number: facility.fields.number.schema,
        division_id: facility.fields.division_id.schema,
      })
      .optional(),
    address: newAccountAddress.optional(),
  })
  .refine((one) => (one.vendor_id === undefined) !== (one.new_vendor === undefined), {
    error: 'Pick a vendor or name a new one',
    path: ['vendor_id'],
  })
  .refine((one) => (one.facility_id === undefined) !== (one.new_facility === undefined), {
    error: 'Pick a facility or name a new one',
    path: ['facility_id'],
  })
export type NewAccounts = z.infer<typeof newAccounts>

/**
 * The choice for a statement with a meter that the account does not have: leave the statement, add the meter, or create the bill without it and
 * flag it.
 */
export const missingMeters = ['leave', 'add', 'flag'] as const
export type MissingMeters = (typeof missingMeters)[number]

const importBody = z.strictObject({
  data: z
    .array(chosenRecordSchema)
    .min(1, 'Choose at least one record')
    .max(recordsPerCallMax, `At most ${recordsPerCallMax} records; choose all that match instead`)
    .optional(),
  /** Everything that matches the filter, instead of `data`. */
  all_matching: z.boolean().optional(),
  filter: filter.optional(),
  new_accounts: z.array(newAccounts).max(utilitiesPerCallMax).optional(),
  missing_meters: z.enum(missingMeters).optional(),
  connection_id: z.string().max(100).optional(),
})
export type ImportBody = z.infer<typeof importBody>

const choiceBody = z.strictObject({
  file_ids: z.array(z.string().min(1).max(300)).min(1).max(recordsPerCallMax).optional(),
  all_matching: z.boolean().optional(),
  filter: filter.optional(),
  reason: z.string().trim().max(500).optional(),
})
export type ChoiceBody = z.infer<typeof choiceBody>

/** The result of an import by outcome; the first refused ones by name, all of them in the task's file. */
export const importResult = z.object({
  read: count,
  created: count,
  duplicate: count,
  /** Not created, each with its reason. */
  refused: count,
  /** Created before this import began. */
  before: count,
  drafts: count,
  new_accounts: count,
  new_services: count,
  reasons: z.record(z.string(), count),
  records: z.array(
    z.object({
      statement_id: z.string(),
      file_id: z.string(),
      account_number: z.string(),
      bill_date: z.string().nullable(),
      state: z.string(),
      reason: z.string(),
      /** The statement, and the bill that it repeats. */
      id: z.int().optional(),
      bill_id: z.int().nullable().optional(),
    }),
  ),
})
export type ImportResult = z.infer<typeof importResult>
export const reportedRecordsMax = 500

export const fetchResult = z.object({
  listed: count,
  fetched: count,
  /** Statements that the service listed but could not deliver; the next fetch requests them again. */
  failed: count,
  failures: z.array(z.object({ statement_id: z.string(), account_number: z.string(), message: z.string() })),
  counts: statementCounts,
})
export type FetchResult = z.infer<typeof fetchResult>

const base = '/clients/:client_id/bill_retrieval'
const may = 'bill.create'
const recordsReply: z.ZodType<ListReply<'records', RetrievedStatement> & { counts?: StatementCounts | undefined }> = z.intersection(
  listReply('records', retrievedStatement.row),
  z.object({ counts: statementCounts.optional() }),
)
const fileParams = z.object({
  client_id: z
    .string()
    .regex(/^[1-9]\d{0,15}$/)
    .transform(Number),
  file_id: z.string().min(1).max(300),
})

const listStatements = call({
  name: 'bill_retrieval.statements',
  method: 'GET',
  path: `${base}/statements`,
  may,
  summary: 'The fetched statements of a client as third-party bill records, each with its state, and their counts',
  query: listInput,
  reply: recordsReply,
})

export const billRetrievalCalls = {
  list: listStatements,
  exportCsv: exportOf(listStatements, 'fetched statements'),
  status: call({
    name: 'bill_retrieval.status',
    method: 'GET',
    path: `${base}/status`,
    may,
    summary: 'How the retrieval service is and how far its statements are read',
    reply: serviceStatus,
  }),
  fetch: call({
    name: 'bill_retrieval.fetch',
    method: 'POST',
    path: `${base}/fetch`,
    may,
    summary: 'Starts fetching all statements that are not here yet',
    reply: started,
  }),
  pdf: call({
    name: 'bill_retrieval.pdf',
    method: 'GET',
    path: `${base}/statements/:file_id/pdf`,
    may,
    summary: 'The PDF of a statement; the first reading stores it',
    params: fileParams,
    replyKind: 'stream',
  }),
  accountsNeeded: call({
    name: 'bill_retrieval.accounts_needed',
    method: 'GET',
    path: `${base}/accounts_needed`,
    may,
    summary: 'Accounts that statements name and that are not there yet, by utility',
    reply: accountsNeeded,
  }),
  match: call({
    name: 'bill_retrieval.match',
    method: 'POST',
    path: `${base}/match`,
    may,
    summary: 'Says which account the statements of a number belong to; the number becomes an alias of the account',
    body: z.strictObject({
      account_number: z.string().min(1).max(100),
      provider_name: z.string().min(1).max(500),
      account_id: z.int().positive(),
      account_type: z.enum(accountTypes.map((one) => one.value)).optional(),
    }),
    reply: z.object({ success: z.boolean(), message: z.string(), matched: count }),
  }),
  ignore: call({
    name: 'bill_retrieval.ignore',
    method: 'POST',
    path: `${base}/statements/ignore`,
    may,
    summary: 'Puts statements aside that shall not become bills',
    body: choiceBody,
  }),
  unignore: call({
    name: 'bill_retrieval.unignore',
    method: 'POST',
    path: `${base}/statements/unignore`,
    may,
    summary: 'Takes statements back that were put aside',
    body: choiceBody,
  }),
  retrievalImport: call({
    name: 'bills.retrieval_import',
    method: 'POST',
    path: '/clients/:client_id/bills/retrieval_import',
    may,
    summary: 'Starts making bills of the chosen statements, each once however often it is sent',
    body: importBody,
    reply: started,
  }),
}
