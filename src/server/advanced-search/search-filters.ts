/** Filters on data around the accounts: their meters, aliases, addresses and last bills. */
import type { Filter } from '#contract/kernel/query.ts'
import { sql, type RawBuilder } from 'kysely'
import { and, containing, or, type Condition } from '../kernel/lists/list.ts'
import { searchedWords } from '../kernel/lists/list-texts.ts'
import { invalid } from '../kernel/problem.ts'

/** A kind of account: its table, the column by which services and aliases refer to it, its wire name, and its own columns. */
export interface AccountKind {
  readonly table: 'billable_accounts' | 'supply_accounts'
  readonly key: 'billable_account_id' | 'supply_account_id'
  readonly type: 'BillableAccount' | 'SupplyAccount'
  readonly tax_id: FilterRule
  readonly service_identifier: FilterRule
}

export type FilterRule = (filter: Filter) => Condition

export function filtersOf(kind: AccountKind): Readonly<Record<string, FilterRule>> {
  const column = (name: string) => sql.ref(`${kind.table}.${name}`)
  const ofChildren = Object.entries(childColumns).map(([key, child]) => [key, ofChild(kind, child)])
  return {
    ...Object.fromEntries(ofChildren),
    account_number: direct(column('account_number'), asPlain),
    tax_id: kind.tax_id,
    service_identifier: kind.service_identifier,
    street_address: direct(sql`(${column('street_address_1')} || ' ' || coalesce(${column('street_address_2')}, ''))`),
    text: (filter) => anywhere(kind, onlyBy(filter, ['cont', 'eq'])),
    account_type: (filter) => ofType(kind, onlyBy(filter, ['eq', 'in', 'not_eq'])),
    no_bill_since: (filter) => {
      const day = String(onlyBy(filter, ['eq']).value)
      return sql`(${column('last_bill_date')} is null or ${column('last_bill_date')} < ${day}::date)`
    },
  }
}

interface ChildColumn {
  readonly table: 'services' | 'account_aliases'
  readonly column: RawBuilder<unknown>
  readonly form?: Form
}

/** Filters on records that an account has several of. */
export const childColumns: Readonly<Record<string, ChildColumn>> = {
  meter_number: { table: 'services', column: sql.ref('services.meter_number'), form: asPlain },
  alias: { table: 'account_aliases', column: sql.ref('account_aliases.alias'), form: asPlain },
  service_name: { table: 'services', column: sql`nullif(concat_ws(' ', services.service_name_1, services.service_name_2), '')` },
  id_number: { table: 'services', column: sql.ref('services.id_number') },
  rate_schedule: { table: 'services', column: sql.ref('services.rate_schedule') },
  utility_service_id: { table: 'services', column: sql.ref('services.utility_service_id') },
}

/** How a column is compared with the typed text: as is, or as numbers that may be written with spaces and dashes. */
type Form = (text: RawBuilder<unknown>, typed: string) => { readonly column: RawBuilder<unknown>; readonly typed: string }
const asWritten: Form = (column, typed) => ({ column, typed })

function plainText(typed: string): string {
  return typed.replaceAll(/[ -]/g, '')
}

/** Removes spaces and dashes, as the trigram indexes do; a text of nothing else is kept as it is. */
function asPlain(column: RawBuilder<unknown>, typed: string): ReturnType<Form> {
  const plain = plainText(typed)
  return plain === '' ? { column, typed } : { column: sql`translate(${column}, ' -', '')`, typed: plain }
}

export function direct(column: RawBuilder<unknown>, form: Form = asWritten): FilterRule {
  return (filter) => (isNegated(filter) ? sql`${positive(column, filter, form)} is not true` : positive(column, filter, form))
}

/** Matches if any of several meters or aliases matches; `not_eq` and `null` match if there is none. */
function ofChild(kind: AccountKind, child: ChildColumn): FilterRule {
  const own = (name: string) => sql.ref(`${child.table}.${name}`)
  return (filter) => {
    const found = sql<boolean>`exists (select from ${sql.table(child.table)} where ${own('client_id')} = ${sql.ref(`${kind.table}.client_id`)}
      and ${own(kind.key)} = ${sql.ref(`${kind.table}.id`)} and ${fits(child, filter)})`
    return isNegated(filter) ? sql`not ${found}` : found
  }
}

/** Whether one child matches the filter. For a negative filter: whether one child has the excluded value. */
export function fits({ column, form = asWritten }: ChildColumn, filter: Filter): Condition {
  return positive(column, filter, form)
}

