/** Amounts owed for bills, in SQL: the counterpart of contract/bills/bill-owed.ts. The conditions refer to a table called `bills`. */
import type { BillCounts } from '#contract/bills/bill-counts.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Condition } from '../kernel/lists/list.ts'

/** The bill owes its own amount: it is neither void nor carried by a group's bill. */
export const isOwed: Condition = sql<boolean>`(bills.superseded_by_id is null and bills.group_bill_id is null)`

/** Whether sums of bills include this one, or the reason why not. */
export const billCountsColumn: RawBuilder<BillCounts> = sql`case when ${isOwed} then 'owed' when bills.superseded_by_id is not null then 'void' else 'group_child' end`

export const owedAmount: RawBuilder<string> = sql<string>`case when ${isOwed} then bills.amount_due else 0.00 end`

/** The bill still has to be paid. The conditions `not paid` and `superseded_by_id is null` let partial indexes serve it. */
export const isPayable: Condition = sql<boolean>`(not bills.paid and not bills.finalized and ${isOwed})`
