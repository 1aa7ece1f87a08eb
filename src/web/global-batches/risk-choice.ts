/** Adds bills of the risk queue to the desk's selection, as the list of unswept bills has them now. */
import { globalBillCalls, type GlobalBill } from '#contract/global-batches/global-bill.ts'
import type { ExceptionRow } from '#contract/exceptions/exception.ts'
import { callApi } from '../kernel/api.ts'
import { problemNotice } from '../kernel/notices/notices.ts'
import { notify } from '../ui/dialogs/notices.ts'
import { deskKey, isChoice, setChoice, ticked, type Choice } from './chosen-bills.ts'
import { refusalOf } from './desk-columns.tsx'
import { ownWords } from './words.ts'

/** Returns why a row has no bill to choose; undefined for a bill. */
export const whyNoBill = ({ bill_id }: ExceptionRow): string | undefined => (bill_id === null ? 'The bill is not here yet' : undefined)

/** Returns the ids of the rows whose bills are selected. */
export function chosenRows(rows: readonly ExceptionRow[], chosen: ReadonlySet<number>): ReadonlySet<number> {
  return new Set(rows.filter(({ bill_id }) => bill_id !== null && chosen.has(bill_id)).map(({ id }) => id))
}

/** Applies a click on the list's checkboxes; `next` are the ids of all rows of the page that are checked after it. */
export async function chooseRisks(choice: Choice, rows: readonly ExceptionRow[], next: ReadonlySet<number>): Promise<void> {
  const before = new Set(choice.bills.map(({ id }) => id))
  const [checked, unchecked] = [rows.filter(({ id }) => next.has(id)), rows.filter(({ id }) => !next.has(id))]
  const dropped = new Set(unchecked.flatMap(({ bill_id }) => bill_id ?? []))
  const kept = choice.bills.filter(({ id }) => !dropped.has(id))
  const wanted = checked.flatMap(({ bill_id }) => (bill_id === null || before.has(bill_id) ? [] : [bill_id]))
  if (wanted.length === 0) return setChoice(deskKey, { ...choice, bills: kept })
  try {
    const { bills } = await callApi(globalBillCalls.list, { query: { q: { id_in: wanted }, per: wanted.length, with_total: 'false' } })
    add({ ...choice, bills: kept }, bills, wanted.length)
  } catch (error) {
    problemNotice(error)
  }
}

function add(choice: Choice, found: readonly GlobalBill[], wanted: number): void {
  const refused = found.find((bill) => refusalOf(bill) !== undefined)
  const free = found.filter((bill) => refusalOf(bill) === undefined)
  if (free.length < wanted) notify({ kind: 'warning', title: (refused && refusalOf(refused)) ?? ownWords.gone })
  const answer = ticked(choice, new Set([...choice.bills, ...free].map(({ id }) => id)), free)
  if (isChoice(answer)) setChoice(deskKey, answer)
  else notify(answer)
}
