/** The account under which a supplier has billed all accounts of one contract together since a few days ago: it has no bill yet. */
import { addDays, type CalendarDate } from '#contract/kernel/date.ts'
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import { diceOf, numberLike } from './dice.ts'
import type { Reference } from './make-reference.ts'
import type { Ids } from './make-clients.ts'
import { idOf } from './plan-bills.ts'
import type { ClientPlan, EstatePlan } from './plan.ts'
import { insertNumbered } from './store-rows.ts'

/** Too recent for its first bill to be missed. */
const GATHERED_DAYS = 12

export async function makeSupplyGroups(tx: Tx, plan: EstatePlan, parts: Parts): Promise<void> {
  for (const client of plan.clients.filter(({ sample }) => sample.supplyGroup)) await makeSupplyGroup(tx, plan, client, parts)
}

interface Parts {
  readonly ids: Ids
  readonly reference: Reference
  readonly today: CalendarDate
}

async function makeSupplyGroup(tx: Tx, { accounts }: EstatePlan, client: ClientPlan, { ids, reference, today }: Parts): Promise<void> {
  const supplied = accounts.filter((account) => account.client === client).flatMap(({ supply }) => supply ?? [])
  const [first] = supplied
  const [facility] = client.facilities
  if (!first || !facility) throw new Error(`${client.sample.name} has no supply account to group`)
  const { vendor } = first
  const client_id = idOf(ids, client)
  const since = addDays(today, -GATHERED_DAYS)
  const at = `${since}T15:30:00.000Z`
  const [group] = await insertNumbered(tx, 'supply_accounts', [
    {
      client_id,
      facility_id: idOf(ids, facility),
      vendor_id: reference.vendors.get(vendor.code),
      active: true,
      is_group_account: true,
      name: `${client.sample.name} Electric Supply`,
      account_number: numberLike(vendor.accounts, diceOf(`supply group ${client.sample.code}`)),
      street_address_1: facility.street,
      city: facility.city,
      state: facility.state,
      zip: facility.zip,
      billing_period: 2,
      billing_cycle: 30,
      service_identifiers: [],
      tax_ids: [],
      effective_from: since,
      audits_off: false,
      audit_settings: {},
      accruals_off: false,
      lock_version: 0,
      created_at: at,
      updated_at: at,
    },
  ])
  const members = supplied.filter((supply) => supply.vendor === vendor).map((supply) => idOf(ids, supply))
  await sql`update supply_accounts set group_supply_account_id = ${group}, updated_at = ${at}::timestamptz where client_id = ${client_id} and id = any(${members}::bigint[])`.execute(
    tx,
  )
}
