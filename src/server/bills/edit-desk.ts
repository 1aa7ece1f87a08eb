/** The data that an edit needs: the locked bill, its account and the terms of its client. */
import type { BillAttributes, ServiceBillAttributes } from '#contract/bills/bill-attributes.ts'
import type { Context } from '../kernel/context.ts'
import { busy } from '../kernel/problem.ts'
import { bookKey, clientTerms, lockBooks, type AccountBook, type AccountRef, type ClientTerms } from './account-books.ts'
import { accountOfBill, lockStoredBill, type StoredBill } from './stored-bill.ts'

/** A supply bill that a line only answers is not stored when it is sent back unchanged. */
export function asStored(body: BillAttributes, { answeredSupplyBills }: StoredBill): BillAttributes {
  if (body.service_bills_attributes === undefined) return body
  const isAnswered = ({ id, supply_bill_id }: ServiceBillAttributes): boolean =>
    id !== undefined && typeof supply_bill_id === 'number' && answeredSupplyBills.get(id) === supply_bill_id
  return {
    ...body,
    service_bills_attributes: body.service_bills_attributes.map((line) => {
      if (!isAnswered(line)) return line
      const { supply_bill_id: _answered, ...stored } = line
      return stored
    }),
  }
}

/** Inputs for judging an edit, all locked: the present account of the bill, and its future one. */
export interface Desk {
  readonly before: StoredBill
  readonly books: ReadonlyMap<string, AccountBook>
  readonly terms: ClientTerms
}

export async function openDesk(context: Context, clientId: number, id: number, body: BillAttributes): Promise<Desk> {
  const owner = await accountOfBill(context, clientId, id)
  const wanted: AccountRef = { account_type: body.account_type ?? owner.account_type, account_id: body.account_id ?? owner.account_id }
  const terms = await clientTerms(context, clientId)
  const books = await lockBooks(context, clientId, bookKey(owner) === bookKey(wanted) ? [owner] : [owner, wanted], terms)
  const before = await lockStoredBill(context, clientId, id)
  if (bookKey(before.draft) !== bookKey(owner)) throw busy()
  return { before, books, terms }
}
