/** The facilities as properties of ENERGY STAR Portfolio Manager. Facilities with one property ID are one property, with the sum of their areas. */
import { sql } from 'kysely'
import { and } from '../kernel/lists/list.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { facilitiesAsked } from './facilities.ts'
import type { AskedReport, ReportTable } from './report-table.ts'

export async function portfolioManagerProperties(tx: Tx, asked: AskedReport): Promise<ReportTable> {
  const properties = propertiesOf(asked)
  const { rows } = await sql<{
    unnamed: number
    unmeasured: number
  }>`select (count(*) filter (where property.property_id is null))::int as unnamed,
      (count(*) filter (where coalesce(property.area, 0) = 0))::int as unmeasured from ${properties} property`.execute(tx)
  const { unnamed = 0, unmeasured = 0 } = rows[0] ?? {}
  const cells = {
    property_id: sql`property.property_id`,
    name: sql`property.name`,
    address_1: sql`place.street_address_1`,
    address_2: sql`place.street_address_2`,
    city: sql`place.city`,
    state: sql`place.state`,
    postal_code: sql`place.zip`,
    primary_function: sql`kind.name`,
    gross_floor_area: sql`trim_scale(property.area)`,
    gfa_units: sql`case when property.area is not null then 'Sq. Ft.' end`,
    custom_id: sql`facility.number`,
  }
  const known: Readonly<Record<string, (typeof cells)[keyof typeof cells]>> = cells
  return {
    columns: asked.columns,
    statement: {
      cells: asked.columns.map(({ key }) => known[key] ?? sql`null`),
      from: sql`from ${properties} property
        join facilities facility on facility.client_id = ${asked.clientId} and facility.id = property.id
        left join facility_types kind on kind.id = facility.facility_type_id
        left join lateral (select * from ${addressOf(asked.clientId)} known order by known.rank limit 1) place on true`,
      order: sql`property.name, property.id`,
    },
    control: null,
    remarks: () => [
      ...(unnamed === 0
        ? []
        : [
            `${unnamed} ${unnamed === 1 ? 'facility has' : 'facilities have'} no Portfolio Manager Property ID: add the property there, and enter the ID that it gets at the facility.`,
          ]),
      ...(unmeasured === 0 ? [] : [`${unmeasured} without a floor area: Portfolio Manager asks for one.`]),
    ],
  }
}

/** One row for each property ID, and one for each facility without it. `id` is the facility that names it. */
function propertiesOf(asked: AskedReport) {
  return sql`(select (array_agg(facilities.id order by facilities.name, facilities.id))[1] as id, min(facilities.portfolio_manager_property_id) as property_id,
      (array_agg(facilities.name order by facilities.name, facilities.id))[1] as name, sum(facilities.square_footage) as area
    from facilities where ${and(facilitiesAsked(asked, asked.clientId))}
    group by coalesce(facilities.portfolio_manager_property_id, 'facility ' || facilities.id))`
}

/** The address of the facility, else that of its first account in use. */
function addressOf(clientId: number) {
  return sql`(select 0 as rank, facility.street_address_1, facility.street_address_2, facility.city, facility.state, facility.zip where facility.street_address_1 is not null
    union all (select 1, account.street_address_1, account.street_address_2, account.city, account.state, account.zip from billable_accounts account
      where account.client_id = ${clientId} and account.facility_id = facility.id and not account.is_group_account order by account.active desc, account.id limit 1))`
}
