/** Who may not release an export, and why: the releaser is a second person. */
import { sql, type RawBuilder } from 'kysely'
import { coolDownDays, tiedAmong } from '../access/access.ts'
import type { Context } from '../kernel/context.ts'
import { loosenersOf } from './loosened-rules.ts'

export interface OpenRequest {
  readonly id: number
  readonly requested_by: number
  /** Whether a bank profile asks for a releaser who had nothing to do with the bills. */
  readonly apart: boolean
}

/** Returns why the caller does not release the export, or null. The bank details of its vendors are judged as at each export. */
export async function whyNotRelease(context: Context, request: OpenRequest): Promise<string | null> {
  const { tx, principal } = context
  if (request.requested_by === principal.user_id) return 'You asked for this export. Somebody else must release it.'
  const makers = await makersOf(context, request.id)
  const clients = makers.map(({ client_id }) => client_id)
  const made = makers.find(({ created_by }) => created_by === principal.user_id)
  if (made) return `You made batch ${made.id}. Somebody else must release it.`
  const others = [request.requested_by, ...makers.flatMap(({ created_by }) => created_by ?? [])]
  const tied = await tiedAmong(tx, principal.user_id, [...new Set(others)])
  if (tied.length > 0)
    return `You count as one person with who ${tied.includes(request.requested_by) ? 'asked for this export' : 'made a batch of it'} for ${coolDownDays} days, since one of you made or changed the user of the other, or the same person both.`
  if ((await tiedAmong(tx, principal.user_id, await loosenersOf(tx, clients))).length > 0)
    return `You, or somebody who counts as one person with you, loosened when exports wait within ${coolDownDays} days. Somebody else must release it.`
  return request.apart ? whyNotApart(context, request.id) : null
}

interface Made {
  readonly id: number
  readonly client_id: number
  readonly created_by: number | null
}

async function makersOf({ tx }: Context, id: number): Promise<Made[]> {
  const { rows } = await sql<Made>`select batch.id, batch.client_id, batch.created_by from export_release_batches held
    join payment_batches batch on batch.client_id = held.client_id and batch.id = held.payment_batch_id
    where held.export_release_id = ${id} order by batch.client_id, batch.id`.execute(tx)
  return rows
}

/** Who entered, batched or resolved an error of a bill, or counts as one person with who did, had something to do with the bills. */
async function whyNotApart(context: Context, id: number): Promise<string | null> {
  return (await ownBill(context, id)) ?? (await tiedToBills(context, id))
}

/** Selects the users who entered, batched or resolved an error of a bill of the export. */
export function actedOnBills(release: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select distinct acted.user_id from export_release_batches held
    join payment_batch_bills member on member.client_id = held.client_id and member.payment_batch_id = held.payment_batch_id and member.released_at is null
    join bills on bills.client_id = member.client_id and bills.id = member.bill_id
    cross join lateral (select bills.created_by union select member.created_by union select finding.resolved_by from bill_findings finding
      where finding.client_id = bills.client_id and finding.bill_id = bills.id and finding.severity in ('E', 'E!')) as acted(user_id)
    where held.export_release_id = ${release} and acted.user_id is not null`
}

async function tiedToBills({ tx, principal }: Context, id: number): Promise<string | null> {
  const { rows } = await sql<{ user_id: number }>`${actedOnBills(sql`${id}::bigint`)}`.execute(tx)
  const tied = await tiedAmong(
    tx,
    principal.user_id,
    rows.map((row) => row.user_id),
  )
  return tied.length > 0
    ? `You count as one person with who entered, batched or resolved an error of a bill for ${coolDownDays} days. The bank profile asks for somebody who had nothing to do with the bills.`
    : null
}

async function ownBill({ tx, principal }: Context, id: number): Promise<string | null> {
  const { rows } = await sql<{ account_number: string; act: string }>`select bills.account_number,
      case when bills.created_by = ${principal.user_id} then 'entered' when member.created_by = ${principal.user_id} then 'batched'
        else 'resolved an error of' end as act
    from export_release_batches held
    join payment_batch_bills member on member.client_id = held.client_id and member.payment_batch_id = held.payment_batch_id and member.released_at is null
    join bills on bills.client_id = member.client_id and bills.id = member.bill_id
    where held.export_release_id = ${id} and (bills.created_by = ${principal.user_id} or member.created_by = ${principal.user_id}
      or exists (select 1 from bill_findings finding where finding.client_id = bills.client_id and finding.bill_id = bills.id
        and finding.resolved_by = ${principal.user_id} and finding.severity in ('E', 'E!')))
    order by bills.client_id, bills.id limit 1`.execute(tx)
  const [own] = rows
  return own ? `You ${own.act} bill ${own.account_number}. The bank profile asks for somebody who had nothing to do with the bills.` : null
}
