/** Events of findings, one row each. Code that changes a finding adds its event here, in the same transaction. */
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'

export interface FindingEventRow {
  readonly finding_id: number
  readonly event: 'assigned' | 'commented' | 'resolved' | 'reopened' | 'changed' | 'gone'
  readonly comment?: string | null | undefined
  readonly reason?: string | null | undefined
  readonly assigned_to?: number | null | undefined
  /** The message before and after. */
  readonly was?: string | null | undefined
  readonly became?: string | null | undefined
}

/** Adds the events of one client's findings, as the person of the context; null is the System. */
export async function addFindingEvents(context: Context, clientId: number, events: readonly FindingEventRow[]): Promise<void> {
  if (events.length === 0) return
  await sql`insert into bill_finding_events (client_id, finding_id, event, user_id, comment, reason, assigned_to, was, became)
    select ${clientId}::bigint, finding_id, event, ${context.visitor?.user_id ?? null}::bigint, comment, reason, assigned_to, was, became
    from jsonb_to_recordset(${JSON.stringify(events)}::jsonb)
      as given(finding_id bigint, event text, comment text, reason text, assigned_to bigint, was text, became text)`.execute(context.tx)
}
