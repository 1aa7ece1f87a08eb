/** The lines that a bill of a group account can include: the latest of each meter of its subaccounts, and of their suppliers. */
import type { LinkedServiceBillOption } from '#contract/accounts/group-account.ts'
import { sql } from 'kysely'
import { billScope } from '../estate/estate.ts'
import type { Context } from '../kernel/context.ts'
import { scopeCondition } from '../kernel/lists/list.ts'

/** More meters than the largest group account that a paper bill lists. */
const optionsMax = 5_000

/**
 * A subaccount's bill refers to the group's by `group_bill_id`; a supplier's line is shown in it by its id (G-LINKED-BILLS). Supply accounts
 * define which supplier delivers to which meter.
 */
export async function linkedServiceBillOptions(context: Context, clientId: number, groupId: number): Promise<LinkedServiceBillOption[]> {
  const inside = scopeCondition({ scope: billScope }, { reach: context.reach, clientId })
  const { rows } = await sql<LinkedServiceBillOption>`
    with member as (
      select services.id from billable_accounts account
      join services on services.client_id = account.client_id and services.billable_account_id = account.id
      where account.client_id = ${clientId} and account.group_account_id = ${groupId}),
    meter as (
      select id, 'group_bill_id' as linked_by from member
      union select supplying.id, 'linked_service_bill_ids' from member
      join supply_account_billable_services link on link.client_id = ${clientId} and link.service_id = member.id
      join services supplying on supplying.client_id = ${clientId} and supplying.supply_account_id = link.supply_account_id)
    select latest.id, latest.bill_id, latest.date, case when billable.id is null then 'SupplyAccount' else 'BillableAccount' end as account_type,
      coalesce(billable.id, supply.id) as account_id, coalesce(billable.account_number, supply.account_number) as account_number,
      coalesce(billable.name, supply.name) as account_name, vendor.name as vendor_name, service.id as service_id, service.meter_number as service_meter_number,
      service.service_name_1, utility.name as service_utility_service_name, latest.previous_read_date, latest.read_date, latest.usage, latest.unit_symbol,
      latest.charge, meter.linked_by, (select bills.id from bills where bills.client_id = ${clientId} and bills.id = latest.shown_by and ${inside}) as linked_to
    from meter
    join services service on service.client_id = ${clientId} and service.id = meter.id
    left join utility_services utility on utility.id = service.utility_service_id
    left join billable_accounts billable on billable.client_id = ${clientId} and billable.id = service.billable_account_id
    left join supply_accounts supply on supply.client_id = ${clientId} and supply.id = service.supply_account_id
    cross join lateral (
      select line.id, line.bill_id, bills.date, bills.vendor_id, line.previous_read_date, line.read_date, line.usage, coalesce(units.symbol, line.raw_unit) as unit_symbol,
        ${charge} as charge, ${shownBy} as shown_by
      from service_bills line join bills on bills.client_id = line.client_id and bills.id = line.bill_id left join units on units.id = line.unit_id
      where line.client_id = ${clientId} and line.service_id = meter.id and bills.superseded_by_id is null and ${inside}
      order by bills.date desc, line.id desc limit 1) latest
    left join vendors vendor on vendor.id = latest.vendor_id
    order by account_number, service.meter_number, latest.id limit ${optionsMax}`.execute(context.tx)
  return rows
}

const charge = sql`(coalesce((select sum(entry.value) from service_bill_entry_values entry where entry.client_id = line.client_id and entry.service_bill_id = line.id), 0)
  + coalesce((select sum(round(entry.value, 2)) from service_bill_additional_values entry where entry.client_id = line.client_id and entry.service_bill_id = line.id), 0))::numeric(14,2)`

const shownBy = sql`case when meter.linked_by = 'group_bill_id' then bills.group_bill_id
  else (select max(link.bill_id) from bill_linked_service_bills link where link.client_id = line.client_id and link.service_bill_id = line.id) end`
