/** Separation of duties: who may not approve or pay a vendor batch, and why. */
import { sql, type RawBuilder } from 'kysely'
import { bankChangeShownDays } from '#contract/vendors/vendor-bank-change.ts'
import { coolDownDays, tiedAmong } from '../access/access.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { now } from '../kernel/clock.ts'
import { weakenersOfAll } from './weakened-steps.ts'

const DAY_MS = 86_400_000

/** An act of a user, and the number of bills that it touched. For bank details, the vendor. */
interface Deed {
  readonly act: Act
  readonly user_id: number
  readonly bills: number
  readonly vendor: string | null
}
type Act = 'made' | 'changed' | 'requested' | 'added' | 'entered' | 'edited' | 'priced' | 'resolved' | 'reversed' | 'bank' | 'weakened'

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

/** A vendor batch by its key. */
interface BatchKey {
  readonly client_id: number
  readonly id: number
}

/** Returns what the user did that another user must approve, as sentences: 'You made this batch'. Empty if there is nothing. */
export async function ownDuties(tx: Tx, clientId: number, batchId: number, userId: number): Promise<string[]> {
  const { rows } = await deedsOf(sql`${clientId}::bigint`, sql`${batchId}::bigint`).execute(tx)
  const [sentences = []] = await inSentences(tx, [{ client_id: clientId, deeds: rows }], userId)
  return sentences
}

/** Returns the sentences of each batch, in the order of the batches. */
export async function ownDutiesOfAll(tx: Tx, batches: readonly BatchKey[], userId: number): Promise<string[][]> {
  if (batches.length === 0) return []
  const { rows } = await sql<Deed & { place: number }>`select asked.place::int as place, deeds.*
    from unnest(${batches.map(({ client_id }) => client_id)}::bigint[], ${batches.map(({ id }) => id)}::bigint[])
      with ordinality as asked(client_id, id, place)
    cross join lateral (${deedsOf(sql`asked.client_id`, sql`asked.id`)}) deeds`.execute(tx)
  const byPlace = Map.groupBy(rows, ({ place }) => place)
  return inSentences(
    tx,
    batches.map(({ client_id }, index) => ({ client_id, deeds: byPlace.get(index + 1) ?? [] })),
    userId,
  )
}

interface DoneTo {
  readonly client_id: number
  readonly deeds: readonly Deed[]
}

async function inSentences(tx: Tx, batches: readonly DoneTo[], userId: number): Promise<string[][]> {
  const weakeners = await weakenersOfAll(tx, [...new Set(batches.map(({ client_id }) => client_id))])
  const all = batches.map(({ client_id, deeds }) => [
    ...deeds,
    ...(weakeners.get(client_id) ?? []).map((user_id): Deed => ({ act: 'weakened', user_id, bills: 0, vendor: null })),
  ])
  const others = [...new Set(all.flat().map(({ user_id }) => user_id))].filter((id) => id !== userId)
  const tied = new Set(await tiedAmong(tx, userId, others))
  return all.map((deeds) => [
    ...sentencesOf(deeds.filter(({ user_id }) => user_id === userId)),
    ...(deeds.some(({ user_id }) => user_id !== userId && tied.has(user_id)) ? [tiedSentence] : []),
  ])
}

/**
 * Selects what everybody did to one batch, its bills and the bank details of its vendors. `clientId` and `batchId` are constants, or columns of
 * a row beside it.
 */
