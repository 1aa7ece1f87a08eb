/**
 * The file of bills with their lines, values and charges, which the import of bills accepts: a row has up to three lines, further rows have
 * the others.
 */
import {
  billFile,
  billFileFurtherMax,
  billFileHeaders,
  billFileMeters,
  billFileNotes,
  billFileValues,
} from '#contract/bill-import/bill-file.ts'
import { metersPerRow } from '#contract/bill-import/import-bills.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import { listed, scopeCondition, type Asked, type Column, type ExportedText, type Source } from '../kernel/lists/list.ts'
import { accountScope, serviceScope } from '../estate/estate.ts'
import { mayIn } from '../kernel/principal.ts'
import { refused } from '../kernel/problem.ts'
import { registered } from '../kernel/lists/sources.ts'
import { billSource } from './bill-source.ts'

/** Returns the present number or name of the bill's account, since the import looks it up by that. */
const ofAccount = (column: string): RawBuilder<unknown> =>
  sql`coalesce((select ${sql.ref(`own.${column}`)} from billable_accounts own where own.client_id = bills.client_id and own.id = bills.billable_account_id),
    (select ${sql.ref(`own.${column}`)} from supply_accounts own where own.client_id = bills.client_id and own.id = bills.supply_account_id))`

/** The number of a group account is for who reaches that account. */
const groupNumber = (asked: Asked): RawBuilder<unknown> => {
  const inside = (kind: 'billable_account' | 'supply_account') => scopeCondition({ scope: accountScope('gathering', kind) }, asked)
  return sql`coalesce((select gathering.account_number from billable_accounts own join billable_accounts gathering on gathering.client_id = own.client_id and gathering.id = own.group_account_id
    where own.client_id = bills.client_id and own.id = bills.billable_account_id and ${inside('billable_account')}),
  (select gathering.account_number from supply_accounts own join supply_accounts gathering on gathering.client_id = own.client_id and gathering.id = own.group_supply_account_id
    where own.client_id = bills.client_id and own.id = bills.supply_account_id and ${inside('supply_account')}))`
}

