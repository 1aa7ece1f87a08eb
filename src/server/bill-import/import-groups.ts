/** Turns the rows of some accounts into bills: drafts, the bills they correct, and an outcome for each row. */
import type { BillDraft, BillOutcome } from '#contract/bills/bill-draft.ts'
import { draftOfRows, type DraftOfRows } from '#contract/bill-import/draft-of-rows.ts'
import { billRowKey, billsImport } from '#contract/bill-import/import-bills.ts'
import type { ImportedAccount, RowTerms } from '#contract/bill-import/imported-rows.ts'
import { planRelations, type ComingBill, type EarlierBill, type Plan } from '#contract/bill-retrieval/statement-history.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { roundTo } from '#contract/kernel/decimal.ts'
import { createBills } from '../bills/bills.ts'
import type { Context } from '../kernel/context.ts'
import type { RowError, WorkedRow } from '../kernel/imports/import-worker.ts'
import { accountKey, earlierBills, readAccounts, voidBills, type AccountRef, type VoidBill } from './read-accounts.ts'
import type { RowGroup } from './read-groups.ts'
import { createdRows, refusedRows, sayOther, type MadeBills } from './say-outcome.ts'

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

interface Ready extends DraftOfRows {
  readonly group: RowGroup
  readonly account: AccountRef
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
    .map(({ name, field }) => [first.line, { c: name, m: `${field.label} is required` }])
}

async function makeBills(
  context: Context,
  clientId: number,
  ready: readonly Ready[],
  isStoring: boolean,
): Promise<{ rows: WorkedRow[]; ids: number[] }> {
  const correcting = ready.filter(({ draft }) => draft.rebill_adjustment).map(({ account }) => account)
  const earlier = await earlierBills(context.tx, clientId, correcting)
  const plans = [...Map.groupBy(ready, ({ account }) => accountKey(account))].flatMap(([key, ofAccount]) =>
    planOfAccount(ofAccount, earlier.get(key) ?? []),
  )
  const made = new Map<number, number>()
  // Bills by their line, including those stored before: a correction in the same file may refer to either.
  const known = new Map<number, number>()
  const lines = new Map<number, number>()
  const rows: WorkedRow[] = []
  const last = plans.reduce((most, plan) => (plan.kind === 'make' ? Math.max(most, plan.round) : most), -1)
  for (let round = 0; round <= last; round += 1) {
    const now = plans.flatMap((plan) => (plan.kind === 'make' && plan.round === round ? [plan] : []))
    const outcomes = await createBills(
      context,
      clientId,
      now.map((plan) => draftOfPlan(plan, known)),
      { facts: 'later' },
    )
    for (const [place, outcome] of outcomes.entries()) {
      const plan = now[place]
      if (plan && outcome.kind === 'duplicate') known.set(plan.number, outcome.bill_id)
      if (!plan || outcome.kind !== 'created') continue
      made.set(plan.number, outcome.id)
      known.set(plan.number, outcome.id)
      lines.set(outcome.id, plan.number)
    }
    for (const [place, outcome] of outcomes.entries()) {
      const plan = now[place]
      if (plan) rows.push(...rowsOf(plan.item, outcome, { made: lines, isStoring }))
    }
  }
  for (const plan of plans) {
    if (plan.kind !== 'repeats') continue
    const bill_id = plan.id > 0 ? plan.id : (made.get(-plan.id) ?? 0)
    const outcome = { kind: 'duplicate', bill_id, reason: `Bill ${bill_id} has the same date and the same amounts` } as const
    rows.push(...rowsOf(plan.item, outcome, { made: lines, isStoring }))
  }
  return { rows, ids: [...made.values()] }
}

/** Only rows marked as corrections are matched against earlier bills; other repetitions are found by the audits. */
function planOfAccount(ofAccount: readonly Ready[], earlier: readonly EarlierBill[]): Plan<Ready>[] {
  const coming = ofAccount.map((item) => ({
    item,
    number: item.group.rows[0].line,
    bill: comingBill(item.draft),
    onlyNext: item.draft.rebill_adjustment !== true,
  }))
  return planRelations(
    coming.toSorted((a, b) => (a.bill.date === b.bill.date ? a.number - b.number : a.bill.date < b.bill.date ? -1 : 1)),
    earlier,
  )
}

function comingBill({ date, current_charges, amount_due, rebill_adjustment, service_bills }: BillDraft): ComingBill {
  const starts = service_bills.flatMap((line) => line.previous_read_date ?? []).toSorted()
  const ends = service_bills.flatMap((line) => line.read_date ?? []).toSorted()
  return {
    date,
    current_charges,
    amount_due,
    rebill_adjustment: rebill_adjustment === true,
    previous_read_date: starts[0] ?? null,
    read_date: ends.at(-1) ?? null,
  }
}

/** If the bill to be corrected was refused, its correction is simply the first bill of the period. */
function draftOfPlan({ item, corrects }: Extract<Plan<Ready>, { kind: 'make' }>, known: ReadonlyMap<number, number>): BillDraft {
  const original = corrects === null ? undefined : corrects.id > 0 ? corrects.id : known.get(-corrects.id)
  return original === undefined || corrects === null ? item.draft : { ...item.draft, rebill_of_id: original, rebill_mode: corrects.mode }
}

function rowsOf(ready: Ready, outcome: BillOutcome, how: Parameters<typeof createdRows>[2]): WorkedRow[] {
  if (outcome.kind === 'created') return createdRows(ready, outcome, how)
  const { group, placeOf } = ready
  const errors = new Map<number, RowError[]>()
  const say = (line: number, error: RowError): void => void errors.set(line, [...(errors.get(line) ?? []), error])
  if (outcome.kind === 'duplicate') say(group.rows[0].line, repeats(outcome, how.made))
  else
    for (const [field, messages] of Object.entries(outcome.reasons)) {
      const { line, column } = placeOf(field)
      for (const message of messages) say(line, { c: column, m: message })
    }
  return refusedRows(group, errors)
}

/** A bill that the same file creates is not stored yet, so it cannot be shown for comparison. */
function repeats({ bill_id, reason }: Extract<BillOutcome, { kind: 'duplicate' }>, made: MadeBills): RowError {
  const said = { c: null, m: sayOther(reason, bill_id, made) }
  return made.has(bill_id) || bill_id <= 0 ? said : { ...said, b: bill_id }
}
