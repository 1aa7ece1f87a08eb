import { formatDate, isCalendarDate } from '#contract/kernel/date.ts'
import type { GridColumn } from '../../ui/grid/grid-types.ts'
import type { Chip } from '../../ui/page-header.tsx'
import type { ListControls, ListedEntity } from './list-state.ts'

const signs: Readonly<Record<string, string>> = { cont: '', eq: '', not_eq: 'not ', gteq: '≥ ', lteq: '≤ ', in: 'one of ', null: 'empty: ' }

/** Returns the active filters as chips that can be removed one by one. */
export function filterChips<Row>(entity: ListedEntity, state: ListControls, columns: readonly GridColumn<Row>[]): Chip[] {
  return Object.entries(state.filters).map(([key, value]) => {
    const { name, predicate } = partsOf(key, entity)
    const column = columns.find((one) => one.key === name)
    return {
      key,
      name: column?.label ?? entity.fields[name]?.label ?? name,
      text: `${signs[predicate] ?? ''}${valueText(column, value)}`,
      onRemove: () => state.setFilters(without(state.filters, key)),
    }
  })
}

function partsOf(key: string, entity: ListedEntity): { name: string; predicate: string } {
  if (entity.list.filter.includes(key)) return { name: key, predicate: 'eq' }
  const predicate = ['not_eq', 'cont', 'eq', 'gteq', 'lteq', 'in', 'null'].find((one) => key.endsWith(`_${one}`))
  return predicate ? { name: key.slice(0, -predicate.length - 1), predicate } : { name: key, predicate: 'eq' }
}

function valueText<Row>(column: GridColumn<Row> | undefined, value: string): string {
  const filter = column?.filter
  if (filter?.kind === 'choice') return filter.options.find((option) => option.value === value)?.label ?? value
  if (filter?.kind === 'boolean') return value === 'true' ? (filter.yes ?? 'Yes') : (filter.no ?? 'No')
  return isCalendarDate(value) ? formatDate(value) : value
}

function without(filters: Readonly<Record<string, string>>, key: string): Record<string, string> {
  return Object.fromEntries(Object.entries(filters).filter(([name]) => name !== key))
}
