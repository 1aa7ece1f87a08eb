/** The best hand-written SQL for the lists of an estate. The page is found first, then its rows are completed. */

const accountColumns = `id, lock_version, active, is_group_account, facility_id, vendor_id, utility_service_id, name, account_number, tax_id, street_address_1, street_address_2, city, state, zip,
  mailing_address, mailing_city, mailing_state, mailing_zipcode, billing_period, billing_cycle, notes, group_account_id, client_id, last_bill_date`

/** Data of an account's related records, looked up row by row. */
const dressed = `facility.name as facility, facility.division_id, division.name as division_name, (select name from vendors where id = page.vendor_id) as vendor_name,
  (select name from clients where id = page.client_id) as client, meters.*`
const dressing = `join facilities facility on facility.client_id = page.client_id and facility.id = page.facility_id
  join divisions division on division.client_id = facility.client_id and division.id = facility.division_id
  cross join lateral (select count(*) as services_count, array_agg(distinct coalesce(services.service_name_1, kind.name)) as service_names,
      json_agg(distinct jsonb_build_object('name', kind.name, 'symbol', unit.symbol)) as service_types
    from services left join utility_services kind on kind.id = services.utility_service_id left join usage_units on usage_units.id = services.usage_unit_id
      left join units unit on unit.id = usage_units.unit_id where services.client_id = page.client_id and services.billable_account_id = page.id) meters`

/** Accounts for a `found` query that gives the id and the sort key as `key`. */
function accounts(found: string, order = 'found.key, found.id'): string {
  return `with found as materialized (${found}), page as materialized (select ${accountColumns}, row_number() over (order by ${order}) as place from found join billable_accounts using (id) where client_id = 1)
    select page.*, ${dressed} from page ${dressing} order by place`
}

/** By the account's own index; without filters the page comes from the index. */
const own = (key: string, where = 'true', rest = 'limit 10 offset $1') =>
  accounts(`select id, ${key} as key from billable_accounts where client_id = 1 and ${where} order by ${key}, id ${rest}`)

/** By the name of a record that the accounts refer to. */
const byName = (table: string, join: string) =>
  accounts(
    `select account.id, named.name as key from ${table} join billable_accounts account on ${join} where account.client_id = 1 order by named.name, account.id limit 10 offset $1`,
  )

const inDivisions = `facility_id in (select id from facilities where client_id = 1 and division_id = any($2::bigint[]))`
const plain = "translate(account_number, ' -', '')"
const contains = `${plain} like '%' || $1 || '%'`
/** Written so that the trigram index is not used. */
const containsShort = `(${plain} || '') like '%' || $1 || '%'`
/** Three or more letters use the trigram index, fewer the index of the sort. */
const containsFirst = `with matching as materialized (select id, name, account_number from billable_accounts where client_id = 1 and ${contains})`

