/**
 * Columns of a list, derived from the entity's fields: label, kind, cell, sort and filter. A list names its columns and overrides what differs.
 */
import type { ReactNode } from 'react'
import { z } from 'zod'
import type { Field } from '#contract/kernel/entity.ts'
import { formatDate, formatMonth } from '#contract/kernel/date.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import type { GridColumn, GridFilter } from '../../ui/grid/grid-types.ts'
import { UiLink } from '../../ui/link.tsx'
import { Figure, Missing } from '../../ui/status.tsx'
import type { ListedEntity } from './list-state.ts'
import { valueText } from '../value-text.ts'

/** A field's name, or its name with overrides: another label, a width, `hidden`, or a custom column. */
export type ColumnWish<Row> = (keyof Row & string) | (Partial<GridColumn<Row>> & { key: string })

export type Cells<Row> = { readonly [K in keyof Row & string]?: (row: Row) => ReactNode }

export interface ColumnWishes<Row> {
  readonly columns: readonly ColumnWish<Row>[]
  readonly cells?: Cells<Row> | undefined
  /** Path that a row links to from its first column. */
  readonly rowHref?: ((row: Row) => string | undefined) | undefined
}

/** Returns the grid's columns. Memoize the result while the wishes are the same, because the grid's rows are memoized on it. */
export function listColumns<Row extends object>(entity: ListedEntity, { columns, cells, rowHref }: ColumnWishes<Row>): GridColumn<Row>[] {
  return columns.map((wish, index) => {
    const given = typeof wish === 'string' ? { key: wish } : wish
    const column = { ...fieldColumn<Row>(entity, given.key), ...given }
    const own = cellOf(cells, given.key)
    const cell = own ?? column.cell
    return { ...column, cell: index === 0 && rowHref ? (row: Row) => linked(rowHref(row), cell(row)) : cell }
  })
}

function linked(href: string | undefined, content: ReactNode): ReactNode {
  return href === undefined ? (
    content
  ) : (
    <UiLink href={href} data-row-link="">
      {content}
    </UiLink>
  )
}

function cellOf<Row>(cells: Cells<Row> | undefined, key: string): ((row: Row) => ReactNode) | undefined {
  const found = Object.entries<((row: Row) => ReactNode) | undefined>(cells ?? {}).find(([name]) => name === key)
  return found?.[1]
}

function fieldColumn<Row extends object>(entity: ListedEntity, key: string): GridColumn<Row> {
  const field = entity.fields[key]
  const filter = field && entity.list.filter.includes(key) ? filterOf(key, field) : undefined
  return {
    key,
    label: field?.label ?? (key === 'id' ? 'ID' : key),
    kind: field ? columnKind(field) : 'text',
    cell: (row) => fieldText(field, valueOf(row, key)),
    sortable: entity.list.sort.includes(key),
    ...(filter ? { filter } : {}),
  }
}

/** Returns a row's value by the column's key. */
export function valueOf(row: object, key: string): unknown {
  const value: unknown = Reflect.get(row, key)
  return value
}

function columnKind(field: Field<unknown>): 'text' | 'number' | 'money' | 'date' {
  switch (field.kind) {
    case 'money':
      return 'money'
    case 'decimal':
    case 'integer':
      return 'number'
    case 'date':
    case 'month':
    case 'instant':
      return 'date'
    default:
      return 'text'
  }
}

/** Text is filtered by containment, dates and numbers by a range, choices by selection. Ids have no filter. */
function filterOf(key: string, field: Field<unknown>): GridFilter | undefined {
  switch (field.kind) {
    case 'text':
    case 'long_text':
    case 'email':
      return { kind: 'text', key }
    case 'date':
    case 'instant':
      return { kind: 'range', of: 'date', from: `${key}_gteq`, to: `${key}_lteq` }
    case 'money':
    case 'decimal':
    case 'integer':
      return { kind: 'range', of: 'number', from: `${key}_gteq`, to: `${key}_lteq` }
    case 'choice':
      return { kind: 'choice', key, options: (field.choices ?? []).map(({ value, label }) => ({ value: valueText(value), label })) }
    case 'boolean':
      return { kind: 'boolean', key, ...field.words }
    default:
      return undefined
  }
}

/** Formats a value for a cell. */
export function fieldText(field: Field<unknown> | undefined, value: unknown): ReactNode {
  if (value === null || value === undefined || value === '') return <Missing />
  switch (field?.kind) {
    case 'money':
      return <Figure value={valueText(value)} places={2} currency />
    case 'decimal':
      return <Figure value={valueText(value)} bare />
    case 'integer':
      return <Figure value={valueText(value)} />
    case 'date':
      return formatDate(valueText(value))
    case 'month':
      return formatMonth(valueText(value))
    case 'instant':
      return formatDate(todayIn(NEW_YORK, valueText(value)))
    case 'boolean':
      return value === true ? field.words?.yes : field.words?.no
    case 'choice':
      return field.choices?.find((choice) => choice.value === value)?.label ?? valueText(value)
    default:
      return listText(value)
  }
}

const named = z.array(z.union([z.string(), z.number(), z.looseObject({ name: z.string() })]))

/** Joins a list of names by commas. */
function listText(value: unknown): ReactNode {
  if (!Array.isArray(value)) return valueText(value)
  const list = named.safeParse(value)
  if (!list.success || list.data.length === 0) return <Missing />
  return list.data.map((one) => (typeof one === 'object' ? one.name : String(one))).join(', ')
}
