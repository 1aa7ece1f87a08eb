/**
 * Reads the placed rows as bills, a few accounts at a time. An account's rows come together and by date, so that each bill sees the earlier
 * ones.
 */
import { unknownRecord } from '../kernel/problem.ts'
import type { AccountType } from '#contract/bills/bill.ts'
import type { BillRow } from '#contract/bill-import/imported-rows.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import type { RowError } from '../kernel/imports/import-worker.ts'

/** Minimum rows of a chunk. A chunk ends with the account that fills it, except for accounts with very many rows. */
const CHUNK_ROWS = 400
const ACCOUNT_ROWS_MAX = 4_000

/** The rows of one bill. A row without an account is a group of its own, and `faults` holds the reason. */
export interface RowGroup {
  readonly account: { readonly account_type: AccountType; readonly account_id: number } | null
  readonly rows: readonly [BillRow, ...BillRow[]]
  /** Errors found so far, by line. */
  readonly faults: ReadonlyMap<number, readonly RowError[]>
}

interface PlacedRow {
  readonly place: number
  readonly line: number
  readonly leader: number
  readonly account_type: AccountType | null
  readonly account_id: number | null
  readonly hits: number
  readonly vendor_is_known: boolean
  readonly draft: Readonly<Record<string, unknown>>
  readonly faults: readonly RowError[] | null
}

/** Yields chunks of whole accounts in the order of the table. */
export async function* readGroups({ tx }: Context, importId: number): AsyncGenerator<readonly RowGroup[]> {
  let waiting: PlacedRow[] = []
  for (let after = 0; ;) {
    const { rows } =
      await sql<PlacedRow>`select placed.place, placed.line, placed.leader, placed.account_type, placed.account_id, placed.hits, placed.vendor_is_known, rows.draft, rows.faults
      from bill_import_rows placed join import_rows rows on rows.import_id = ${importId} and rows.line = placed.line
      where placed.place > ${after} and placed.place <= ${after + CHUNK_ROWS} order by placed.place`.execute(tx)
    if (rows.length === 0) break
    after += CHUNK_ROWS
    waiting.push(...rows)
    const cut = cutOf(waiting)
    if (cut === 0) continue
    yield groupsOf(waiting.slice(0, cut))
    waiting = waiting.slice(cut)
  }
  if (waiting.length > 0) yield groupsOf(waiting)
}

/** Returns how many rows are complete: all before the last account, which may have more to come. */
function cutOf(rows: readonly PlacedRow[]): number {
  const last = rows.at(-1)
  const first = rows.findIndex((row) => row.account_type === last?.account_type && row.account_id === last?.account_id)
  if (first > 0 || rows.length < ACCOUNT_ROWS_MAX) return first
  return rows.findIndex((row) => row.leader === last?.leader)
}

function groupsOf(rows: readonly PlacedRow[]): RowGroup[] {
  return [...Map.groupBy(rows, (row) => row.leader).values()].flatMap((ofBill) => {
    const [first, ...rest] = ofBill
    if (!first) return []
    const { account_type: type, account_id: id } = first
    const faults = ofBill.map((row) => [row.line, [...(row.faults ?? []), ...(id === null ? accountFaults(row) : [])]] as const)
    return [
      {
        account: type === null || id === null ? null : { account_type: type, account_id: id },
        rows: [rowOf(first), ...rest.map(rowOf)] as const,
        faults: new Map(faults.filter(([, said]) => said.length > 0)),
      },
    ]
  })
}

function rowOf({ line, draft }: PlacedRow): BillRow {
  return { line, cells: draft }
}

function accountFaults({ draft, hits, vendor_is_known: vendorIsKnown }: PlacedRow): RowError[] {
  const number = draft['account_number']
  const vendor = draft['vendor_id']
  const type = draft['account_type']
  if (typeof number !== 'string') return []
  if (!vendorIsKnown && typeof vendor === 'string') return [{ c: 'vendor_short_code', m: unknownRecord, n: vendor }]
  if (typeof type === 'string' && !/^[bs]$/i.test(type)) return [{ c: 'account_type', m: 'Account Type must be B or S' }]
  if (hits > 1) return [{ c: 'account_number', m: 'Several accounts have this number: say which by vendor_short_code or account_type' }]
  return [{ c: 'account_number', m: 'No account has this number', n: number }]
}
