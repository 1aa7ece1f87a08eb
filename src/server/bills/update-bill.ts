/**
 * Changes a stored bill by a body that names the changes: the account and the bill are locked, changes that are no longer allowed are
 * refused by field name, the whole is prepared and audited like a new bill, and only differences are written. Its lines keep their ids, its
 * findings their history.
 */
import { billOfBody, type BillOfBody } from '#contract/bills/bill-body.ts'
import { auditBill, groupSumCode, ordinaryContext, type Finding } from '#contract/bill-audits/bill-audits.ts'
import { auditedBill, prepareBill, type IsTyped, type PreparedBill, type PreparedLine } from '#contract/bills/bill-prepare.ts'
import { billDraft, reasonsOf, type CheckedBill } from '#contract/bills/bill-draft.ts'
import type { BillAttributes, ServiceBillAttributes } from '#contract/bills/bill-form.ts'
import { compareFindings, isKept, type StoredFindingState } from '#contract/bills/compare-findings.ts'
import { locks } from '#contract/bills/bill-status.ts'
import { compareDecimals, isDecimal } from '#contract/kernel/decimal.ts'
import { compareMoney } from '#contract/kernel/money.ts'
import { sql } from 'kysely'
import { paidTwice, paidTwiceText } from '../estate/estate.ts'
import { today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { invalid, refused, stale } from '../kernel/problem.ts'
import { bookKey, clientTerms, lockBooks, type AccountBook, type AccountRef, type ClientTerms } from './account-books.ts'
import { fillHistories } from './account-history.ts'
import { changesOfBill, keyOfChange, lockFaults, type BillChange } from './bill-changes.ts'
import type { References } from './bill-references.ts'
import { previousBill, withRebillMode } from './create-bills.ts'
import { editReferences } from './edit-references.ts'
import { storedFindings } from './finding-changes.ts'
import { withGroupOfEdit } from './group-choice.ts'
import { filesOf, refusal, refuseFaults, refuseOtherSupplyBills } from './save-body.ts'
import { refusedResolutions, settled } from './settle-findings.ts'
import { accountOfBill, lockStoredBill, type StoredBill } from './stored-bill.ts'
import { takeIds, type BillToStore } from './store-bills.ts'
import { storeEdit } from './store-edit.ts'

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

/** A supply bill that a line only answers is not stored when it is sent back unchanged. */
function asStored(body: BillAttributes, { answeredSupplyBills }: StoredBill): BillAttributes {
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
interface Desk {
  readonly before: StoredBill
  readonly books: ReadonlyMap<string, AccountBook>
  readonly terms: ClientTerms
}

async function openDesk(context: Context, clientId: number, id: number, body: BillAttributes): Promise<Desk> {
  const owner = await accountOfBill(context, clientId, id)
  const wanted: AccountRef = { account_type: body.account_type ?? owner.account_type, account_id: body.account_id ?? owner.account_id }
  const terms = await clientTerms(context, clientId)
  const books = await lockBooks(context, clientId, bookKey(owner) === bookKey(wanted) ? [owner] : [owner, wanted], terms)
  const before = await lockStoredBill(context, clientId, id)
  if (bookKey(before.draft) !== bookKey(owner)) throw refused('Somebody else is changing the same records. Please try again.')
  return { before, books, terms }
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
  if (!book) throw refusal({ account_id: ['This account cannot be found'] }, bill)
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

/** Removes the bill itself and the bill that it replaces from its past. */
function dropOwnPast(book: AccountBook, id: number, draft: CheckedBill): void {
  const past = book.history.filter((bill) => bill.id !== id && !(draft.rebill_mode === 'replace' && bill.id === draft.rebill_of_id))
  book.history.splice(0, book.history.length, ...past)
}

function withRebill(draft: CheckedBill, before: StoredBill, references: References): CheckedBill {
  if (draft.rebill_of_id === null) return { ...draft, rebill_mode: null }
  return draft.rebill_of_id === before.draft.rebill_of_id && draft.rebill_mode !== null ? draft : withRebillMode(draft, references)
}

/** The preceding bill is looked up again if the position of the bill among the bills has changed, or if the body removes it. */
function withPrevious(draft: CheckedBill, before: StoredBill, book: AccountBook, body: BillAttributes): CheckedBill {
  const { draft: stored } = before
  const hasMoved = draft.date !== stored.date || bookKey(draft) !== bookKey(stored)
  const isTaken = body.bill_id === null && stored.bill_id !== null
  if (typeof body.bill_id === 'number' || !(hasMoved || isTaken)) return draft
  return { ...draft, bill_id: previousBill(book, draft)?.id ?? null }
}

/** Lines keep values that their service no longer knows: a retired field, a factor and a unit of a former utility. */
function withStoredFields(book: AccountBook, { lines }: StoredBill): AccountBook {
  const services = book.services.map((service) => {
    const own = lines.filter((line) => line.service_id === service.id)
    const lost = <T extends { readonly name: string }>(carried: readonly T[], known: readonly { readonly name: string }[]): T[] => [
      ...new Map(carried.filter((one) => !known.some(({ name }) => name === one.name)).map((one) => [one.name, one])).values(),
    ]
    const additional = own.flatMap((line) => line.service_bill_additional_entry_fields)
    const factors = own.flatMap((line) => line.service_bill_usage_factors)
    const units = own.flatMap(({ unit_id, unit_symbol }) =>
      unit_id === null || service.usage_units.some((unit) => unit.unit_id === unit_id)
        ? []
        : [{ unit_id, symbol: unit_symbol ?? '', conversion_factor: null }],
    )
    return {
      ...service,
      usage_units: [...service.usage_units, ...units],
      additional_entry_fields: [
        ...service.additional_entry_fields,
        ...lost(additional, service.additional_entry_fields).map(({ id, name }) => ({ id, name, retired: true })),
      ],
      usage_factors: [
        ...service.usage_factors,
        ...lost(factors, service.usage_factors).map(({ id, name, adjustment_factor }) => ({
          id,
          name,
          adjustment_factor,
          default_value: null,
          asked: false,
        })),
      ],
    }
  })
  return { ...book, services }
}

/**
 * Returns a test for values that the user typed: those of lines in the body, except locked values and a multiplier that is sent unchanged.
 */
function typedBy(body: BillAttributes, before: StoredBill, { lines }: BillOfBody): IsTyped {
  const locked = locks(before.facts)
  return (place, key) => {
    const row = lines[place]
    if (!row || row.place === null) return false
    if (key !== 'multiplier') return row.id === null || !(locked.has('lines') || locked.has('charges'))
    const sent = body.service_bills_attributes?.[row.place]?.multiplier
    const stored = before.lines.find((line) => line.id === row.id)?.multiplier
    return typeof sent === 'string' && !(stored && isDecimal(sent.trim()) && compareDecimals(sent.trim(), stored) === 0)
  }
}

/** A line that the body does not contain stays exactly as it is stored, including its defaults and missing values. */
function withUntouched(prepared: PreparedBill<AccountBook>, before: StoredBill, { lines: rows }: BillOfBody): PreparedBill<AccountBook> {
  const storedAt = (place: number) => {
    const row = rows[place]
    return row && row.place === null ? before.lines.findIndex((line) => line.id === row.id) : -1
  }
  const lines = prepared.lines.map((line, place): PreparedLine => {
    const stored = before.lines[storedAt(place)]
    if (!stored) return line
    const { multiplier, usage, unit_id, standard_usage } = stored
    const { service_bill_entry_fields, service_bill_usage_factors, service_bill_additional_entry_fields } = stored
    return {
      ...line,
      multiplier,
      usage,
      unit_id,
      standard_usage,
      service_bill_entry_fields,
      service_bill_usage_factors,
      service_bill_additional_entry_fields,
    }
  })
  const missing_fields = prepared.missing_fields.filter((key) => {
    const [list, place = '', ...name] = key.split('.')
    const at = storedAt(Number(place))
    return at < 0 || before.head.missing_fields.includes([list, at, ...name].join('.'))
  })
  return { ...prepared, lines, missing_fields }
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
