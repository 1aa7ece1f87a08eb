/** What must hold before a service is saved or deleted. */
import type { Service, ServiceDraft } from '#contract/service.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { invalid, refused } from '../kernel/problem.ts'

type Draft = Partial<ServiceDraft>

/** The rules of a save. Throws 422 at the field. */
export async function checkService(context: Context, draft: Draft, before: Service | null, clientId: number): Promise<void> {
  inOrder(draft, before)
  await keepKind(context, draft, before, clientId)
  await ofOneKind(context, draft, before)
}

/** A service that bills or supply accounts hang on stays: its history would hang in the air. Throws a refusal that says what to do instead. */
export async function mayGo({ tx }: Context, clientId: number, id: number): Promise<void> {
  const { rows } = await sql<{ billed: boolean; linked: boolean }>`select
    exists (select from service_bills where client_id = ${clientId} and service_id = ${id}) as billed,
    exists (select from supply_account_billable_services where client_id = ${clientId} and service_id = ${id}) as linked`.execute(tx)
  if (rows[0]?.billed) throw refused('Bills carry this service, so it cannot be deleted. Set it to inactive instead.')
  if (rows[0]?.linked)
    throw refused('A supply account is linked to this service. Take the link away first, or set the service to inactive.')
}

function inOrder(draft: Draft, before: Service | null): void {
  const from = draft.effective_from === undefined ? before?.effective_from : draft.effective_from
  const to = draft.effective_to === undefined ? before?.effective_to : draft.effective_to
  if (from && to && to < from) throw invalid({ effective_to: ['Effective To must not be before Effective From'] })
}

/** Bill lines store their usage in the standard unit of the utility service, so a service with lines keeps its kind. */
async function keepKind({ tx }: Context, draft: Draft, before: Service | null, clientId: number): Promise<void> {
  const changed =
    before &&
    before.utility_service_id !== null &&
    draft.utility_service_id !== undefined &&
    draft.utility_service_id !== before.utility_service_id
  if (!changed) return
  const { rows } = await sql`select 1 from service_bills where client_id = ${clientId} and service_id = ${before.id} limit 1`.execute(tx)
  if (rows.length > 0) throw invalid({ utility_service_id: ['Utility Service cannot change once bills carry the service'] })
}

/** Usage is converted by the unit's factor into the standard unit of the utility service, so both belong to the same one. */
async function ofOneKind({ tx }: Context, draft: Draft, before: Service | null): Promise<void> {
  const { utility_service_id, usage_unit_id, usage_factor_ids } = draft
  if (utility_service_id === undefined && usage_unit_id === undefined && usage_factor_ids === undefined) return
  const kind = utility_service_id === undefined ? (before?.utility_service_id ?? null) : utility_service_id
  const unit = usage_unit_id === undefined ? (before?.usage_unit_id ?? null) : usage_unit_id
  const factors = usage_factor_ids ?? before?.usage_factor_ids ?? []
  const { rows } = await sql<{ unit: boolean; factors: boolean }>`select
    exists (select from usage_units where id = ${unit} and utility_service_id is distinct from ${kind}::bigint) as unit,
    exists (select from usage_factors where id = any(${factors}::bigint[]) and utility_service_id is distinct from ${kind}::bigint) as factors`.execute(
    tx,
  )
  if (rows[0]?.unit) throw invalid({ usage_unit_id: ['Usage Unit must be one of the utility service'] })
  if (rows[0]?.factors) throw invalid({ usage_factor_ids: ['Usage Factors must be of the utility service'] })
}
