/** Holds the answers of `GET /clients/:client_id/dashboard` against the figures of the oracle, cell by cell. */
import { unitsOf } from './raw-months.ts'
import type { Asked, Cells } from './figures.ts'

export interface Compared {
  readonly cells: number
  /** 'client 3 division 7 …: total_utility_cost.current is 1.00, the bills say 2.00' */
  readonly differences: readonly string[]
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

export function compareFigures(name: string, answer: Json, expected: Cells): Compared {
  const differences = [...expected].flatMap(([path, value]) => {
    const told = valueAt(answer, path)
    return told === value ? [] : [`${name}: ${path} is ${JSON.stringify(told)}, the bills say ${JSON.stringify(value)}`]
  })
  return { cells: expected.size, differences }
}

/** The rows of `GET …/dashboard/children` by their names, and the whole; `spent` is what a sparkline spends in the months of the period. */
export function compareChildren(
  name: string,
  answer: Json,
  expected: ReadonlyMap<string, Cells>,
  perArea: ReadonlyMap<string, string | null>,
  months: number,
): Compared {
  const rows = follow(answer, ['rows'])
  const names = (Array.isArray(rows) ? rows : []).map((row: Json) => follow(row, ['name']))
  const wanted = [...expected.keys()].filter((key) => key !== 'total')
  const differences = names.length === wanted.length ? [] : [`${name}: ${names.length} rows, the bills say ${wanted.length}`]
  let cells = 0
  for (const [key, own] of expected) {
    const row = key === 'total' ? follow(answer, ['total']) : childOf(rows, key)
    cells += own.size
    for (const [path, value] of own) {
      const told = path === 'spent' ? spentIn(row, months) : follow(row, path.split('.'))
      if (told !== value) differences.push(`${name} ${key}: ${path} is ${JSON.stringify(told)}, the bills say ${JSON.stringify(value)}`)
    }
  }
  for (const [month, value] of perArea) {
    cells += 1
    const told = follow(named(follow(answer, ['months']), 'month', month), ['cost_per_sqft'])
    if (told !== value)
      differences.push(`${name} ${month}: cost_per_sqft is ${JSON.stringify(told)}, the bills say ${JSON.stringify(value)}`)
  }
  return { cells, differences }
}

export function queryOf(asked: Asked): string {
  const { basis, scope_type, scope_id, service, range, months, compare_to_last_year, graph, as_of } = asked
  const search = new URLSearchParams({
    scope_type,
    scope_id: String(scope_id),
    ...(months ? { from_month: months[0], to_month: months[1] } : { date_range_type: range }),
    compare_to_last_year: String(compare_to_last_year),
    basis,
    graph_data_type: graph,
    as_of,
  })
  if (service !== null) search.set('service', String(service))
  return search.toString()
}

/** Rows and series are named by their service; `graphs.sum` is what all series of a month make in dollars. */
function valueAt(answer: Json, path: string): Json {
  const parts = path.split('.')
  const [place = '', name = ''] = parts
  if (place === 'summary') return follow(named(follow(answer, ['summary']), 'name', name), parts.slice(2))
  if (place !== 'graphs') return follow(answer, parts)
  const [, , month = '', side = ''] = parts
  if (name === 'coverage') return follow(named(follow(answer, ['graphs', 'coverage']), 'month', month), [side])
  const series = follow(answer, ['graphs', 'series'])
  const pointOf = (one: Json) => follow(named(follow(one, ['points']), 'month', month), [side])
  if (name !== 'sum') return pointOf(named(series, 'name', name))
  const cents = (Array.isArray(series) ? series : []).reduce((total: bigint, one: Json) => total + centsOf(pointOf(one)), 0n)
  return dollarsOf(cents)
}

function spentIn(row: Json, months: number): Json {
  const spark = follow(row, ['spark'])
  const last = Array.isArray(spark) ? spark.slice(-months) : []
  return dollarsOf(last.reduce((total: bigint, cost: Json) => total + centsOf(cost), 0n))
}

function dollarsOf(cents: bigint): string {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0')
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

function centsOf(value: Json): bigint {
  return typeof value === 'string' ? unitsOf(value, 2) : 0n
}

/** `key` is the id and the name of a child. */
function childOf(rows: Json, key: string): Json {
  const isIt = (row: Json) => {
    const [id, name] = [follow(row, ['id']), follow(row, ['name'])]
    return typeof name === 'string' && `${typeof id === 'number' ? id : ''} ${name}` === key
  }
  return (Array.isArray(rows) ? rows : []).find(isIt) ?? null
}

function named(list: Json, key: string, name: string): Json {
  return (Array.isArray(list) ? list : []).find((one: Json) => follow(one, [key]) === name) ?? null
}

function follow(value: Json, path: readonly string[]): Json {
  return path.reduce<Json>((found, key) => {
    if (typeof found !== 'object' || found === null || Array.isArray(found)) return null
    return Object.entries(found).find(([name]) => name === key)?.[1] ?? null
  }, value)
}
