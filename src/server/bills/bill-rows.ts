/**
 * Rows of bills for a page. One statement reads only the bills, so that it is planned quickly and walks one index; a second one reads the
 * records that the page's rows name and their children. Ten joins in one statement took 10 to 60 ms to plan and 1 ms to run. Statuses and
 * badges are computed in code by the functions the form uses.
 */
import { bill } from '#contract/bills/bill.ts'
import { readableKeys } from '#contract/kernel/entity.ts'
import type { ListQuery } from '#contract/kernel/query.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { asReached, readPage, type Asked } from '../kernel/lists/list.ts'
import { billSource } from './bill-source.ts'
import { laterKeys, type BillRowRead, type BareRow, dressed } from './dress-bills.ts'

const bareKeys = [
  'id',
  'lock_version',
  'missing_fields',
  ...readableKeys(bill.fields).filter((key) => !laterKeys.some((later) => later === key)),
]

/** Reads one page of bills, with the answer of `readPage`. */
export async function readBillPage(tx: Tx, query: ListQuery, asked: Asked): Promise<{ rows: BillRowRead[]; total: number | undefined }> {
  const { rows, total } = await readPage<BareRow>(tx, billSource, query, asked, bareKeys)
  return { rows: (await dressed(tx, rows)).map((row) => asReached(billSource, row, asked.reach)), total }
}

/** Reads the bill with this id inside the reach; undefined if there is none. */
export async function readBillRow(tx: Tx, id: number, asked: Asked): Promise<BillRowRead | undefined> {
  const query: ListQuery = {
    filters: [{ key: 'id', predicate: 'eq', value: id }],
    sort: { key: 'id', direction: 'asc' },
    page: 1,
    per: 1,
    values: null,
    searchTerm: '',
    withTotal: false,
    withRows: true,
  }
  const { rows } = await readBillPage(tx, query, asked)
  return rows[0]
}
