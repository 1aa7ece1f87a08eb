/** Separation of duties: who may not approve or pay a vendor batch, and why. */
import { sql } from 'kysely'
import { bankChangeShownDays } from '#contract/vendors/vendor-bank-change.ts'
import { coolDownDays, tiedAmong } from '../access/access.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { now } from '../kernel/clock.ts'
import { hasWeakenedSteps } from './weakened-steps.ts'

const DAY_MS = 86_400_000

interface Duties {
  readonly made: boolean
  readonly changed: boolean
  readonly requested: boolean
  /** Users who made or changed what is approved, or who decides about it. */
  readonly actors: readonly number[]
  readonly weakened: boolean
  readonly added: number
  readonly entered: number
  readonly edited: number
  readonly priced: number
  readonly resolved: number
  readonly bank: string | null
}

/** Keys of a bill's trail that are steps of its way or words about it. Whoever changed only these has not edited what is paid. */
const noEdit = [
  'accounting_batch_id',
  'amount_paid',
  'difference_reason',
  'finalized',
  'finding_assigned_to',
  'finding_comment',
  'findings',
  'group_children',
  'notes',
  'paid',
  'parked',
  'payment_batch_notes',
  'qc',
  'vendor_payment_id',
]
/** Keys of a batch's trail that change neither its bills nor its head. */
const noChange = ['approval', 'closed', 'has_been_closed', 'is_paid', 'paid_alone', 'paid_as', 'paid_at']

/** Returns what the user did that another user must approve, as sentences: 'You made this batch'. Empty if there is nothing. */
export async function ownDuties(tx: Tx, clientId: number, batchId: number, userId: number): Promise<string[]> {
  const duties = await dutiesOf(tx, clientId, batchId, userId)
  const others = duties.actors.filter((id) => id !== userId)
  const isTied = others.length > 0 && (await tiedAmong(tx, userId, others)).length > 0
  return [...sentencesOf(duties), ...(isTied ? [tiedSentence] : [])]
}

async function dutiesOf(tx: Tx, clientId: number, batchId: number, userId: number): Promise<Duties> {
  const since = new Date(now().getTime() - bankChangeShownDays * DAY_MS)
  const requests = sql`from payment_batch_approvals event where event.client_id = ${clientId} and event.payment_batch_id = ${batchId}
    and event.ended_at is null and event.kind = 'requested'`
  const trail = (item: string) => sql`from audit_records record where record.client_id = ${clientId} and record.item_type = ${sql.lit(item)}
    and record.event = 'update' and record.user_id = ${userId}`
  const resolved = sql`from bill_findings finding where finding.client_id = ${clientId} and finding.severity in ('E', 'E!')
    and finding.bill_id in (select bill_id from mine)`
  const changedBank = sql`from vendors join vendor_bank_changes change on change.vendor_id = vendors.id where vendors.id in (select vendor_id from mine)
    and (change.state = 'waiting' or (change.state = 'approved' and change.decided_at > ${since}))`
  const { rows } = await sql<Omit<Duties, 'weakened'>>`
    with mine as (select member.bill_id, member.created_by as added_by, bills.created_by as entered_by, bills.vendor_id from payment_batch_bills member
      join bills on bills.client_id = ${clientId} and bills.id = member.bill_id
      where member.client_id = ${clientId} and member.payment_batch_id = ${batchId} and member.released_at is null),
    touched as (select record.item_id as bill_id, bool_or(record.object_changes - ${noEdit}::text[] <> '{}') as edited,
        bool_or(record.object_changes ? 'amount_paid' and not record.object_changes ? 'paid') as priced
      ${trail('bill')} and record.item_id in (select bill_id from mine) group by record.item_id)
    select exists (select from payment_batches where client_id = ${clientId} and id = ${batchId} and created_by = ${userId}) as made,
      exists (select ${trail('payment_batch')} and record.item_id = ${batchId} and record.object_changes - ${noChange}::text[] <> '{}') as changed,
      exists (select ${requests} and event.user_id = ${userId}) as requested,
      array(select created_by from payment_batches where client_id = ${clientId} and id = ${batchId} and created_by is not null
        union select event.user_id ${requests}
        union select added_by from mine where added_by is not null union select entered_by from mine where entered_by is not null
        union select finding.resolved_by ${resolved} and finding.resolved_by is not null
        union select change.requested_by ${changedBank}) as actors,
      (select count(*)::int from mine where added_by = ${userId}) as added,
      (select count(*)::int from mine where entered_by = ${userId}) as entered,
      (select count(*)::int from touched where edited) as edited,
      (select count(*)::int from touched where priced) as priced,
      (select count(distinct finding.bill_id)::int ${resolved} and finding.resolved_by = ${userId}) as resolved,
      (select min(vendors.name) ${changedBank} and change.requested_by = ${userId}) as bank`.execute(tx)
  const [duties] = rows
  if (!duties) throw new Error('a select without a table answers one row')
  return { ...duties, weakened: await hasWeakenedSteps(tx, clientId, userId) }
}

const tiedSentence = `You and who made this batch, asked for its approval, entered its bills or changed the bank details of its vendors count as one person for ${coolDownDays} days, since one of you made or changed the user of the other, or the same person both`

function sentencesOf({ made, changed, requested, added, entered, edited, priced, resolved, bank, weakened }: Duties): string[] {
  const bills = (count: number) => (count === 1 ? '1 of its bills' : `${count.toLocaleString('en-US')} of its bills`)
  return [
    ...(made ? ['You made this batch'] : []),
    ...(added > 0 && !made ? [`You put ${bills(added)} into it`] : []),
    ...(changed && !made && added === 0 ? ['You changed this batch'] : []),
    ...(priced > 0 ? [`You changed the amount paid of ${bills(priced)}`] : []),
    ...(requested && !made ? ['You asked for its approval'] : []),
    ...(entered > 0 ? [`You entered ${bills(entered)}`] : []),
    ...(edited > 0 ? [`You edited ${bills(edited)}`] : []),
    ...(resolved > 0 ? [`You resolved errors of ${bills(resolved)}`] : []),
    ...(bank === null ? [] : [`You changed the bank details of ${bank}`]),
    ...(weakened ? [`You weakened the approval of this client within ${coolDownDays} days`] : []),
  ]
}

/** Returns the vendor of the batch whose bank change this user requested and nobody has decided; null if there is none. */
export async function undecidedVendor(tx: Tx, clientId: number, batchId: number, userId: number): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`select vendors.name from vendors where vendors.id in (
      select payment.vendor_id from payment_batch_bills member join vendor_payments payment on payment.client_id = ${clientId} and payment.id = member.vendor_payment_id
      where member.client_id = ${clientId} and member.payment_batch_id = ${batchId} and member.released_at is null)
    and exists (select 1 from vendor_bank_changes change where change.vendor_id = vendors.id and change.state = 'waiting' and change.requested_by = ${userId})
    order by vendors.name, vendors.id limit 1`.execute(tx)
  return rows[0]?.name ?? null
}
