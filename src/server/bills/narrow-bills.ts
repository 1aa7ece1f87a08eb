/** Looks up the few accounts or names that a filter matches, so that the page is read by their index and not by walking the list. */
import type { ListQuery } from '#contract/kernel/query.ts'
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import { and, contains, containsNumber, plainNumber, plainNumberColumn, type Asked, type Condition } from '../kernel/lists/list.ts'

/** Limits for a search of account numbers through the accounts: a trigram index needs three letters, and few accounts may match. */
const accountsFirstLettersMin = 3
const accountsFirstMax = 100
/** Maximum number of matching names: beyond it the list is walked, which quickly fills a page. */
const namesMax = 100

/** Filters on the name of a related record, and the tables of the names. Vendors belong to no client. */
const names = [
  { key: 'vendor_name', column: 'vendor_id', table: 'vendors', text: 'name', ofClient: false },
  { key: 'division_name', column: 'division_id', table: 'divisions', text: 'name', ofClient: true },
  { key: 'facility_name', column: 'facility_id', table: 'facilities', text: 'name', ofClient: true },
  { key: 'accounting_batch_batch_code', column: 'accounting_batch_id', table: 'accounting_batches', text: 'batch_code', ofClient: true },
] as const

/** Returns conditions that follow from the query and let the planner see how few rows they leave. They exclude no row. */
export async function narrowBills(tx: Tx, query: ListQuery, asked: Asked): Promise<Condition[]> {
  const found = await Promise.all([narrowByAccount(tx, query, asked), ...names.map((name) => narrowByName(tx, query, asked, name))])
  return found.flat()
}

/** Without this, a name that no record has costs a walk over every bill. */
async function narrowByName(tx: Tx, query: ListQuery, { clientId }: Asked, name: (typeof names)[number]): Promise<Condition[]> {
  const filter = query.filters.find((one) => one.key === name.key && one.predicate === 'cont')
  if (!filter) return []
  const own = name.ofClient && clientId !== undefined ? sql`client_id = ${clientId} and` : sql``
  const { rows } = await sql<{ id: number }>`select id from ${sql.table(name.table)}
    where ${own} ${contains(sql.ref(name.text), String(filter.value))} limit ${namesMax + 1}`.execute(tx)
  if (rows.length > namesMax) return []
  return [sql<boolean>`${sql.ref(`bills.${name.column}`)} = any(${rows.map((row) => row.id)}::bigint[])`]
}

/**
 * "Contains" on an account number: if few accounts match, their bills are looked up by index; if many do, the sort's own index is walked
 * and the denormalized number compared, which quickly fills a page. Both return the same rows.
 */
async function narrowByAccount(tx: Tx, query: ListQuery, asked: Asked): Promise<Condition[]> {
  const filter = query.filters.find((one) => one.key === 'account_number' && (one.predicate === 'cont' || one.predicate === 'eq'))
  const text = filter ? plainNumber(String(filter.value)) : ''
  if (!filter || text.length < accountsFirstLettersMin) return []
  const matches =
    filter.predicate === 'eq'
      ? sql<boolean>`${plainNumberColumn(sql.ref('account_number'))} = ${text}`
      : containsNumber(sql.ref('account_number'), text)
  const where = and(asked.clientId === undefined ? [matches] : [sql<boolean>`client_id = ${asked.clientId}`, matches])
  const { rows } = await sql<{ client_id: number; billable_account_id: number | null; supply_account_id: number | null }>`
    (select client_id, id as billable_account_id, null::bigint as supply_account_id from billable_accounts where ${where} limit ${accountsFirstMax + 1})
    union all (select client_id, null, id from supply_accounts where ${where} limit ${accountsFirstMax + 1})`.execute(tx)
  if (rows.length > accountsFirstMax) return []
  const clients = [...new Set(rows.map((row) => row.client_id))]
  const billable = rows.flatMap((row) => row.billable_account_id ?? [])
  const supply = rows.flatMap((row) => row.supply_account_id ?? [])
  return [
    sql<boolean>`bills.client_id = any(${clients}::bigint[])
      and (bills.billable_account_id = any(${billable}::bigint[]) or bills.supply_account_id = any(${supply}::bigint[]))`,
  ]
}
