/** A client's accounts as the sandbox continues them: the last reading, daily usage and unit price of each meter. */
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import type { SandboxAccount, SandboxService } from './sandbox-written.ts'

/** Lines of a service from which its typical usage and rate are computed: a year of monthly bills. */
const LINES_LOOKED_AT = 12
/** Dollars per unit if the last bills do not show it. */
const RATE_DEFAULT = '0.15'
const ACCOUNTS_MAX = 20_000

interface Row extends SandboxService {
  readonly account_id: number
  readonly account_number: string
  readonly vendor_name: string
  readonly service_address: string
  readonly payment_terms_days: number
}

/** Returns active billable accounts with a metered service that was read before; none for an unknown client. */
export async function readSandboxAccounts(tx: Tx, clientCode: string): Promise<SandboxAccount[]> {
  const { rows } = await sql<Row>`
    select account.id as account_id, account.account_number, vendor.name as vendor_name, vendor.payment_terms_days,
      concat_ws(', ', account.street_address_1, account.city, account.state || ' ' || account.zip) as service_address,
      service.meter_number, kind.name as utility_service, units.symbol as unit, service.meter_multiplier::text as multiplier,
      past.last_read_date, past.last_reading::text as last_reading, round(past.usage / past.days, 4)::text as usage_per_day,
      coalesce(round(past.cost / nullif(past.usage, 0), 6)::text, ${RATE_DEFAULT}) as rate
    from clients client
    join billable_accounts account on account.client_id = client.id and account.active and not account.is_group_account
    join vendors vendor on vendor.id = account.vendor_id
    join services service on service.client_id = account.client_id and service.billable_account_id = account.id and service.active and service.metered
    join utility_services kind on kind.id = service.utility_service_id
    left join usage_units on usage_units.id = service.usage_unit_id
    left join units on units.id = usage_units.unit_id
    cross join lateral (
      select max(line.read_date) as last_read_date, (array_agg(line.meter_reading order by line.read_date desc))[1] as last_reading,
        coalesce(sum(greatest(line.usage, 0)), 0) as usage, sum(greatest(line.read_date - line.previous_read_date, 1)) as days,
        (select greatest(sum(entry.value), 0) from service_bill_entry_values entry where entry.client_id = client.id and entry.service_bill_id = any(array_agg(line.id))) as cost
      from (select line.id, line.usage, line.meter_reading, line.read_date, line.previous_read_date from service_bills line
        join bills on bills.client_id = line.client_id and bills.id = line.bill_id and bills.superseded_by_id is null
        where line.client_id = service.client_id and line.service_id = service.id and line.read_date is not null and line.previous_read_date is not null
        order by line.read_date desc limit ${LINES_LOOKED_AT}) line) past
    where client.short_code = ${clientCode} and past.last_read_date is not null
    order by account.id, service.rank, service.id limit ${ACCOUNTS_MAX}`.execute(tx)
  return [...Map.groupBy(rows, (row) => row.account_id).values()].flatMap((services) => {
    const [first] = services
    return first ? [{ ...first, services }] : []
  })
}
