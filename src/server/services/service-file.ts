/** The files of all services of a client's accounts, in a form that their imports accept. */
import type { Call, ExportInput, Nothing, Started } from '#contract/kernel/call.ts'
import type { ImportColumn } from '#contract/kernel/import.ts'
import {
  billableServiceFile,
  fileHeaders,
  serviceFileCalls,
  serviceFileColumns,
  supplyServiceFile,
} from '#contract/accounts/service-file.ts'
import { sql, type RawBuilder } from 'kysely'
import { accountColumns, accountJoins, accountTables, type AccountKind, serviceScope } from '../estate/estate.ts'
import { startExport } from '../kernel/lists/export.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { listed, type Column, type Source } from '../kernel/lists/list.ts'
import { askedBy, registered } from '../kernel/lists/resource.ts'

/** An inactive field ends in `:N`; one whose own name ends like that gets an explicit mark. */
const ownField = sql`(own.name || case when not own.active then ':N' when own.name ~* ':\\s*[yn]$' then ':Y' else '' end)`

/** Cells of references and lists: the names that people know. */
const worded: Readonly<Record<string, RawBuilder<unknown>>> = {
  service_utility_code: sql`(select code from utility_services where id = services.utility_service_id)`,
  usage_unit: sql`(select units.symbol from usage_units join units on units.id = usage_units.unit_id where usage_units.id = services.usage_unit_id)`,
  usage_factors: sql`(select string_agg(${listed(sql.ref('factor.name'))}, '; ' order by factor.name, factor.id) from service_usage_factors link
    join usage_factors factor on factor.id = link.usage_factor_id where link.client_id = services.client_id and link.service_id = services.id)`,
  ledger_account: sql`(select name from ledger_accounts where ledger_accounts.client_id = services.client_id and ledger_accounts.id = services.ledger_account_id)`,
  shares: sql`(select string_agg(${listed(sql`(ledger_accounts.name || ':' || share.share_ratio::text)`)}, '; ' order by share.position, share.id) from shared_accounts share
    join ledger_accounts on ledger_accounts.client_id = share.client_id and ledger_accounts.id = share.ledger_account_id
    where share.client_id = services.client_id and share.service_id = services.id)`,
  entry_fields: sql`(select string_agg(${listed(sql.ref('field.name'))}, '; ' order by field.position, field.id) from service_entry_fields link
    join entry_fields field on field.id = link.entry_field_id where link.client_id = services.client_id and link.service_id = services.id)`,
  supplier_factors: sql`(select string_agg(${listed(sql`(factor.year || ':' || factor.value::text || ':' || factor.source)`)}, '; ' order by factor.year)
    from service_supplier_factors factor where factor.client_id = services.client_id and factor.service_id = services.id)`,
  additional_entry_fields: sql`(select string_agg(${listed(ownField)}, '; ' order by own.id) from additional_entry_fields own
    where own.client_id = services.client_id and own.service_id = services.id)`,
}

/** Ledger accounts combine bills of the whole client. */
const namesLedgers: readonly string[] = ['ledger_account', 'shares']
const wholeClientOnly = { ofWholeClient: true } as const

const files: Readonly<Record<AccountKind, Source>> = {
  billable_account: sourceOf('billable_account', billableServiceFile),
  supply_account: sourceOf('supply_account', supplyServiceFile),
}

export const serviceFileHandlers: readonly Handler[] = [
  exportHandler(serviceFileCalls.ofBillableAccounts, 'billable_account'),
  exportHandler(serviceFileCalls.ofSupplyAccounts, 'supply_account'),
]

function exportHandler(call: Call<{ client_id: number }, ExportInput, Nothing, Started>, kind: AccountKind): Handler {
  return handle(call, (context, { params, query }) => startExport(context, files[kind], query, askedBy(context, params)))
}

function sourceOf(kind: AccountKind, entity: Source['entity']): Source {
  const { table, key } = accountTables[kind]
  const columns = serviceFileColumns[kind]
  const known = accountColumns(kind)
  const ofAccount = (name: string): Column => {
    const found = known[name] ?? { sql: sql.ref(`${table}.${name}`) }
    return { sql: found.sql, joins: ['account', ...(found.joins ?? [])] }
  }
  const source: Source = {
    entity,
    table: 'services',
    scope: serviceScope,
    joins: {
      account: sql`join ${sql.table(table)} on ${sql.ref(`${table}.client_id`)} = services.client_id and ${sql.ref(`${table}.id`)} = ${sql.ref(`services.${key}`)}`,
      ...accountJoins(kind),
    },
    columns: {
      ...Object.fromEntries(entity.list.filter.map((name) => [name, ofAccount(name)])),
      ...Object.fromEntries(
        columns.map((column) => [column.name, { sql: cellOf(column), ...(namesLedgers.includes(column.name) && wholeClientOnly) }]),
      ),
      account_number: ofAccount('account_number'),
      vendor_short_code: {
        sql: sql`(select short_code from vendors where vendors.id = ${sql.ref(`${table}.vendor_id`)})`,
        joins: ['account'],
      },
      // The rows of one account stay together, ordered like the services in the console.
      in_order: {
        sql: sql`row(${sql.ref(`${table}.account_number`)}, ${sql.ref(`${table}.id`)}, coalesce(services.rank, 100001))`,
        joins: ['account'],
      },
    },
    search: ['account_number'],
    exported: fileHeaders(columns),
  }
  registered.set(entity.plural, source)
  return source
}

function cellOf({ name, key }: ImportColumn): RawBuilder<unknown> {
  return worded[name] ?? sql.ref(`services.${key}`)
}
