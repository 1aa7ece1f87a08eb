/** Lists as CSV exports: every row, as text under labels. */
import type { ListQuery } from '#contract/kernel/query.ts'
import { sql, type RawBuilder } from 'kysely'
import { conditionsOf } from './list-conditions.ts'
import { ordering } from './list-walk.ts'
import { expression, joinsFor, rowsOf, type Asked, type ExportedText, type Source } from './list-source.ts'
import { and } from './scope-condition.ts'
import { ifWhole } from './whole-client.ts'

/**
 * Returns the statement of all rows of a list as text columns, for COPY, and the headings. The columns have no names in the database,
 * because it truncates names after 63 bytes and headings may be longer. No export contains secrets, not even masked.
 */
export function exportStatement(
  source: Source,
  query: ListQuery,
  asked: Asked,
  wanted: readonly string[],
  further: readonly ExportedText[] = [],
): { readonly headings: readonly string[]; readonly statement: RawBuilder<unknown> } {
  const where = conditionsOf(source, query, asked)
  const keys = wanted.filter((key) => source.entity.fields[key]?.kind !== 'secret')
  const columns = keys.map((key) => cellOf(source, key, asked))
  const texts = further.map((one) => (one.isNumber ? one.sql : defusedText(one.sql)))
  const joins = joinsFor(
    source,
    [...keys, query.sort.key, ...where.keys],
    further.flatMap((one) => one.joins ?? []),
  )
  return {
    headings: [...keys.map((key) => headingOf(source, key)), ...further.map(({ header }) => header)],
    statement: sql`select ${sql.join([...columns, ...texts])} from ${rowsOf(source, asked)} ${joins} where ${and(where.conditions)} order by ${ordering(source, query, asked, false)}`,
  }
}

/** Returns the heading of a column. A heading for ids says so, because the plain label heads the record's name. */
export function headingOf({ entity: { fields } }: Pick<Source, 'entity'>, key: string): string {
  const field = fields[key]
  if (!field) return 'ID'
  return field.kind === 'ref' ? `${field.label.replace(/ id$/i, '')} ID` : field.label
}

/** Returns one of several values of a cell as imports read it back: in quotation marks if it contains the separator. */
export function listed(text: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when ${text} ~ '[;"]' then '"' || replace(${text}, '"', '""') || '"' else ${text} end`
}

function cellOf(source: Source, key: string, asked: Asked): RawBuilder<unknown> {
  const cell = source.cells?.[key]?.(asked)
  return cell ? defusedText(ifWhole(source, key, asked, cell, sql`null`)) : defused(source, key, asked)
}

/** Prefixes a cell that a spreadsheet would run as a formula with a quote. Numbers stay numbers; timestamps are in New York time. */
function defused(source: Source, key: string, asked: Asked): RawBuilder<unknown> {
  const column = expression(source, key, asked)
  const kind = source.entity.fields[key]?.kind
  if (kind === 'texts')
    return defusedText(
      sql`(select string_agg(${listed(sql`one`)}, '; ' order by place) from unnest(${column}) with ordinality as texts(one, place))`,
    )
  if (kind === 'refs' || kind === 'list' || kind === 'boolean') return sql`(${column})::text`
  if (kind === 'instant') return sql`to_char((${column}) at time zone 'America/New_York', 'YYYY-MM-DD HH24:MI:SS')`
  if (kind !== 'text' && kind !== 'long_text' && kind !== 'email' && kind !== 'secret') return column
  return defusedText(column)
}

/** Prefixes text that a spreadsheet would run as a formula with a quote. */
export function defusedText(column: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when ${column} ~ ${formulaStart} then '''' || ${column} else ${column} end`
}

/** Characters, and their full-width forms, that start a formula. Leading quotes count too, so that imports can remove one quote again. */
const formulaStart = `^'*[=+\\-@\\t\\r\uFF1D\uFF0B\uFF0D\uFF20]`
