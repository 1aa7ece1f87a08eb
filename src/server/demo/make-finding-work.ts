/** Work on findings of the first client: old ones were resolved for different reasons, some open ones are assigned. */
import { addDays, type CalendarDate } from '#contract/kernel/date.ts'
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import type { People } from './make-people.ts'

/** Every third open finding is assigned, and every second of those has a question. */
const ASSIGNED_OF = 3
const ASKED_OF = 6

/** Adds their events; users with open findings see them under Mine. */
export async function makeFindingWork(tx: Tx, clientId: number, { people, today }: { people: People; today: CalendarDate }): Promise<void> {
  await sql`insert into bill_finding_events (client_id, finding_id, event, user_id, reason, created_at)
    select client_id, id, 'resolved', resolved_by, reason, resolved_at from bill_findings
    where client_id = ${clientId} and resolved_at is not null and resolved_by is not null and reason is not null
      and not exists (select from bill_finding_events told where told.client_id = bill_findings.client_id and told.finding_id = bill_findings.id)
    order by id`.execute(tx)
  const at = `${addDays(today, -1)}T17:40:00.000Z`
  await sql`with open as (
      select id, row_number() over (order by id) as place from bill_findings where client_id = ${clientId} and resolved_at is null and severity <> 'I'
    ), given as (
      update bill_findings set assigned_to = case when open.place % 2 = 0 then ${people.clerk}::bigint else ${people.reviewer}::bigint end
      from open where bill_findings.client_id = ${clientId} and bill_findings.id = open.id and open.place % ${ASSIGNED_OF} = 0
      returning bill_findings.id, bill_findings.assigned_to, open.place
    )
    insert into bill_finding_events (client_id, finding_id, event, user_id, assigned_to, comment, created_at)
    select ${clientId}::bigint, id, event, ${people.reviewer}::bigint, case event when 'assigned' then assigned_to end,
      case event when 'commented' then 'Asked the utility for a corrected copy.' end, ${at}::timestamptz + said * interval '12 minutes'
    from given cross join (values (0, 'assigned'), (1, 'commented')) as told(said, event)
    where event = 'assigned' or place % ${ASKED_OF} = 0 order by id, said`.execute(tx)
}
