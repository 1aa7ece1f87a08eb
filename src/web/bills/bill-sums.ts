/** The sum that all bills of a list owe, shown below its rows. */
import { leftOutWords } from '#contract/bills/bill-counts.ts'
import { billListCalls } from '#contract/bills/bill-list-calls.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import type { RowSelection } from '#contract/kernel/query.ts'
import { bodyOf } from '../bulk-changes/bulk-changes.ts'
import { callApi } from '../kernel/api.ts'
import type { GridTotals } from '../ui/grid/grid-types.ts'

export async function readBillSums(client_id: number, matching: RowSelection, signal: AbortSignal): Promise<GridTotals> {
  const sums = await callApi(billListCalls.sums, { params: { client_id }, body: { ...bodyOf(matching), add_up: 'owed' }, signal })
  const leftOut = leftOutWords(sums.left_out)
  return {
    label: `Owed by ${sums.count.toLocaleString('en-US')} bills${leftOut && `, ${leftOut}`}`,
    values: {
      // The label takes the first column without a value, and the column of flags is too narrow for it.
      flags: '',
      amount_due: formatMoney(sums.amount_due),
      current_charges: formatMoney(sums.current_charges),
    },
  }
}
