/** The home page: what waits for the reader, in sections. A section is null where the reader has no right to it. */
import { z } from 'zod'
import { findingSeverities } from '../bill-findings/bill-finding.ts'
import { exception } from '../exceptions/exception.ts'
import { call } from '../kernel/call.ts'

/** Rows of a section: one more than the console counts, so that "99+" needs no count of its own. */
export const homeRowsMax = 100

const amount = z.string()
const ofClient = { client_id: z.int(), client_name: z.string() }

const section = <Row>(row: z.ZodType<Row>): z.ZodType<readonly Row[] | null> => z.array(row).max(homeRowsMax).nullable()

const homeFinding = z.object({
  id: z.int(),
  ...ofClient,
  bill_id: z.int(),
  severity: z.enum(findingSeverities.map(({ value }) => value)),
  code: z.string(),
  message: z.string(),
  account_number: z.string(),
  vendor_name: z.string().nullable(),
  amount_due: amount,
  created_at: z.string(),
})
export type HomeFinding = z.infer<typeof homeFinding>

/** A document that was read, or could not be, or the fetched statements of a client that wait for an import or an account. */
const homeInboxItem = z.object({
  kind: z.enum(['document', 'statements']),
  /** The document; 0 for statements. */
  id: z.int(),
  ...ofClient,
  name: z.string().nullable(),
  state: z.enum(['read', 'failed', 'matched', 'needs_account', 'needs_meter']),
  /** Statements of this state; 1 for a document. */
  count: z.int(),
  /** Bills that seem to be in a document: several are split first. */
  bills_inside: z.int(),
  vendor_name: z.string().nullable(),
  account_number: z.string().nullable(),
  due_date: z.string().nullable(),
  amount_due: amount.nullable(),
  since: z.string(),
})
export type HomeInboxItem = z.infer<typeof homeInboxItem>

/** A vendor batch whose current step the reader may decide now. */
const homeApproval = z.object({
  id: z.int(),
  ...ofClient,
  payer_name: z.string(),
  step_name: z.string(),
  total: amount,
  bill_count: z.int(),
  /** A question about it is open. */
  held: z.boolean(),
  requested_by_name: z.string().nullable(),
  requested_at: z.string(),
})
export type HomeApproval = z.infer<typeof homeApproval>

/** An export that the reader may release now. */
const homeRelease = z.object({
  id: z.int(),
  payer_names: z.string(),
  pay_method: z.string(),
  total: amount,
  payment_count: z.int(),
  requested_by_name: z.string().nullable(),
  requested_at: z.string(),
})
export type HomeRelease = z.infer<typeof homeRelease>

/** A report of the reader that ended after their sign-in before this one. */
const homeReport = z.object({
  id: z.int(),
  ...ofClient,
  report: z.string(),
  name: z.string().nullable(),
  state: z.enum(['done', 'failed']),
  error: z.string().nullable(),
  finished_at: z.string(),
  file_url: z.string().nullable(),
})
export type HomeReport = z.infer<typeof homeReport>

const home = z.object({
  /** The most urgent ones; `count` and `cost` are of all. */
  exceptions: z.object({ rows: z.array(exception.row).max(homeRowsMax), count: z.int(), cost: amount }).nullable(),
  findings: section(homeFinding),
  inbox: section(homeInboxItem),
  approvals: section(homeApproval),
  releases: section(homeRelease),
  reports: section(homeReport),
  /** The reader, to whom findings are assigned. */
  user_id: z.int(),
  /** The sign-in before this one, from which reports are told. */
  reports_since: z.string(),
})
export type Home = z.infer<typeof home>

export const homeCalls = {
  get: call({
    name: 'home.get',
    method: 'GET',
    path: '/home',
    may: 'signed_in',
    summary: 'What waits for the reader over all clients in reach: exceptions, findings, inbox, approvals, releases, reports',
    reply: home,
  }),
  ofClient: call({
    name: 'home.of_client',
    method: 'GET',
    path: '/clients/:client_id/home',
    may: 'client.read',
    summary: 'What waits for the reader at one client',
    reply: home,
  }),
}
