/** The rules of services that read other rows, for forms and files alike. */
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { turns, type RowRule, type RuleRow } from '../kernel/lists/row-rules.ts'

export const serviceRules: readonly RowRule[] = [
  {
    // Bill lines store their usage in the standard unit of the utility service, so a service with lines keeps its kind.
    field: 'utility_service_id',
    about: ['utility_service_id'],
    message: 'Utility Service cannot change once bills carry the service',
    when: (row) => sql<SqlBool>`${turns(row, 'utility_service_id')} and ${row.item('utility_service_id')} is not null
      and exists (select from service_bills line where line.client_id = ${row.item('client_id')} and line.service_id = ${row.item('id')})`,
  },
  {
    // Usage is converted by the unit's factor into the standard unit of the utility service, so both belong to the same one.
    field: 'usage_unit_id',
    about: ['utility_service_id', 'usage_unit_id'],
    message: 'Usage Unit must be one of the utility service',
    when: (row) => sql<SqlBool>`exists (select from usage_units where usage_units.id = ${row.will('usage_unit_id')}
      and usage_units.utility_service_id is distinct from ${row.will('utility_service_id')})`,
  },
  {
    field: 'usage_factor_ids',
    about: ['utility_service_id', 'usage_factor_ids'],
    message: 'Usage Factors must be of the utility service: {}',
    unnamed: 'some are not',
    culprit: (row) => sql`(select string_agg(factor.name, '; ' order by factor.name) from jsonb_array_elements_text(${factors(row)}) chosen
      join usage_factors factor on factor.id = chosen::bigint where factor.utility_service_id is distinct from ${row.will('utility_service_id')})`,
  },
]

function factors({ item, will }: RuleRow): RawBuilder<unknown> {
  return will(
    'usage_factor_ids',
    sql`(select coalesce(jsonb_agg(link.usage_factor_id), '[]') from service_usage_factors link
      where link.client_id = ${item('client_id')} and link.service_id = ${item('id')})`,
  )
}
