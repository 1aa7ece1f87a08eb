/**
 * Every service of the chosen utilities with its account, meter, rate, ledger accounts and emissions, as a statement that the database streams.
 */
import { sql } from 'kysely'
import { and } from '../kernel/lists/list.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { withoutVoid } from './bills-behind.ts'
import { inMonths, monthsAsked } from './day-rows.ts'
import type { AskedReport, ReportTable } from './report-table.ts'
import { serviceJoins, servicesAsked } from './service-choice.ts'
import { ledgerAccountsText } from './line-rows.ts'

export function inventory(_tx: Tx, asked: AskedReport): Promise<ReportTable> {
  const { clientId } = asked
  const window = monthsAsked(asked)
  const factor = sql`coalesce(services.emissions_factor, (select edition.value from emission_factors edition where edition.utility_service_id = kind.id
      and edition.effective_from <= ${asked.today}::date order by edition.effective_from desc limit 1), kind.emissions_factor)`
  const cells = {
    division: sql`division.name`,
    facility: sql`facility.name`,
    facility_number: sql`facility.number`,
    square_footage: sql`trim_scale(facility.square_footage)`,
    facility_type: sql`facility_type.name`,
    account_type: sql`case when services.billable_account_id is null then 'Supply' else 'Billable' end`,
    account_number: sql`coalesce(billable.account_number, supply.account_number)`,
    active: sql`case when services.active and coalesce(billable.active, supply.active) then 'Yes' else 'No' end`,
    vendor: sql`vendor.name`,
    utility_service: sql`kind.name`,
    service_name_1: sql`services.service_name_1`,
    meter: sql`services.meter_number`,
    multiplier: sql`trim_scale(services.meter_multiplier)`,
    rate_schedule: sql`services.rate_schedule`,
    contract_demand: sql`services.contract_demand_capacity`,
    unit: sql`unit.symbol`,
    emissions_factor: sql`trim_scale(${factor})`,
    factor_unit: sql`standard_unit.symbol`,
    factor_source: sql`case when services.emissions_factor is null then 'Default' else 'Own' end`,
    ledger_accounts: ledgerAccountsText,
    first_bill: sql`billed.first_bill`,
    last_bill: sql`billed.last_bill`,
    bill_count: sql`coalesce(billed.bill_count, 0)`,
    inventoried: sql`case when kind.inventoriable then 'Yes' else 'No' end`,
    scope: sql`case when kind.inventoriable then kind.emissions_scope::text end`,
    activity: sql`trim_scale(used.activity)`,
    activity_unit: sql`case when used.activity is not null then standard_unit.symbol end`,
    tonnes: sql`case when kind.inventoriable then trim_scale(coalesce(used.kg, 0) * 0.001) end`,
  }
  const known: Readonly<Record<string, (typeof cells)[keyof typeof cells]>> = cells
  return Promise.resolve({
    columns: asked.columns,
    statement: {
      cells: asked.columns.map(({ key }) => known[key] ?? sql`null`),
      from: sql`from services ${serviceJoins(clientId)}
        left join facility_types facility_type on facility_type.id = facility.facility_type_id
        left join usage_units own_unit on own_unit.id = services.usage_unit_id
        left join units unit on unit.id = own_unit.unit_id
        left join usage_units standard on standard.utility_service_id = kind.id and standard.standard
        left join units standard_unit on standard_unit.id = standard.unit_id
        left join lateral (select min(bills.date) as first_bill, max(bills.date) as last_bill, count(distinct bills.id)::int as bill_count
          from service_bills line join bills on bills.client_id = ${clientId} and bills.id = line.bill_id and bills.superseded_by_id is null
          where line.client_id = ${clientId} and line.service_id = services.id) billed on true
        left join lateral (select sum(fact.usage) as activity, sum(fact.kg_co2e) as kg from service_month_facts fact
          where fact.client_id = ${clientId} and fact.service_id = services.id and ${inMonths(window)}) used on true
        where ${and(servicesAsked(asked))}`,
      order: sql`division.name, facility.name, facility.id, coalesce(billable.account_number, supply.account_number), services.id`,
      key: sql`services.id`,
    },
    control: null,
    behind: (_row, key) =>
      key === null
        ? []
        : [{ column: 'bill_count', client_id: clientId, filters: { service_id_eq: key, ...withoutVoid }, comes_to: 'count' }],
    remarks: () => [`Activity and tonnes of ${window.first_month} to ${window.last_month}, whole months.`],
  })
}
