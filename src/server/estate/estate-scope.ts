/**
 * Visible parts of a client's hierarchy. A role that is narrowed to divisions, facilities or accounts reaches these and everything below
 * them; the names of the levels above are on the rows themselves. If several levels are named, each adds its own.
 */
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { or, type Condition, type ScopeLevel, type ScopeRule } from '../kernel/lists/list.ts'
import { declareReachable } from '../kernel/lists/sources.ts'

/** A client is visible to all users whose role lies anywhere inside it: its name is above everything that they see. */
export const clientScope: ScopeRule = {
  client: sql.ref('clients.id'),
  levels: { division: anywhere, facility: anywhere, billable_account: anywhere, supply_account: anywhere },
}

/** The number that a client gives a vendor concerns the client as a whole: a narrowed role reaches none. */
export const clientVendorNumberScope: ScopeRule = { client: sql.ref('client_vendor_numbers.client_id'), levels: {} }

/** Batch groups are names of the client, visible to users who see the client. */
export const batchGroupScope: ScopeRule = { client: sql.ref('batch_groups.client_id'), levels: clientScope.levels }

export const divisionScope: ScopeRule = { client: sql.ref('divisions.client_id'), levels: { division: within('divisions.id') } }

export const facilityScope: ScopeRule = {
  client: sql.ref('facilities.client_id'),
  levels: { division: within('facilities.division_id'), facility: within('facilities.id') },
}

/** A survey is visible to users who see its facility. */
export const siteSurveyScope: ScopeRule = {
  client: sql.ref('site_surveys.client_id'),
  levels: {
    division: (ids, client) => sql<SqlBool>`exists (select 1 from facilities scope_facility where scope_facility.client_id = ${client}
      and scope_facility.id = site_surveys.facility_id and scope_facility.division_id = any(${ids}::bigint[]))`,
    facility: within('site_surveys.facility_id'),
  },
}

export const billableAccountScope: ScopeRule = accountScope('billable_accounts', 'billable_account')
export const supplyAccountScope: ScopeRule = accountScope('supply_accounts', 'supply_account')

/** A budget is visible to users who see its account. */
export const budgetScope: ScopeRule = {
  client: sql.ref('budgets.client_id'),
  levels: {
    division: (ids, client) => onBudgeted(client, billableAccountScope.levels['division']?.(ids, client)),
    facility: (ids, client) => onBudgeted(client, billableAccountScope.levels['facility']?.(ids, client)),
    billable_account: within('budgets.billable_account_id'),
  },
}

/** A service is visible to users who see its account. */
export const serviceScope: ScopeRule = {
  client: sql.ref('services.client_id'),
  levels: {
    division: (ids, client) =>
      or([
        onAccount('billable_accounts', 'billable_account_id', client, billableAccountScope.levels['division']?.(ids, client)),
        onAccount('supply_accounts', 'supply_account_id', client, supplyAccountScope.levels['division']?.(ids, client)),
      ]),
    facility: (ids, client) =>
      or([
        onAccount('billable_accounts', 'billable_account_id', client, billableAccountScope.levels['facility']?.(ids, client)),
        onAccount('supply_accounts', 'supply_account_id', client, supplyAccountScope.levels['facility']?.(ids, client)),
      ]),
    billable_account: within('services.billable_account_id'),
    supply_account: within('services.supply_account_id'),
  },
}

/** A client batch has the bills of the whole client: a narrowed role reaches none (rule 3 of the rights). */
export const clientBatchScope: ScopeRule = { client: sql.ref('accounting_batches.client_id'), levels: {} }
/** The format of its upload files belongs to the same level. */
export const exportProfileScope: ScopeRule = { client: sql.ref('export_profiles.client_id'), levels: {} }
/** Vendor batches are named on their bills, so users who see the client may filter by them. */
export const vendorBatchScope: ScopeRule = { client: sql.ref('payment_batches.client_id'), levels: clientScope.levels }
export const vendorPaymentScope: ScopeRule = { client: sql.ref('vendor_payments.client_id'), levels: clientScope.levels }

/** A bill has the division and the facility of its account. */
export const billScope: ScopeRule = {
  client: sql.ref('bills.client_id'),
  levels: {
    division: within('bills.division_id'),
    facility: within('bills.facility_id'),
    billable_account: within('bills.billable_account_id'),
    supply_account: within('bills.supply_account_id'),
  },
}

/** Ledger accounts combine bills outside a narrowed reach: a narrowed role reaches none (rule 3 of the rights). */
export const ledgerAccountScope: ScopeRule = { client: sql.ref('ledger_accounts.client_id'), levels: {} }
export const ledgerFieldScope: ScopeRule = { client: sql.ref('ledger_fields.client_id'), levels: {} }

// Tables whose ids bodies name while another slice, or none, answers their rows. Who may grant which role is another question, which the
// rules of roles decide.
declareReachable('roles', { table: 'roles', scope: 'shared' })
declareReachable('batch_groups', { table: 'batch_groups', scope: batchGroupScope })
declareReachable('usage_units', { table: 'usage_units', scope: 'shared' })
declareReachable('usage_factors', { table: 'usage_factors', scope: 'shared' })

export function accountScope(table: string, level: 'billable_account' | 'supply_account'): ScopeRule {
  return {
    client: sql.ref(`${table}.client_id`),
    levels: {
      division: (ids, client) => sql<SqlBool>`exists (select 1 from facilities scope_facility where scope_facility.client_id = ${client}
        and scope_facility.id = ${sql.ref(`${table}.facility_id`)} and scope_facility.division_id = any(${ids}::bigint[]))`,
      facility: within(`${table}.facility_id`),
      [level]: within(`${table}.id`),
    },
  }
}

function onAccount(table: string, key: string, client: RawBuilder<unknown>, inside: Condition = sql<SqlBool>`false`): Condition {
  return sql<SqlBool>`exists (select 1 from ${sql.table(table)} where ${sql.ref(`${table}.client_id`)} = ${client}
    and ${sql.ref(`${table}.id`)} = ${sql.ref(`services.${key}`)} and ${inside})`
}

/** On budgets, by the account of each. */
function onBudgeted(client: RawBuilder<unknown>, inside: Condition = sql<SqlBool>`false`): Condition {
  return sql<SqlBool>`exists (select 1 from billable_accounts where billable_accounts.client_id = ${client}
    and billable_accounts.id = budgets.billable_account_id and ${inside})`
}

function within(column: string): ScopeLevel {
  return (ids) => sql<SqlBool>`${sql.ref(column)} = any(${ids}::bigint[])`
}

function anywhere(): Condition {
  return sql<SqlBool>`true`
}
