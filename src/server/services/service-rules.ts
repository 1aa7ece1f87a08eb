/** The rules for deleting a service. The rules of a save are ../estate-service-rules.ts. */
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { refused } from '../kernel/problem.ts'

/**
 * A service with bills or linked supply accounts cannot be deleted, since its history would lose its meaning. Throws a refusal that names the
 * alternative.
 */
export async function mayGo({ tx }: Context, clientId: number, id: number): Promise<void> {
  const { rows } = await sql<{ billed: boolean; linked: boolean }>`select
    exists (select from service_bills where client_id = ${clientId} and service_id = ${id}) as billed,
    exists (select from supply_account_billable_services where client_id = ${clientId} and service_id = ${id}) as linked`.execute(tx)
  if (rows[0]?.billed) throw refused('Bills carry this service, so it cannot be deleted. Set it to inactive instead.')
  if (rows[0]?.linked)
    throw refused('A supply account is linked to this service. Take the link away first, or set the service to inactive.')
}
