/** A bill that was judged and is to be stored. */
import type { Finding } from '#contract/bill-audits/bill-audits.ts'
import type { PreparedBill } from '#contract/bills/bill-prepare.ts'
import type { AccountBook } from './account-books.ts'

/** A finding and, if a reason was given with the save, its resolution. */
export interface StoredFinding extends Finding {
  readonly resolution: { readonly reason: string; readonly comment: string | null } | null
}

export interface BillToStore extends PreparedBill<AccountBook> {
  readonly id: number
  readonly line_ids: readonly number[]
  readonly previous_bill_id: number | null
  readonly rebill_mode: 'replace' | 'add' | null
  readonly qc: boolean
  readonly findings: readonly StoredFinding[]
  readonly file_names: ReadonlyMap<number, string>
}
