/** Makes the bills of an imported file, account by account. */
import { duplicateReason } from '#contract/bills/bill-draft.ts'
import type { BillDraft, BillOutcome } from '#contract/bills/bill-draft.ts'
import type { DraftOfRows } from '#contract/bill-import/draft-of-rows.ts'
import { planRelations, type ComingBill, type EarlierBill, type Plan } from '#contract/bill-retrieval/statement-history.ts'
import { createBills } from '../bills/bills.ts'
import type { Context } from '../kernel/context.ts'
import type { RowError, WorkedRow } from '../kernel/imports/import-worker.ts'
import { accountKey, earlierBills, type AccountRef } from './read-accounts.ts'
import type { RowGroup } from './read-groups.ts'
import { createdRows, refusedRows, sayOther, type MadeBills } from './say-outcome.ts'

export interface Ready extends DraftOfRows {
  readonly group: RowGroup
  readonly account: AccountRef
}

export async function makeBills(
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
    const outcome = { kind: 'duplicate', bill_id, reason: duplicateReason(bill_id) } as const
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
