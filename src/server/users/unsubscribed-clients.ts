/** Clients whose subscription disables something, for computing the effect of many roles at once. */
import type { SubscriptionFlags } from '#contract/access/rights.ts'
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'

export interface UnsubscribedClient extends SubscriptionFlags {
  readonly id: number
  readonly name: string
  readonly channel_partner_id: number | null
}

export interface Unsubscribed {
  /** Clients that lack some part of the subscription. */
  readonly clients: ReadonlyMap<number, UnsubscribedClient>
  /** Every client of each channel partner. */
  readonly byPartner: ReadonlyMap<number, readonly number[]>
}

export async function unsubscribedClients(tx: Tx): Promise<Unsubscribed> {
  const { rows } = await sql<UnsubscribedClient>`
    select id, name, channel_partner_id, user_management, utility_payment_management, accounting_batch_management, ledger_account_management
    from clients order by name, id`.execute(tx)
  const lacking = rows.filter(
    (row) => !(row.user_management && row.utility_payment_management && row.accounting_batch_management && row.ledger_account_management),
  )
  const ofPartners = Map.groupBy(
    rows.filter((row) => row.channel_partner_id !== null),
    (row) => row.channel_partner_id ?? 0,
  )
  return {
    clients: new Map(lacking.map((row) => [row.id, row])),
    byPartner: new Map([...ofPartners].map(([partner, clients]) => [partner, clients.map(({ id }) => id)])),
  }
}
