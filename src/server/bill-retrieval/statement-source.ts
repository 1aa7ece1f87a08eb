/** The source of retrieved statements' rows, and the third-party record that each of them answers. */
import { retrievedStatement, type RetrievedStatement } from '#contract/bill-retrieval/bill-retrieval.ts'
import { recordOf } from '#contract/bill-retrieval/map-statement.ts'
import { statement as statementSchema, type Statement, type StatementState } from '#contract/bill-retrieval/statement.ts'
import { paymentTermsDaysDefault } from '#contract/vendors/vendor.ts'
import { sql, type SqlBool } from 'kysely'
import { billableAccountScope, supplyAccountScope } from '../estate/estate.ts'
import { or, type Condition, type ScopeRule, type Source } from '../kernel/lists/list.ts'
import { registered } from '../kernel/lists/sources.ts'

/** A statement has the place of its account; one without an account is visible to users who reach the whole client. */
export const statementScope: ScopeRule = {
  client: sql.ref('retrieval_statements.client_id'),
  levels: {
    division: (ids) => or([onAccount('billable_account', 'division', ids), onAccount('supply_account', 'division', ids)]),
    facility: (ids) => or([onAccount('billable_account', 'facility', ids), onAccount('supply_account', 'facility', ids)]),
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

/** Columns that are read of a row; the rest of its record follows from the statement. */
export const readKeys = [
  'id',
  'lock_version',
  'client_id',
  'provider',
  'provider_name',
  'statement_id',
  'file_id',
  'account_number',
  'kind',
  'client',
  'bill_date',
  'amount_due',
  'raw',
  'state',
  'reason',
  'account_type',
  'account_id',
  'account_name',
  'vendor_id',
  'vendor_name',
  'payment_terms_days',
  'bill_id',
  'fetched_at',
] as const

export interface ReadStatement extends Pick<
  RetrievedStatement,
  | 'id'
  | 'lock_version'
  | 'client_id'
  | 'provider'
  | 'provider_name'
  | 'statement_id'
  | 'file_id'
  | 'account_number'
  | 'kind'
  | 'client'
  | 'bill_date'
  | 'amount_due'
  | 'reason'
  | 'account_type'
  | 'account_id'
  | 'account_name'
  | 'vendor_id'
  | 'vendor_name'
  | 'bill_id'
  | 'fetched_at'
> {
  readonly state: StatementState
  readonly raw: unknown
  readonly payment_terms_days: number | null
}

/** Returns the record of a row in the form of the wire. A statement that cannot become a bill answers its printed values. */
export function recordOfRow({ raw, payment_terms_days, ...row }: ReadStatement): RetrievedStatement {
  const printed = storedStatement(raw)
  const record = recordOf(printed, { client: row.client, paymentTermsDays: payment_terms_days ?? paymentTermsDaysDefault })
  const shown = 'cannot' in record ? printedRecord(printed) : record
  return {
    ...row,
    invoice_number: shown.invoice_number,
    due_date: shown.due_date,
    interval_start: shown.interval_start,
    interval_end: shown.interval_end,
    meters: [...shown.meters],
    account_charges: [...shown.account_charges],
    balance_forward: shown.balance_forward,
    current_charges: shown.current_charges,
    late_fee: shown.late_fee,
    notes: shown.notes,
    rebill_adjustment: shown.rebill_adjustment,
    qc: false,
    parked: false,
    attachment: shown.attachment,
    assumed: [...shown.assumed],
    service_address: printed.service_address,
  }
}

/**
 * Parses a statement that was stored as JSON. It was validated when it arrived; a later version may define it differently, so it is parsed
 * again.
 */
export function storedStatement(raw: unknown): Statement {
  return statementSchema.parse(raw)
}

function printedRecord(printed: Statement) {
  const {
    invoice_number,
    due_date,
    interval_start,
    interval_end,
    meters,
    account_charges,
    balance_forward,
    current_charges,
    late_fee,
    rebill_adjustment,
  } = printed
  return {
    invoice_number,
    due_date,
    interval_start,
    interval_end,
    meters,
    account_charges,
    balance_forward,
    current_charges,
    late_fee,
    rebill_adjustment,
    notes: null,
    attachment: '',
    assumed: [],
  }
}

function onAccount(kind: 'billable_account' | 'supply_account', level: string, ids: readonly number[]): Condition {
  const table = `${kind}s`
  const inside = (kind === 'billable_account' ? billableAccountScope : supplyAccountScope).levels[level]?.(ids) ?? sql<SqlBool>`false`
  return sql<SqlBool>`exists (select 1 from ${sql.table(table)} where ${sql.ref(`${table}.client_id`)} = retrieval_statements.client_id
    and ${sql.ref(`${table}.id`)} = ${sql.ref(`retrieval_statements.${kind}_id`)} and ${inside})`
}
