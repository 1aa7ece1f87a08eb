/** Lists as they leave by a file: every row, as text under labels. */
import type { ListQuery } from '#contract/kernel/query.ts'
import { sql, type RawBuilder } from 'kysely'
import { and, conditionsOf } from './list-conditions.ts'
import { ordering } from './list-rows.ts'
import { expression, joinsFor, rowsOf, type Asked, type ExportedText, type Source } from './list-source.ts'

/**
 * The statement of all rows of a list as text columns, for COPY, and what heads them. The database cuts names after 63 bytes and headings
 * may be longer, so that the columns have no names there. Secrets leave by no export, not even masked.
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
    statement: sql`select ${sql.join([...columns, ...texts])} from ${rowsOf(source, asked)} ${joins} where ${and(where.conditions)} order by ${ordering(source, query, false)}`,
  }
}

/** What a column of the file is called. One that holds ids says so: the name of the record stands under the bare word. */
export function headingOf({ entity: { fields } }: Pick<Source, 'entity'>, key: string): string {
  const field = fields[key]
  if (!field) return 'ID'
  return field.kind === 'ref' ? `${field.label.replace(/ id$/i, '')} ID` : field.label
}

/** One of several values of a cell, as imports read it back: between quotation marks where it holds what parts the values. */
export function listed(text: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when ${text} ~ '[;"]' then '"' || replace(${text}, '"', '""') || '"' else ${text} end`
}

function cellOf(source: Source, key: string, asked: Asked): RawBuilder<unknown> {
  const cell = source.cells?.[key]?.(asked)
  return cell ? defusedText(cell) : defused(source, key)
}

/** A cell that a spreadsheet would run as a formula gets a quote in front; numbers stay numbers; points in time are New York's. */
function defused(source: Source, key: string): RawBuilder<unknown> {
  const column = expression(source, key)
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

/** Text that a spreadsheet would run as a formula, with a quote in front. */
export function defusedText(column: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when ${column} ~ ${formulaStart} then '''' || ${column} else ${column} end`
}

/** The characters, and their full-width forms, that start a formula; quotes before them too, so that imports can take one quote off again. */
const formulaStart = `^'*[=+\\-@\\t\\r\uFF1D\uFF0B\uFF0D\uFF20]`