function deedsOf(clientId: RawBuilder<unknown>, batchId: RawBuilder<unknown>): RawBuilder<Deed> {
  const since = (days: number) => new Date(now().getTime() - days * DAY_MS)
  const trail = (item: string) => sql`from audit_records record where record.client_id = ${clientId} and record.item_type = ${sql.lit(item)}
    and record.event = 'update'`
  return sql<Deed>`
    with mine as (select member.bill_id, member.created_by as added_by, bills.created_by as entered_by, bills.vendor_id from payment_batch_bills member
      join bills on bills.client_id = ${clientId} and bills.id = member.bill_id
      where member.client_id = ${clientId} and member.payment_batch_id = ${batchId} and member.released_at is null),
    touched as (select record.item_id as bill_id, record.user_id, bool_or(record.object_changes - ${noEdit}::text[] <> '{}') as edited,
        bool_or(record.object_changes ? 'amount_paid' and not record.object_changes ? 'paid') as priced
      ${trail('bill')} and record.item_id in (select bill_id from mine) group by record.item_id, record.user_id)
    select deed.act, deed.user_id, count(distinct deed.bill_id)::int as bills, min(deed.vendor) as vendor from (
      select 'made' as act, created_by as user_id, null::bigint as bill_id, null::text as vendor from payment_batches
        where client_id = ${clientId} and id = ${batchId}
      union all select 'changed', record.user_id, null, null ${trail('payment_batch')} and record.item_id = ${batchId}
        and record.object_changes - ${noChange}::text[] <> '{}'
      union all select 'requested', event.user_id, null, null from payment_batch_approvals event where event.client_id = ${clientId}
        and event.payment_batch_id = ${batchId} and event.ended_at is null and event.kind = 'requested'
      union all select 'added', added_by, bill_id, null from mine
      union all select 'entered', entered_by, bill_id, null from mine
      union all select 'edited', user_id, bill_id, null from touched where edited
      union all select 'priced', user_id, bill_id, null from touched where priced
      union all select 'resolved', finding.resolved_by, finding.bill_id, null from bill_findings finding where finding.client_id = ${clientId}
        and finding.severity in ('E', 'E!') and finding.bill_id in (select bill_id from mine)
      union all select 'reversed', reversal.created_by, reversal.bill_id, null from payment_reversals reversal where reversal.client_id = ${clientId}
        and reversal.bill_id in (select bill_id from mine) and reversal.created_at > ${since(coolDownDays)}
      union all select 'bank', change.requested_by, null, vendors.name from vendors join vendor_bank_changes change on change.vendor_id = vendors.id
        where vendors.id in (select vendor_id from mine)
          and (change.state = 'waiting' or (change.state = 'approved' and change.decided_at > ${since(bankChangeShownDays)}))) as deed
    where deed.user_id is not null group by deed.act, deed.user_id order by deed.user_id, deed.act`
}

const tiedSentence = `You count as one person for ${coolDownDays} days with somebody who worked on this batch, its bills, the bank details of its vendors or the rules of its approval, since one of you made or changed the user of the other, or the same person both`

function sentencesOf(own: readonly Deed[]): string[] {
  const did = new Map(own.map((deed) => [deed.act, deed]))
  const inBills = (act: Act, text: (bills: string) => string): string[] => {
    const count = did.get(act)?.bills ?? 0
    if (count === 0) return []
    return [text(count === 1 ? '1 of its bills' : `${count.toLocaleString('en-US')} of its bills`)]
  }
  const once = (act: Act, text: string): string[] => (did.has(act) ? [text] : [])
  const vendor = did.get('bank')?.vendor ?? null
  return [
    ...once('made', 'You made this batch'),
    ...(did.has('made') ? [] : inBills('added', (bills) => `You put ${bills} into it`)),
    ...(did.has('made') || did.has('added') ? [] : once('changed', 'You changed this batch')),
    ...inBills('priced', (bills) => `You changed the amount paid of ${bills}`),
    ...(did.has('made') ? [] : once('requested', 'You asked for its approval')),
    ...inBills('entered', (bills) => `You entered ${bills}`),
    ...inBills('edited', (bills) => `You edited ${bills}`),
    ...inBills('resolved', (bills) => `You resolved errors of ${bills}`),
    ...inBills('reversed', (bills) => `You took back a payment of ${bills}`),
    ...(vendor === null ? [] : [`You changed the bank details of ${vendor}`]),
    ...once('weakened', `You weakened the approval of this client within ${coolDownDays} days`),
  ]
}

/** Returns a vendor of the batch with new bank details that nobody has decided on, requested by who counts as this user; null if there is none. */
export async function undecidedVendor(
  tx: Tx,
  clientId: number,
  batchId: number,
  userId: number,
): Promise<{ readonly name: string; readonly requested_by: number } | null> {
  const { rows } = await sql<{ name: string; requested_by: number }>`select vendors.name, change.requested_by from vendors
    join vendor_bank_changes change on change.vendor_id = vendors.id and change.state = 'waiting'
    where vendors.id in (
      select payment.vendor_id from payment_batch_bills member join vendor_payments payment on payment.client_id = ${clientId} and payment.id = member.vendor_payment_id
      where member.client_id = ${clientId} and member.payment_batch_id = ${batchId} and member.released_at is null)
    order by vendors.name, vendors.id`.execute(tx)
  const makers = [...new Set(rows.map(({ requested_by }) => requested_by))]
  const same = new Set(await tiedAmong(tx, userId, makers))
  return rows.find(({ requested_by }) => same.has(requested_by)) ?? null
}