const lines = sql`from service_bills line where line.client_id = bills.client_id and line.bill_id = bills.id`
/** The dates of the head follow from those of the lines, if any line has them. */
const withoutDays = (column: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`case when not exists (select ${lines} and num_nonnulls(line.previous_read_date, line.read_date) > 0) then ${column} end`

/** Head columns that are not simply a column of bills. */
const head: Readonly<Record<string, (asked: Asked) => RawBuilder<unknown>>> = {
  account_number: () => ofAccount('account_number'),
  account_type: () => sql`case when bills.billable_account_id is null then 'S' else 'B' end`,
  group_account_number: (asked) => {
    const number = groupNumber(asked)
    return sql`case when bills.group_bill_id is not null then ${number} when bills.group_bill_chosen and ${number} is not null then 'none' end`
  },
  account_charges:
    () => sql`(select string_agg(${listed(sql`(charge.name || ':' || charge.amount)`)}, '; ' order by charge.position, charge.id)
    from bill_charges charge where charge.client_id = bills.client_id and charge.bill_id = bills.id)`,
  read_date: () => sql`(${withoutDays(sql`bills.read_date`)})::text`,
}

const fixedColumns: Readonly<Record<string, Column>> = {
  vendor_short_code: { sql: sql`(select short_code from vendors where vendors.id = ${ofAccount('vendor_id')})` },
  notes: { sql: sql`bills.notes` },
  // The name of a bill's file is in its notes.
  file_name: { sql: sql`null::text` },
  previous_read_date: { sql: withoutDays(sql`bills.previous_read_date`) },
  // The rows of an account are adjacent and ordered by date, as the import reads them.
  in_order: { sql: sql`row(bills.account_number, bills.date, bills.id, page.number)`, joins: ['page'] },
}

/** Returns a name of the service that no other service has with which the import could confuse it. */
const nameAlone = (isRival: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`coalesce((select named.name from unnest(array[service.service_name_1, kind.code, kind.name, service.service_name_2]) with ordinality as named(name, place)
    where named.name <> '' and not exists (select from services rival left join utility_services other on other.id = rival.utility_service_id
      where rival.client_id = service.client_id and rival.id <> service.id and rival.billable_account_id is not distinct from service.billable_account_id
        and rival.supply_account_id is not distinct from service.supply_account_id and ${isRival}
        and lower(named.name) in (lower(rival.service_name_1), lower(rival.service_name_2), lower(other.code), lower(other.name)))
    order by named.place limit 1), service.service_name_1, kind.code)`

/** Required if the meter's number is not unique. */
const serviceName = sql`case when service.meter_number = '' then ${nameAlone(sql`true`)}
  when exists (select from services twin where twin.client_id = service.client_id and twin.id <> service.id and twin.meter_number = service.meter_number
    and twin.billable_account_id is not distinct from service.billable_account_id and twin.supply_account_id is not distinct from service.supply_account_id)
  then ${nameAlone(sql`rival.meter_number = service.meter_number`)} end`

const values = sql`(select jsonb_object_agg(given.name, given.value) from (
    select field.name, stored.value from service_bill_usage_factors stored join usage_factors field on field.id = stored.usage_factor_id
      where stored.client_id = line.client_id and stored.service_bill_id = line.id
    union all select field.name, stored.value from service_bill_additional_values stored join additional_entry_fields field on field.client_id = stored.client_id and field.id = stored.additional_entry_field_id
      where stored.client_id = line.client_id and stored.service_bill_id = line.id
    union all select field.name, stored.value from service_bill_entry_values stored join entry_fields field on field.id = stored.entry_field_id
      where stored.client_id = line.client_id and stored.service_bill_id = line.id) given)`

/** Joins the line at this position of the row. */
const lineAt = (meter: number): RawBuilder<unknown> => sql`left join lateral (
  select line.*, nullif(service.meter_number, '') as meter_number, ${serviceName} as service, coalesce(units.symbol, line.raw_unit) as unit, ${values} as given
  from service_bills line join services service on service.client_id = line.client_id and service.id = line.service_id
    left join utility_services kind on kind.id = service.utility_service_id left join units on units.id = line.unit_id
  where line.client_id = bills.client_id and line.bill_id = bills.id
  order by line.position, line.id offset page.number * ${sql.lit(metersPerRow)} + ${sql.lit(meter - 1)} limit 1) as ${sql.ref(`m${meter}`)} on true`

/** Cells whose name differs from the line's column. */
const renamed: Readonly<Record<string, string>> = { reading: 'meter_reading' }

function meterColumns(): [string, Column][] {
  return billFileHeaders.flatMap((header): [string, Column][] => {
    const [, meter, name] = /^(m\d)_(\w+)$/.exec(header) ?? []
    if (meter === undefined || name === undefined) return []
    const value = billFileValues[name]
    const cell = value === undefined ? sql.ref(`${meter}.${renamed[name] ?? name}`) : valueOf(meter, value)
    return [[header, { sql: cell, joins: ['page', meter] }]]
  })
}

function valueOf(meter: string, name: string): RawBuilder<unknown> {
  return sql`(${sql.ref(`${meter}.given`)} ->> ${sql.lit(name)})::numeric`
}

export const billFileSource: Source = {
  ...billSource,
  entity: billFile,
  joins: {
    ...billSource.joins,
    // A bill without lines still has one row.
    page: sql`cross join lateral generate_series(0, ((select count(*) ${lines}) - 1) / ${sql.lit(metersPerRow)}) as page(number)`,
    ...Object.fromEntries(billFileMeters.map((meter) => [`m${meter}`, lineAt(meter)])),
  },
  columns: { ...billSource.columns, ...fixedColumns, ...Object.fromEntries(meterColumns()) },
  cells: head,
  exported: billFileHeaders,
  further: furtherValues,
  withheld: (principal, { clientId }) => (mayIn(principal, 'bill_notes.read', clientId ?? 0) ? [] : billFileNotes),
}
registered.set(billFile.plural, billFileSource)

/** Returns a column for each meter and each further name under which a line of the client has a value. A service's own names are for who reaches it. */
async function furtherValues(tx: Tx, asked: Asked): Promise<ExportedText[]> {
  const { clientId = 0 } = asked
  const ofReached = sql`service_id in (select services.id from services where ${scopeCondition({ scope: serviceScope }, { reach: asked.reach, clientId })})`
  const { rows } = await sql<{ name: string }>`select name from (
      select name from usage_factors where id in (select usage_factor_id from service_bill_usage_factors where client_id = ${clientId})
      union select name from entry_fields where id in (select entry_field_id from service_bill_entry_values where client_id = ${clientId})
      union select name from additional_entry_fields where client_id = ${clientId} and ${ofReached}
        and id in (select additional_entry_field_id from service_bill_additional_values where client_id = ${clientId})) used
    where name <> all(${Object.values(billFileValues)}::text[]) order by name`.execute(tx)
  if (rows.length > billFileFurtherMax)
    throw refused(`The lines of this client have values under ${rows.length} names; a file has room for ${billFileFurtherMax}.`)
  return rows.flatMap(({ name }) =>
    billFileMeters.map((meter) => ({
      header: `m${meter}_entry:${name}`,
      sql: valueOf(`m${meter}`, name),
      isNumber: true,
      joins: ['page', `m${meter}`],
    })),
  )
}
