/** The search: each kind's page and total, the ids of all matches, and the file copies of the last bills. */
import {
  noFilterMessage,
  searchedIdsMax,
  searchedKinds,
  type FoundAccount,
  type SearchedKind,
  type SearchInput,
  type SearchReply,
} from '#contract/advanced-search/advanced-search.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { matchingIds, readPage, type Asked } from '../kernel/lists/list.ts'
import { invalid } from '../kernel/problem.ts'
import { checkedQuery } from '../kernel/lists/sources.ts'
import { lastBillFiles } from '../estate/estate.ts'
import { lookedUp } from './search-lookups.ts'
import { accountKinds, foundKeys, kindReach, searchingReach, searchSources, type FoundRow } from './search-sources.ts'

export type SearchFilters = NonNullable<SearchInput['q']>

interface Found {
  readonly rows: readonly FoundAccount[]
  readonly total: number | undefined
  readonly ids: readonly number[]
  readonly complete: boolean
}
const nothing: Found = { rows: [], total: 0, ids: [], complete: true }

/** Throws 422 if there is no filter, or for an unknown parameter. */
export async function searchAccounts(context: Context, clientId: number | undefined, input: SearchInput): Promise<SearchReply> {
  const q = givenFilters(input.q)
  if (!isNarrowed(q)) throw invalid({ q: [noFilterMessage] })
  const find = async (kind: SearchedKind) =>
    input.kind === undefined || input.kind === kind ? findKind(context, clientId, kind, { ...input, q }) : nothing
  const [billable, supply] = await Promise.all(searchedKinds.map(find))
  if (!billable || !supply) throw new Error('each kind has an answer')
  return replyOf(input, billable, supply)
}

function replyOf(input: SearchInput, billable: Found, supply: Found): SearchReply {
  return {
    billable_accounts: [...billable.rows],
    supply_accounts: [...supply.rows],
    ...(isOff(input.with_ids)
      ? {}
      : {
          acc_ids: { billable_accounts: [...billable.ids], supply_accounts: [...supply.ids] },
          acc_ids_complete: billable.complete && supply.complete,
        }),
    ...(billable.total === undefined || supply.total === undefined
      ? {}
      : {
          billable_accounts_total: billable.total,
          supply_accounts_total: supply.total,
          total: billable.total + supply.total,
        }),
  }
}

/** Removes blank texts, which are no filters. */
export function givenFilters(q: SearchFilters = {}): SearchFilters {
  return Object.fromEntries(Object.entries(q).filter(([, value]) => !isBlank(value)))
}

/** Whether anything besides the sort was given. */
export function isNarrowed(q: SearchFilters): boolean {
  return Object.keys(q).some((key) => key !== 's')
}

function isBlank(value: SearchFilters[string]): boolean {
  return typeof value === 'object' ? value.length === 0 : String(value).trim() === ''
}

function isOff(value: string | boolean | undefined): boolean {
  return value === false || value === 'false'
}

async function findKind(context: Context, clientId: number | undefined, kind: SearchedKind, input: SearchInput): Promise<Found> {
  const { q, per, with_rows, with_total } = input
  const source = searchSources[kind]
  const page = (kind === 'billable_accounts' ? input.page_billable : input.page_supply) ?? input.page
  const asFiltered = checkedQuery(source, { q, page, per, with_rows, with_total })
  // A key of its own separates these totals from those of lists over the same tables, whose filters may mean something else.
  const asked: Asked = { reach: kindReach(context.principal, kind), clientId, whereKey: 'advanced_search' }
  // Built first, so that an unreadable filter is refused before any query runs.
  matchingIds(source, asFiltered, asked)
  const query = await lookedUp(context.tx, accountKinds[kind], asFiltered, clientId)
  const [{ rows, total }, ids] = await Promise.all([
    readPage<FoundRow>(context.tx, source, query, asked, foundKeys),
    isOff(input.with_ids) ? [] : firstIds(context, matchingIds(source, query, asked)),
  ])
  return { rows: await withFiles(context, rows), total, ids: ids.slice(0, searchedIdsMax), complete: ids.length <= searchedIdsMax }
}

async function firstIds({ tx }: Context, matching: ReturnType<typeof matchingIds>): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`${matching} order by 1 limit ${searchedIdsMax + 1}`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Adds the first file of each account's last bill, if the reader may read that bill. */
async function withFiles(context: Context, rows: readonly FoundRow[]): Promise<FoundAccount[]> {
  const urls = await fileUrls(context, rows)
  return rows.map((row) => ({ ...row, last_bill_file_url: urls.get(row.id) ?? null }))
}

async function fileUrls({ tx, principal }: Context, rows: readonly FoundRow[]): Promise<ReadonlyMap<number, string>> {
  const billed = rows.filter((row) => row.last_bill_date !== null)
  const [first] = billed
  if (!first) return new Map()
  const kind = first.account_type === 'BillableAccount' ? 'billable_account' : 'supply_account'
  return lastBillFiles(tx, kind, billed, searchingReach(principal, 'bill.read'))
}