/** The same for a list of texts in the account's own row. */
export function ofTexts(texts: RawBuilder<unknown>): FilterRule {
  return (filter) => {
    const found = sql<boolean>`exists (select from unnest(${texts}) as one(value) where ${positive(sql`one.value`, filter, asWritten)})`
    return isNegated(filter) ? sql`not ${found}` : found
  }
}

export function isNegated({ predicate, value }: Filter): boolean {
  return predicate === 'not_eq' || (predicate === 'null' && value === true)
}

function positive(column: RawBuilder<unknown>, filter: Filter, form: Form): Condition {
  const { predicate, value } = filter
  if (predicate === 'null') return sql`(${column} is not null)`
  if (typeof value === 'object') return sql`(${column} = any(${value}))`
  if (typeof value !== 'string') return sql`(${column} ${sql.raw(signOf(predicate))} ${value})`
  const { column: compared, typed } = form(column, value)
  if (predicate === 'cont') return sql`(${compared} ilike ${containing(typed)})`
  return sql`(${compared} ${sql.raw(signOf(predicate))} ${typed})`
}

function signOf(predicate: Filter['predicate']): string {
  if (predicate === 'gteq') return '>='
  return predicate === 'lteq' ? '<=' : '='
}

/** Shorter texts occur in most meters, and no index finds them. */
const everywhereLettersMin = 3

/** Searches number, name, meter and alias for one text: as typed, or each of its words anywhere. */
function anywhere(kind: AccountKind, { value }: Filter): Condition {
  const typed = String(value)
  const ids = lookupByText(kind, typed)
  return ids
    ? sql`${sql.ref(`${kind.table}.id`)} in (with found as materialized (${ids}) select id from found)`
    : ownTexts(kind.table, typed)
}

/**
 * Looks up each place by its own index and unites the ids, because one condition with `or` across tables would read every account. Undefined if
 * the text is too short.
 */
export function lookupByText(kind: AccountKind, typed: string): RawBuilder<unknown> | undefined {
  if (isShort(typed)) return undefined
  const words = searchedWords(typed, undefined).map(({ text }) => text)
  return words.length < 2 ? idsByText(kind, typed) : sql`${idsByText(kind, typed)} union all ${idsByWords(kind, words)}`
}

/** Returns the accounts that match every word. Long words are found by index; short ones are then searched for in number and name. */
function idsByWords(kind: AccountKind, words: readonly string[]): RawBuilder<unknown> {
  const long = words.filter((word) => !isShort(word)).map((word) => sql`select id from (${idsByText(kind, word)}) word`)
  const short = words.filter(isShort).map((word) => ownTexts('own', word))
  const among = long.length > 0 ? [sql<boolean>`own.id in (${sql.join(long, sql` intersect `)})`] : []
  return sql`select own.id from ${sql.table(kind.table)} own where ${and([...among, ...short])}`
}

function isShort(typed: string): boolean {
  return plainText(typed).length < everywhereLettersMin
}

function idsByText(kind: AccountKind, typed: string): RawBuilder<unknown> {
  const filter: Filter = { key: 'text', predicate: 'cont', value: typed }
  const childIds = ({ table }: ChildColumn, condition: Condition) =>
    sql`select ${sql.ref(`${table}.${kind.key}`)} as id from ${sql.table(table)} where ${sql.ref(`${table}.${kind.key}`)} is not null and ${condition}`
  const children = [childColumns['meter_number'], childColumns['alias']].flatMap((child) =>
    child ? [childIds(child, fits(child, filter))] : [],
  )
  return sql.join([sql`select own.id from ${sql.table(kind.table)} own where ${ownTexts('own', typed)}`, ...children], sql` union all `)
}

function ownTexts(table: string, typed: string): Condition {
  const filter: Filter = { key: 'text', predicate: 'cont', value: typed }
  const column = (name: string) => sql.ref(`${table}.${name}`)
  return sql`(${positive(column('account_number'), filter, asPlain)} or ${positive(column('name'), filter, asWritten)})`
}

function ofType(kind: AccountKind, { predicate, value }: Filter): Condition {
  const asked: readonly unknown[] = typeof value === 'object' ? value : [value]
  const fitting = or([
    ...(asked.includes(kind.type) ? [sql<boolean>`true`] : []),
    ...(asked.includes('GroupAccount') ? [sql<boolean>`${sql.ref(`${kind.table}.is_group_account`)}`] : []),
  ])
  return predicate === 'not_eq' ? sql`not ${fitting}` : fitting
}

function onlyBy(filter: Filter, known: readonly Filter['predicate'][]): Filter {
  if (known.includes(filter.predicate)) return filter
  const written = `${filter.key}_${filter.predicate}`
  throw invalid({ [`q[${written}]`]: [`Unknown filter: ${written}`] })
}