/** Every statement by name; ten rows by default. */
export const estateTexts: ReadonlyMap<string, string> = new Map([
  ['accounts_by_name', own('name')],
  ['accounts_by_account_number', own('account_number')],
  ['accounts_by_city', own('city')],
  ['accounts_by_state', own('state')],
  ['accounts_by_active', own('active')],
  ['accounts_by_last_bills_date', own('last_bill_date')],
  ['accounts_by_id', accounts('select id, id as key from billable_accounts where client_id = 1 order by id limit 10 offset $1')],
  ['accounts_by_facility', byName('facilities named', 'account.client_id = named.client_id and account.facility_id = named.id')],
  ['accounts_by_vendor_name', byName('vendors named', 'account.vendor_id = named.id')],
  [
    'accounts_by_division_name',
    byName(
      'divisions named join facilities on facilities.client_id = named.client_id and facilities.division_id = named.id',
      'account.client_id = facilities.client_id and account.facility_id = facilities.id',
    ),
  ],
  ['accounts_narrowed', own('name', inDivisions)],
  ['accounts_total', 'select count(*) from billable_accounts where client_id = 1 and $1::int >= 0'],
  ['accounts_narrowed_total', `select count(*) from billable_accounts where client_id = 1 and $1::int >= 0 and ${inDivisions}`],
  ['accounts_containing', own('name', containsShort, 'limit 10')],
  ['accounts_containing_total', `select count(*) from billable_accounts where client_id = 1 and ${containsShort}`],
  ['accounts_containing_first', accounts(`${containsFirst} select id, name as key from matching order by name, id limit 10`)],
  ['accounts_containing_first_total', `${containsFirst} select count(*) from matching`],
  ['accounts_thousand', own('name', 'true', 'limit 1000 offset $1')],
  [
    'accounts_found',
    `${containsFirst} select matching.id, matching.name, matching.account_number, account.client_id, vendor.name as vendor_name from matching join billable_accounts account on account.client_id = 1 and account.id = matching.id
      join vendors vendor on vendor.id = account.vendor_id order by matching.name, matching.id limit 10`,
  ],
  [
    'account_options',
    `select account.id, account.name, account.account_number, account.client_id, vendor.name as vendor_name from billable_accounts account join vendors vendor on vendor.id = account.vendor_id
      where account.client_id = 1 order by account.name, account.id limit 1000`,
  ],
  ['accounts_sidebar', own('account_number', 'true', 'limit 100 offset $1')],
  [
    'divisions',
    `select divisions.*, clients.name as client, batch_groups.name as batch_group_name from divisions join clients on clients.id = divisions.client_id
      left join batch_groups on batch_groups.client_id = divisions.client_id and batch_groups.id = divisions.batch_group_id where divisions.client_id = 1 order by divisions.name, divisions.id limit 10 offset $1`,
  ],
  [
    'facilities',
    `with page as materialized (select * from facilities where client_id = 1 order by name, id limit 10 offset $1)
      select page.*, divisions.name as division_name, facility_types.name as facility_type_name, clients.name as client,
        array(select production_unit_id from facility_production_units made where made.client_id = page.client_id and made.facility_id = page.id) as production_unit_ids
      from page join divisions on divisions.client_id = page.client_id and divisions.id = page.division_id join clients on clients.id = page.client_id
        left join facility_types on facility_types.id = page.facility_type_id order by page.name, page.id`,
  ],
  [
    'supply_accounts',
    `with page as materialized (select * from supply_accounts where client_id = 1 order by account_number, id limit 10 offset $1)
      select page.*, facilities.name as facility, divisions.name as division_name, vendors.name as vendor_name, clients.name as client,
        (select count(*) from services where services.client_id = page.client_id and services.supply_account_id = page.id) as services_count
      from page join clients on clients.id = page.client_id left join vendors on vendors.id = page.vendor_id
        left join facilities on facilities.client_id = page.client_id and facilities.id = page.facility_id
        left join divisions on divisions.client_id = facilities.client_id and divisions.id = facilities.division_id order by page.account_number, page.id`,
  ],
  [
    'services',
    `select services.*, kind.name, units.symbol, account.account_number,
        array(select usage_factor_id from service_usage_factors one where one.client_id = services.client_id and one.service_id = services.id) as usage_factor_ids,
        array(select entry_field_id from service_entry_fields one where one.client_id = services.client_id and one.service_id = services.id) as entry_field_ids,
        array(select share_ratio from shared_accounts one where one.client_id = services.client_id and one.service_id = services.id) as shared_accounts,
        array(select name from additional_entry_fields one where one.client_id = services.client_id and one.service_id = services.id) as additional_entry_fields
      from services join billable_accounts account on account.client_id = services.client_id and account.id = services.billable_account_id
        left join utility_services kind on kind.id = services.utility_service_id left join usage_units on usage_units.id = services.usage_unit_id left join units on units.id = usage_units.unit_id
      where services.client_id = 1 and services.billable_account_id = $1 order by services.rank, services.id limit 10`,
  ],
])
