/** The history of one finding. */
import type { BillFindingRow, FindingEvent } from '#contract/bill-findings/bill-finding.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { nameOfUser } from '../kernel/lists/name-of-user.ts'

export async function lineOf({ tx }: Context, { client_id, id }: BillFindingRow): Promise<number | null> {
  const { rows } = await sql<{
    service_bill_id: number | null
  }>`select service_bill_id from bill_findings where client_id = ${client_id} and id = ${id}`.execute(tx)
  return rows[0]?.service_bill_id ?? null
}

/** Returns all events of a finding, its creation first. */
export async function eventsOf({ tx }: Context, row: BillFindingRow): Promise<FindingEvent[]> {
  const { rows } =
    await sql<FindingEvent>`select event.id, event.event, event.user_id, ${nameOfUser('person')} as user_name, event.comment, event.reason,
      ${nameOfUser('given')} as assigned_to_name, event.was, event.became, event.created_at
    from bill_finding_events event left join users person on person.id = event.user_id left join users given on given.id = event.assigned_to
    where event.client_id = ${row.client_id} and event.finding_id = ${row.id} order by event.id`.execute(tx)
  const first = rows.find(({ was }) => was !== null)?.was ?? row.message
  const raised: FindingEvent = {
    id: 0,
    event: 'raised',
    user_id: null,
    user_name: null,
    comment: null,
    reason: null,
    assigned_to_name: null,
    was: null,
    became: first,
    created_at: row.created_at,
  }
  return [raised, ...rows]
}
