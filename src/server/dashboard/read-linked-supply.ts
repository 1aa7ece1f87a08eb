/** Amounts that supply accounts bill for the meters of delivery accounts, so that a unit's whole cost is known if two vendors share it. */
import type { ComparedWindows } from '#contract/dashboard/date-range.ts'
import { sql, type SqlBool } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import type { ScopedPart } from './dashboard-scope.ts'
import { readComparable } from './read-comparable.ts'
import { readFacts, type MonthSums } from './read-sums.ts'

/** A vendor that bills the supply of a utility service; `shared` if the supply account also supplies meters outside the scope. */
export interface Supplier {
  readonly supply_account_id: number
  readonly service_id: number | null
  readonly vendor: string
  readonly shared: boolean
}

export interface LinkedSupply {
  readonly suppliers: readonly Supplier[]
  /** The supply accounts' own months, limited to accounts in reach that supply only this scope. */
  readonly months: readonly MonthSums[]
  readonly comparable: readonly MonthSums[]
}

/** Null if the caller may see no supply account. */
export async function readLinkedSupply(tx: Tx, part: ScopedPart, windows: ComparedWindows): Promise<LinkedSupply | null> {
  const { client_id, supply_reached } = part
  if (supply_reached === null) return null
  const { rows: suppliers } = await sql<Supplier>`
    with meters as (select services.id, services.utility_service_id from services
        left join billable_accounts billable on billable.client_id = services.client_id and billable.id = services.billable_account_id
        left join supply_accounts supply on supply.client_id = services.client_id and supply.id = services.supply_account_id
        where ${part.services})
    select distinct account.id as supply_account_id, meters.utility_service_id as service_id, vendor.name as vendor,
      exists (select 1 from supply_account_billable_services beside where beside.client_id = ${client_id} and beside.supply_account_id = account.id
        and beside.service_id not in (select id from meters)) as shared
    from meters
    join supply_account_billable_services supplied on supplied.client_id = ${client_id} and supplied.service_id = meters.id
    join supply_accounts account on account.client_id = ${client_id} and account.id = supplied.supply_account_id
    join vendors vendor on vendor.id = account.vendor_id`.execute(tx)
  const ids = [...new Set(suppliers.filter((one) => !one.shared).map((one) => one.supply_account_id))]
  if (ids.length === 0) return { suppliers, months: [], comparable: [] }
  const facts = sql<SqlBool>`${supply_reached} and fact.supply_account_id = any(${ids}::bigint[])`
  const supplied = { ...part, facts, supplied: true }
  const [months, comparable] = await Promise.all([readFacts(tx, supplied, windows), readComparable(tx, supplied, windows)])
  return { suppliers, months, comparable }
}
