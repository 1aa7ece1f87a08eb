/** The home page: each section is read by the slice that owns it, under the section's own right. The front door of the slice. */
import { homeCalls, homeRowsMax, type Home } from '#contract/home/home.ts'
import type { Permission } from '#contract/kernel/permission.ts'
import { sql } from 'kysely'
import { ownFindings } from '../bill-findings/bill-findings.ts'
import { statementsToImport } from '../bill-retrieval/bill-retrieval.ts'
import { scansToEnter } from '../bill-scans/bill-scans.ts'
import { exceptionsOf, urgentExceptions } from '../exceptions/exceptions.ts'
import { releasesToDecide } from '../global-batches/global-batches.ts'
import { now } from '../kernel/clock.ts'
import { withReachOf, type Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { mayIn } from '../kernel/principal.ts'
import { approvalsToDecide } from '../payment-batches/payment-batches.ts'
import { endedReports } from '../reports/reports.ts'

export const homeHandlers: readonly Handler[] = [
  handle(homeCalls.get, (context) => readHome(context, undefined)),
  handle(homeCalls.ofClient, (context, { params }) => readHome(context, params.client_id)),
]

/** The sections depend on nothing of each other, and a reading call has no transaction, so they are read side by side. */
async function readHome(context: Context, clientId: number | undefined): Promise<Home> {
  const since = await signInBefore(context)
  const section = <Rows>(may: Permission, read: (own: Context) => Promise<Rows>): Promise<Rows | null> =>
    mayIn(context.principal, may, clientId) ? read(withReachOf(context, may)) : Promise.resolve(null)
  const [exceptions, findings, inbox, approvals, releases, reports] = await Promise.all([
    section('bill.read', (own) => urgentExceptions(own, exceptionsOf(own, clientId), homeRowsMax)),
    section('bill.read', (own) => ownFindings(own, clientId, homeRowsMax)),
    section('bill.create', (own) => readInbox(own, clientId)),
    section('payment_batch.read', (own) => approvalsToDecide(own, clientId, homeRowsMax)),
    // An export holds batches of several clients, so it is no work of one client.
    clientId === undefined ? section('global_batch.update', releasesOf) : Promise.resolve(null),
    section('generated_report.read', (own) => endedReports(own, { clientId, since, most: homeRowsMax })),
  ])
  return { exceptions, findings, inbox, approvals, releases, reports, user_id: context.principal.user_id, reports_since: since }
}

/** Documents and statements together, what is due first at the top. */
async function readInbox(context: Context, clientId: number | undefined): Promise<Home['inbox']> {
  const [scans, statements] = await Promise.all([
    scansToEnter(context, clientId, homeRowsMax),
    statementsToImport(context, clientId, homeRowsMax),
  ])
  const dueText = ({ due_date }: { due_date: string | null }) => due_date ?? '9999-12-31'
  return [...statements, ...scans]
    .toSorted((a, b) => (dueText(a) < dueText(b) ? -1 : dueText(a) > dueText(b) ? 1 : 0))
    .slice(0, homeRowsMax)
}

async function releasesOf(context: Context): Promise<Home['releases']> {
  return (await releasesToDecide(context)).slice(0, homeRowsMax)
}

/** A first sign-in looks back this many days. */
const FIRST_LOOK_DAYS = 7
const DAY_MS = 86_400_000

/** Returns when the caller signed in before the sign-in of this request: what has ended since was not seen then. */
async function signInBefore({ tx, principal }: Context): Promise<string> {
  const { rows } = await sql<{ since: string }>`select coalesce((select record.created_at from audit_records record
        where record.client_id = 0 and record.item_type = 'user' and record.item_id = ${principal.user_id} and record.event = 'login'
          and record.created_at < session.created_at - interval '1 second' order by record.id desc limit 1),
      session.created_at - make_interval(days => ${FIRST_LOOK_DAYS})) as since
    from sessions session where session.id = ${principal.session_id}`.execute(tx)
  return rows[0]?.since ?? new Date(now().getTime() - FIRST_LOOK_DAYS * DAY_MS).toISOString()
}
