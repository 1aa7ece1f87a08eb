/** Services as a list. */
import { service } from '#contract/services/service.ts'
import { sql } from 'kysely'
import { serviceScope, serviceRules } from '../estate/estate.ts'
import { resource } from '../kernel/lists/resource.ts'
import { ledgerColumns, withReachedLinks } from './service-ledgers.ts'

export const services = resource({
  entity: service,
  table: 'services',
  scope: serviceScope,
  joins: {
    kind: sql`left join utility_services kind on kind.id = services.utility_service_id`,
    usage_unit: sql`left join usage_units usage_unit on usage_unit.id = services.usage_unit_id left join units unit on unit.id = usage_unit.unit_id`,
    billable: sql`left join billable_accounts billable on billable.client_id = services.client_id and billable.id = services.billable_account_id`,
    supply: sql`left join supply_accounts supply on supply.client_id = services.client_id and supply.id = services.supply_account_id`,
  },
  columns: {
    utility_service_name: { sql: sql.ref('kind.name'), joins: ['kind'] },
    usage_unit_symbol: { sql: sql.ref('unit.symbol'), joins: ['usage_unit'] },
    account_type: { sql: sql`case when services.billable_account_id is null then 'SupplyAccount' else 'BillableAccount' end` },
    account_id: { sql: sql`coalesce(services.billable_account_id, services.supply_account_id)` },
    account_number: { sql: sql`coalesce(billable.account_number, supply.account_number)`, joins: ['billable', 'supply'] },
    // Inactive services come last, whatever their rank.
    place: { sql: sql`(case when services.active then 0 else 1000000 end + coalesce(services.rank, 100001))` },
    ...ledgerColumns,
    usage_factor_ids: { sql: linked('service_usage_factors', 'usage_factor_id') },
    entry_field_ids: { sql: linked('service_entry_fields', 'entry_field_id') },
    shared_accounts: {
      sql: sql`(select coalesce(json_agg(json_build_object('id', share.id, 'ledger_account_id', share.ledger_account_id, 'ledger_account_name', ledger_accounts.name,
          'share_ratio', share.share_ratio::text) order by share.position, share.id), '[]')
        from shared_accounts share join ledger_accounts on ledger_accounts.client_id = share.client_id and ledger_accounts.id = share.ledger_account_id
        where share.client_id = services.client_id and share.service_id = services.id)`,
      ofWholeClient: true,
    },
    supplier_factors: {
      sql: sql`(select coalesce(json_agg(json_build_object('id', factor.id, 'year', factor.year, 'value', factor.value::text, 'source', factor.source) order by factor.year desc), '[]')
        from service_supplier_factors factor where factor.client_id = services.client_id and factor.service_id = services.id)`,
    },
    additional_entry_fields: {
      sql: sql`(select coalesce(json_agg(json_build_object('id', own.id, 'name', own.name, 'active', own.active) order by own.id), '[]')
        from additional_entry_fields own where own.client_id = services.client_id and own.service_id = services.id)`,
    },
  },
  search: ['meter_number', 'service_name_1', 'service_name_2'],
  rules: serviceRules,
  present: withReachedLinks,
})

function linked(table: string, column: string) {
  return sql`array(select ${sql.ref(`link.${column}`)} from ${sql.table(table)} link where link.client_id = services.client_id and link.service_id = services.id order by 1)`
}
