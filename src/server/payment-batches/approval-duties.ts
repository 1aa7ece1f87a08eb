/** Separation of duties: who may not approve or pay a vendor batch, and why. */
import { sql } from 'kysely'
import { bankChangeShownDays } from '#contract/vendors/vendor-bank-change.ts'
import { areTied, coolDownDays } from '../access/access.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { now } from '../kernel/clock.ts'

const DAY_MS = 86_400_000

interface Duties {
  readonly made: boolean
  readonly created_by: number | null
  readonly added: number
  readonly entered: number
  readonly resolved: number
  readonly bank: string | null
}

/** Returns what the user did that another user must approve, as sentences: 'You made this batch'. Empty if there is nothing. */
export async function ownDuties(tx: Tx, clientId: number, batchId: number, userId: number): Promise<string[]> {
  const since = new Date(now().getTime() - bankChangeShownDays * DAY_MS)
  const { rows } = await sql<Duties>`
    with mine as (select member.bill_id, member.created_by as added_by, bills.created_by as entered_by, bills.vendor_id from payment_batch_bills member
      join bills on bills.client_id = ${clientId} and bills.id = member.bill_id
      where member.client_id = ${clientId} and member.payment_batch_id = ${batchId} and member.released_at is null)
    select exists (select 1 from payment_batches where client_id = ${clientId} and id = ${batchId} and created_by = ${userId}) as made,
      (select created_by from payment_batches where client_id = ${clientId} and id = ${batchId}) as created_by,
      (select count(*)::int from mine where added_by = ${userId}) as added,
      (select count(*)::int from mine where entered_by = ${userId}) as entered,
      (select count(distinct finding.bill_id)::int from bill_findings finding where finding.client_id = ${clientId} and finding.resolved_by = ${userId}
        and finding.severity in ('E', 'E!') and finding.bill_id in (select bill_id from mine)) as resolved,
      (select min(vendors.name) from vendors join vendor_bank_changes change on change.vendor_id = vendors.id
        where vendors.id in (select vendor_id from mine) and change.requested_by = ${userId}
          and (change.state = 'waiting' or (change.state = 'approved' and change.decided_at > ${since}))) as bank`.execute(tx)
  const [duties] = rows
  if (!duties) return []
  const { created_by: maker } = duties
  const isTied = maker !== null && maker !== userId && (await areTied(tx, maker, userId))
  return [...sentencesOf(duties), ...(isTied ? [tiedSentence] : [])]
}

const tiedSentence = `You and who made this batch count as one person for ${coolDownDays} days, since one of you made or changed the user of the other, or the same person both`

function sentencesOf({ made, added, entered, resolved, bank }: Duties): string[] {
  const bills = (count: number) => (count === 1 ? '1 of its bills' : `${count.toLocaleString('en-US')} of its bills`)
  return [
    ...(made ? ['You made this batch'] : []),
    ...(added > 0 && !made ? [`You put ${bills(added)} into it`] : []),
    ...(entered > 0 ? [`You entered ${bills(entered)}`] : []),
    ...(resolved > 0 ? [`You resolved errors of ${bills(resolved)}`] : []),
    ...(bank === null ? [] : [`You changed the bank details of ${bank}`]),
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
