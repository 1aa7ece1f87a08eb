/** The source of retrieved statements' rows, and the third-party record that each of them answers. */
import { retrievedStatement } from '#contract/bill-retrieval/retrieved-statement.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { billableAccountScope, supplyAccountScope } from '../estate/estate.ts'
import { or, type Condition, type ScopeRule, type Source } from '../kernel/lists/list.ts'
import { registered } from '../kernel/lists/sources.ts'

/** A statement has the place of its account; one without an account is visible to users who reach the whole client. */
export const statementScope: ScopeRule = {
  client: sql.ref('retrieval_statements.client_id'),
  levels: {
    division: (ids, client) =>
      or([onAccount('billable_account', 'division', ids, client), onAccount('supply_account', 'division', ids, client)]),
    facility: (ids, client) =>
      or([onAccount('billable_account', 'facility', ids, client), onAccount('supply_account', 'facility', ids, client)]),
    billable_account: (ids) => sql<SqlBool>`retrieval_statements.billable_account_id = any(${ids}::bigint[])`,
    supply_account: (ids) => sql<SqlBool>`retrieval_statements.supply_account_id = any(${ids}::bigint[])`,
  },
}

export const statementSource: Source = {
  entity: retrievedStatement,
  table: 'retrieval_statements',
  scope: statementScope,
  joins: {
    client: sql`join clients client on client.id = retrieval_statements.client_id`,
    billable: sql`left join billable_accounts billable on billable.client_id = retrieval_statements.client_id and billable.id = retrieval_statements.billable_account_id`,
    supply: sql`left join supply_accounts supply on supply.client_id = retrieval_statements.client_id and supply.id = retrieval_statements.supply_account_id`,
    vendor: sql`left join vendors vendor on vendor.id = retrieval_statements.vendor_id`,
  },
  columns: {
    bill_date: { sql: sql.ref('retrieval_statements.statement_date') },
    amount_due: { sql: sql.ref('retrieval_statements.amount') },
    client: { sql: sql.ref('client.short_code'), joins: ['client'] },
    account_type: {
      sql: sql`case when retrieval_statements.billable_account_id is not null then 'BillableAccount' when retrieval_statements.supply_account_id is not null then 'SupplyAccount' end`,
    },
    account_id: { sql: sql`coalesce(retrieval_statements.billable_account_id, retrieval_statements.supply_account_id)` },
    account_name: { sql: sql`coalesce(billable.name, supply.name)`, joins: ['billable', 'supply'] },
    vendor_name: { sql: sql.ref('vendor.name'), joins: ['vendor'] },
    payment_terms_days: { sql: sql.ref('vendor.payment_terms_days'), joins: ['vendor'] },
  },
  search: ['account_number', 'provider_name', 'account_name', 'statement_id'],
  // Other values of a record are computed from the statement in code.
  exported: [
    'id',
    'provider_name',
    'statement_id',
    'account_number',
    'kind',
    'client',
    'bill_date',
    'amount_due',
    'state',
    'reason',
    'account_type',
    'account_id',
    'account_name',
    'vendor_id',
    'vendor_name',
    'bill_id',
    'fetched_at',
  ],
}
registered.set(retrievedStatement.plural, statementSource)

function onAccount(
  kind: 'billable_account' | 'supply_account',
  level: string,
  ids: readonly number[],
  client: RawBuilder<unknown>,
): Condition {
  const table = `${kind}s`
  const inside =
    (kind === 'billable_account' ? billableAccountScope : supplyAccountScope).levels[level]?.(ids, client) ?? sql<SqlBool>`false`
  return sql<SqlBool>`exists (select 1 from ${sql.table(table)} where ${sql.ref(`${table}.client_id`)} = ${client}
    and ${sql.ref(`${table}.id`)} = ${sql.ref(`retrieval_statements.${kind}_id`)} and ${inside})`
}
