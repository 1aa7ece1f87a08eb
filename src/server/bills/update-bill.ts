/**
 * Changes a stored bill by a body that names the changes: the account and the bill are locked, changes that are no longer allowed are
 * refused by field name, the whole is prepared and audited like a new bill, and only differences are written. Its lines keep their ids, its
 * findings their history.
 */
import { billOfBody, type BillOfBody } from '#contract/bills/bill-body.ts'
import { auditBill, groupSumCode, ordinaryContext, type Finding } from '#contract/bill-audits/bill-audits.ts'
import { auditedBill, prepareBill, type PreparedBill } from '#contract/bills/bill-prepare.ts'
import { billDraft, reasonsOf, type CheckedBill } from '#contract/bills/bill-draft.ts'
import type { BillAttributes } from '#contract/bills/bill-attributes.ts'
import { compareFindings, isKept, type StoredFindingState } from '#contract/bills/compare-findings.ts'
import { compareMoney } from '#contract/kernel/money.ts'
import { sql } from 'kysely'
import { paidTwice, paidTwiceText } from '../estate/estate.ts'
import { today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { invalid, refused, stale } from '../kernel/problem.ts'
import { bookKey, type AccountBook, type ClientTerms, unknownAccount } from './account-books.ts'
import { fillHistories } from './account-history.ts'
import { changesOfBill, keyOfChange, lockFaults, type BillChange } from './bill-changes.ts'
import type { References } from './bill-references.ts'
import { editReferences } from './edit-references.ts'
import { storedFindings } from './finding-changes.ts'
import { withGroupOfEdit } from './group-choice.ts'
import { filesOf, refusal, refuseFaults, refuseOtherSupplyBills } from './save-body.ts'
import { refusedResolutions, settled } from './settle-findings.ts'
import type { StoredBill } from './stored-bill.ts'
import { takeIds } from './store-bills.ts'
import type { BillToStore } from './bill-to-store.ts'
import { storeEdit } from './store-edit.ts'
import { dropOwnPast, withRebill, withPrevious, withStoredFields, typedBy, withUntouched } from './edited-draft.ts'
import { openDesk, asStored, type Desk } from './edit-desk.ts'

/** Throws not-found outside the reach, 409 stale or repeated, 422 by wire field. */
export async function updateBill(context: Context, clientId: number, id: number, sent: BillAttributes): Promise<void> {
  const desk = await openDesk(context, clientId, id, sent)
  const { before, terms } = desk
  const body = asStored(sent, before)
  if (body.lock_version !== undefined && body.lock_version !== before.lock_version) throw staleBill(desk, body)
  const bill = billOfBody(body, before, await filesOf(context, clientId, body))
  refuseFaults(bill.faults)
  await refuseOtherSupplyBills(context, clientId, body)
  const { prepared, references } = await preparedEdit(context, clientId, desk, bill, body)
  const changes = changesOfBill(before, prepared, bill)
  refuseFaults(lockFaults(before, changes, bill))
  const found = auditedEdit(desk, prepared)
  refuseFaults(refusedResolutions(prepared.draft, found, terms, context.visitor))
  const known = (await storedFindings(context, clientId, [id])).get(id) ?? []
  if (changes.some((one) => tellingKeys.includes(one.key))) refuseRepeated(found, known, prepared.draft)
  const line_ids = await lineIdsOf(context, bill)
  const findings = compareFindings(
    line_ids,
    found,
    known,
    (code) => code === groupSumCode || isKept(code, keptBy(before)),
    isEditedBy(changes, terms),
  )
  const isHeld = [...findings.raised, ...findings.reopened].some((finding) => finding.severity === 'E!')
  const edited: BillToStore = {
    ...prepared,
    id,
    line_ids,
    previous_bill_id: prepared.draft.bill_id,
    rebill_mode: prepared.draft.rebill_mode,
    qc: prepared.draft.qc || (terms.qc_on_error && isHeld),
    findings: found.map((finding) => settled(finding, prepared.draft, terms, context.visitor)),
    file_names: new Map([...before.files.map((file) => [file.file_id, file.filename] as const), ...references.files]),
  }
  await storeEdit(context, clientId, { before, bill, changes, edited, findings })
  if (changes.some((one) => one.key === 'group_bill_id')) await refusePaidTwice(context, clientId, id)
}

/** A bill that is in a batch or paid joins no group whose bill is paid too. */
async function refusePaidTwice({ tx }: Context, clientId: number, id: number): Promise<void> {
  const twice = await paidTwice(tx, clientId, sql<boolean>`child.id = ${id}`)
  if (twice !== null) throw invalid({ group_bill_id: [paidTwiceText(twice)] })
}

/** Returns the bill as it would be stored. Throws 422 for its errors. */
async function preparedEdit(
  context: Context,
  clientId: number,
  { before, books, terms }: Desk,
  bill: BillOfBody,
  body: BillAttributes,
): Promise<{ prepared: PreparedBill<AccountBook>; references: References }> {
  const parsed = billDraft.safeParse(bill.draft)
  if (!parsed.success) throw refusal(reasonsOf(parsed.error), bill)
  const draft = parsed.data
  const book = books.get(bookKey(draft))
  if (!book) throw refusal({ account_id: [unknownAccount] }, bill)
  const { references, faults } = await editReferences(context, clientId, draft, before)
  if (Object.keys(faults).length > 0) throw refusal(faults, bill)
  await fillHistories(context.tx, clientId, books, [
    { account_type: draft.account_type, account_id: draft.account_id, first: draft.date, last: draft.date },
  ])
  dropOwnPast(book, before.id, draft)
  const isSaid = body.group_bill_chosen !== undefined
  const rebilled = withGroupOfEdit(withRebill(draft, before, references), before.draft, isSaid, references)
  const whole = withPrevious(rebilled, before, book, body)
  const prepared = prepareBill(whole, withStoredFields(book, before), terms, typedBy(body, before, bill))
  if ('reasons' in prepared) throw refusal(prepared.reasons, bill)
  return { prepared: withUntouched(prepared, before, bill), references }
}

function auditedEdit({ before, books, terms }: Desk, prepared: PreparedBill<AccountBook>): Finding[] {
  // The present book, without what only the lines still know.
  const book = books.get(bookKey(prepared.draft)) ?? prepared.book
  const { paid, finalized } = before.facts
  const { history_import_on } = before.head
  const context = { ...ordinaryContext, history_import_on, payments_managed: terms.payments_managed }
  const found = auditBill({ ...book, bill: auditedBill(prepared, before.id, { paid, finalized }), today: today(), context })
  return found.filter((finding) => !isKept(finding.code, keptBy(before)))
}

function keptBy({ head, draft }: StoredBill) {
  return { was_over: head.was_over, account_type: draft.account_type }
}

/** Fields that distinguish a bill from a duplicate. */
const tellingKeys: readonly string[] = ['account_id', 'date', 'invoice_number', 'current_charges', 'previous_read_date', 'read_date']

/** An edit that makes the bill a duplicate of another needs a reason; a duplicate that was known before is not reported again. */
function refuseRepeated(found: readonly Finding[], known: readonly StoredFindingState[], draft: CheckedBill): void {
  const twin = found.find((finding) => finding.code === 'duplicate_exact' && finding.other_bill_id !== null)
  if (!twin || draft.override_reason !== null) return
  if (known.some((one) => one.code === twin.code && one.message === twin.message && !one.is_gone)) return
  throw refused(twin.message, twin.other_bill_id ?? undefined)
}

function isEditedBy(changes: readonly BillChange[], terms: ClientTerms): (finding: Finding) => boolean {
  const isLifted = changes.some((one) => one.key === 'amount_due' && isAbove(one.to, terms) && !isAbove(one.from, terms))
  return (finding) =>
    (isLifted && finding.severity === 'E!') || changes.some((one) => one.line === finding.line && (one.list ?? one.key) === finding.field)
}

/** A resolution by one person alone, made while the amount was within the limit, is reopened once the amount exceeds it. */
const isAbove = (amount: BillChange['to'], { override_limit }: ClientTerms): boolean =>
  typeof amount === 'string' && compareMoney(amount, override_limit) > 0

async function lineIdsOf(context: Context, { lines }: BillOfBody): Promise<number[]> {
  const fresh = await takeIds(context.tx, 'service_bills', lines.filter((line) => line.id === null).length)
  let taken = 0
  return lines.map((line) => line.id ?? fresh[taken++] ?? 0)
}

/**
 * Returns the present values beside those that were sent, by the fields of the body. A bill that cannot be prepared is compared as far as
 * possible.
 */
function staleBill({ before, books, terms }: Desk, body: BillAttributes) {
  const bill = billOfBody(body, before, undefined)
  const parsed = billDraft.safeParse(bill.draft)
  const book = books.get(bookKey(bill.draft))
  const prepared = parsed.success && book ? prepareBill(parsed.data, withStoredFields(book, before), terms, () => false) : null
  const changes = prepared && !('reasons' in prepared) ? changesOfBill(before, withUntouched(prepared, before, bill), bill) : []
  const sent = body.service_bills_attributes ?? []
  const unsaid = sent.length === 0 ? [] : bill.lines.filter((line) => line.id !== null && line.place === null)
  const counts = { from: before.lines.length, to: sent.filter((line) => !line._destroy).length }
  return stale(
    Object.fromEntries([
      ...changes.map(({ from, to, ...one }) => [keyOfChange({ ...one, from, to }, bill), { from, to }] as const),
      ...Object.keys(bill.faults).map((key) => [key.replace(/\.id$/, ''), { from: null, to: 'sent' }] as const),
      ...(unsaid.length > 0 ? [['service_bills_attributes', counts] as const] : []),
    ]),
  )
}
