/** Lists as CSV exports: every row, as text under labels. */
import type { Field } from '#contract/kernel/entity.ts'
import type { ListQuery } from '#contract/kernel/query.ts'
import { sql, type RawBuilder } from 'kysely'
import type { WorkbookColumn, WorkbookKind } from '../files/workbook.ts'
import { conditionsOf } from './list-conditions.ts'
import { ordering } from './list-walk.ts'
import { expression, joinsFor, rowsOf, type Asked, type ExportedText, type Source } from './list-source.ts'
import { and } from './scope-condition.ts'
import { ifWhole } from './whole-client.ts'

export interface Exported {
  readonly keys: readonly string[]
  readonly further?: readonly ExportedText[]
  /** True if no program runs the texts of the file, so that none needs a quote in front. */
  readonly isPlain?: boolean
}

/**
 * Returns the statement of all rows of a list as text columns, for COPY, and its columns. They have no names in the database, because it
 * truncates names after 63 bytes and headings may be longer. No export contains secrets, not even masked.
 */
export function exportStatement(
  source: Source,
  query: ListQuery,
  asked: Asked,
  { keys: wanted, further = [], isPlain = false }: Exported,
): { readonly columns: readonly WorkbookColumn[]; readonly statement: RawBuilder<unknown> } {
  const guarded = isPlain ? (text: RawBuilder<unknown>) => text : defusedText
  const where = conditionsOf(source, query, asked)
  const keys = wanted.filter((key) => source.entity.fields[key]?.kind !== 'secret')
  const cells = keys.map((key) => cellOf(source, key, asked, guarded))
  const texts = further.map((one) => (one.isNumber ? one.sql : guarded(one.sql)))
  const joins = joinsFor(
    source,
    [...keys, query.sort.key, ...where.keys],
    further.flatMap((one) => one.joins ?? []),
  )
  return {
    columns: [
      ...keys.map((key) => ({ label: headingOf(source, key), kind: kindOf(source.entity.fields[key]) })),
      ...further.map(({ header, isNumber }) => ({ label: header, kind: isNumber ? ('decimal' as const) : ('text' as const) })),
    ],
    statement: sql`select ${sql.join([...cells, ...texts])} from ${rowsOf(source, asked)} ${joins} where ${and(where.conditions)} order by ${ordering(source, query, asked, false)}`,
  }
}

/** Returns how a spreadsheet shows the field. The id, which is no field, is a number. */
function kindOf(field: Field<unknown> | undefined): WorkbookKind {
  switch (field?.kind ?? 'ref') {
    case 'money':
      return 'money'
    case 'decimal':
      return 'decimal'
    case 'integer':
    case 'ref':
      return 'integer'
    case 'date':
      return 'date'
    case 'month':
      return 'month'
    default:
      return 'text'
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

type Guard = (text: RawBuilder<unknown>) => RawBuilder<unknown>

function cellOf(source: Source, key: string, asked: Asked, guarded: Guard): RawBuilder<unknown> {
  const cell = source.cells?.[key]?.(asked)
  return cell ? guarded(ifWhole(source, key, asked, cell, sql`null`)) : defused(source, key, asked, guarded)
}

/** Prefixes a cell that a spreadsheet would run as a formula with a quote. Numbers stay numbers; timestamps are in New York time. */
function defused(source: Source, key: string, asked: Asked, guarded: Guard): RawBuilder<unknown> {
  const column = expression(source, key, asked)
  const kind = source.entity.fields[key]?.kind
  if (kind === 'texts')
    return guarded(
      sql`(select string_agg(${listed(sql`one`)}, '; ' order by place) from unnest(${column}) with ordinality as texts(one, place))`,
    )
  if (kind === 'refs' || kind === 'list' || kind === 'boolean') return sql`(${column})::text`
  if (kind === 'instant') return sql`to_char((${column}) at time zone 'America/New_York', 'YYYY-MM-DD HH24:MI:SS')`
  if (kind !== 'text' && kind !== 'long_text' && kind !== 'email' && kind !== 'secret') return column
  return guarded(column)
}

/**
 * Prefixes text that a spreadsheet would run as a formula with a quote. The first character alone rules most texts out, for a tenth of what the
 * expression costs: a large export has millions of them.
 */
export function defusedText(column: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when ascii(${column}) = any(${sql.lit(`{${formulaStarts.join()}}`)}::int[]) and ${column} ~ ${formulaStart} then '''' || ${column} else ${column} end`
}

/** Characters, and their full-width forms, that start a formula. Leading quotes count too, so that imports can remove one quote again. */
const formulaStart = `^'*[=+\\-@\\t\\r\uFF1D\uFF0B\uFF0D\uFF20]`
/** Code points of the characters with which such a text begins. */
const formulaStarts = "'=+-@\t\r\uFF1D\uFF0B\uFF0D\uFF20".split('').map((character) => character.codePointAt(0) ?? 0)
