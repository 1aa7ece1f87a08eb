/** Turns the rows of some accounts into bills: drafts, the bills they correct, and an outcome for each row. */
import { fieldWords } from '#contract/kernel/field-words.ts'
import type { BillDraft } from '#contract/bills/bill-draft.ts'
import { draftOfRows } from '#contract/bill-import/draft-of-rows.ts'
import { billRowKey, billsImport } from '#contract/bill-import/import-bills.ts'
import type { ImportedAccount, RowTerms } from '#contract/bill-import/imported-rows.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { roundTo } from '#contract/kernel/decimal.ts'
import type { Context } from '../kernel/context.ts'
import type { RowError, WorkedRow } from '../kernel/imports/import-worker.ts'
import { accountKey, readAccounts, voidBills, type VoidBill } from './read-accounts.ts'
import type { RowGroup } from './read-groups.ts'
import { refusedRows } from './say-outcome.ts'
import { type Ready, makeBills } from './make-imported-bills.ts'

interface ImportTerms {
  readonly terms: RowTerms
  readonly isStoring: boolean
  /** Receives the ids of the created bills. The caller computes their months once for all of them. */
  readonly made: number[]
}

/**
 * Creates the bills in the transaction of the context.
 * @returns the outcome of every row.
 */
export async function importGroups(
  context: Context,
  clientId: number,
  groups: readonly RowGroup[],
  { terms, isStoring, made }: ImportTerms,
): Promise<WorkedRow[]> {
  const refs = new Map(groups.flatMap(({ account }) => (account ? [[accountKey(account), account] as const] : [])))
  const accounts = await readAccounts(context.tx, clientId, [...refs.values()])
  const replaced = await voidBills(context.tx, clientId, [...refs.values()])
  const rows: WorkedRow[] = []
  const ready: Ready[] = []
  for (const group of groups) {
    const read = readGroup(group, accounts, terms)
    const before =
      'rows' in read ? undefined : (replaced.get(accountKey(read.account)) ?? []).find((one) => headKey(one) === headKey(read.draft))
    if ('rows' in read) rows.push(...read.rows)
    else if (before) rows.push(...repeatsVoid(read, before))
    else ready.push(read)
  }
  const bills = await makeBills(context, clientId, ready, isStoring)
  made.push(...bills.ids)
  return [...rows, ...bills.rows]
}

/** If one row of a bill is wrong, no row of it is stored. */
function readGroup(
  group: RowGroup,
  accounts: ReadonlyMap<string, ImportedAccount>,
  terms: RowTerms,
): Ready | { readonly rows: WorkedRow[] } {
  const faults = new Map(group.faults)
  const say = (line: number, error: RowError): void => void faults.set(line, [...(faults.get(line) ?? []), error])
  for (const [line, error] of missingOf(group)) say(line, error)
  const account = group.account && accounts.get(accountKey(group.account))
  if (!account) return { rows: refusedRows(group, faults) }
  const read = draftOfRows(group.rows, account, terms)
  for (const { line, column, message } of read.faults) say(line, { c: column, m: message })
  return faults.size > 0 ? { rows: refusedRows(group, faults) } : { ...read, group, account }
}

/** The values that group rows into a bill also identify a stored bill. */
function headKey(bill: Pick<BillDraft, (typeof billRowKey)[number]>): string {
  const [, , ...amounts] = billRowKey
  return JSON.stringify([bill.date, bill.invoice_number ?? null, ...amounts.map((name) => roundTo(bill[name] ?? '0', 2))])
}

/** An exported file holds void bills beside their replacements. A void bill that is stored is not created again. */
function repeatsVoid({ group }: Ready, { id, superseded_by_id: by, date }: VoidBill): WorkedRow[] {
  const message = `This bill was entered before: bill ${id} of ${formatDate(date)}, which bill ${by} has replaced`
  return refusedRows(group, new Map([[group.rows[0].line, [{ c: null, m: message, b: id }]]]))
}

/** Required values of a bill. Each may be on any of its rows; a wrong cell does not count as missing. */
function missingOf({ rows, faults }: RowGroup): [number, RowError][] {
  const [first] = rows
  const said = new Set(rows.flatMap(({ line }) => (faults.get(line) ?? []).map(({ c }) => c)))
  return billsImport.columns
    .filter(({ name, key, required }) => required && !said.has(name) && !rows.some(({ cells }) => key in cells))
    .map(({ name, field }) => [first.line, { c: name, m: fieldWords.required(field.label) }])
}
