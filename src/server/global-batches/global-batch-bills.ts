/** The bills of one global batch for its page. */
import type { GlobalBill } from '#contract/global-batches/global-bill.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { joinsFor, selectedKeys, selection } from '../kernel/lists/list-source.ts'
import { and } from '../kernel/lists/list.ts'
import { billsOfBatch, globalBills } from './global-bill-source.ts'

/** Returns the bills ordered by vendor, account and date. The batch must be in the caller's reach. */
export async function billsOfGlobalBatch(
  context: Context,
  { id, client_id: clientId }: { readonly id: number; readonly client_id: number | null },
): Promise<GlobalBill[]> {
  const keys = selectedKeys(globalBills)
  const { rows } =
    await sql<GlobalBill>`select ${selection(context.tx, globalBills, keys, context).words} from bills ${joinsFor(globalBills, [...keys, 'vendor_name'])}
    where ${and(billsOfBatch(clientId ?? 0, id).where)} order by vendor.name, bills.vendor_id, bills.account_number, bills.date, bills.id`.execute(
      context.tx,
    )
  return (await globalBills.present?.(context, rows)) ?? rows
}
