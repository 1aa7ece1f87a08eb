/**
 * Audits stored bills again, after a change to what they are measured against: an account's settings, a service, another bill. Resolved
 * findings stay resolved as long as the faulty value is the same; the history is kept.
 */
import {
  auditBill,
  groupSumCode,
  ordinaryContext,
  type AuditBill,
  type AuditSettingsPatch,
  type Finding,
} from '#contract/bill-audits/bill-audits.ts'
import type { ServiceBill } from '#contract/bills/bill-detail.ts'
import { compareFindings, isKept, type FindingChanges } from '#contract/bills/compare-findings.ts'
import { sql } from 'kysely'
import { breather } from '../kernel/breathe.ts'
import { today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { bookKey, clientTerms, lockBooks, readBooks, type AccountBook, type AccountRef, type ClientTerms } from './account-books.ts'
import { fillHistories } from './account-history.ts'
import { accountColumn } from './account-scope.ts'
import { historyImportOn, wasOver } from './bill-came-in.ts'
import { applyFindingChanges, recountFindings, storedFindings, type AuditCause } from './finding-changes.ts'
import { readLines } from './read-lines.ts'
import { findingRow, writeFindings } from './store-bills.ts'

/** Bills of an account that are audited again: two years of a monthly one. */
const billsPerAccount = 24
/** Accounts whose bills are held in memory together. */
const accountsAtOnce = 100
/** Accounts that are read and audited at once while settings are only tried. A larger number blocks other requests. */
const triedAtOnce = 5

export interface ReauditResult {
  readonly bills: number
  readonly raised: number
  readonly gone: number
}

/** Settings that replace the stored ones in a trial. */
export interface SettingsTrial {
  readonly installation?: AuditSettingsPatch | undefined
  readonly client?: AuditSettingsPatch | undefined
  readonly account?: { readonly audit_settings?: AuditSettingsPatch | undefined; readonly audits_off?: boolean | undefined } | undefined
  readonly service?:
    | { readonly id: number; readonly audit_settings?: AuditSettingsPatch | undefined; readonly audits_off?: boolean | undefined }
    | undefined
}

/**
 * Audits the latest bills of the accounts again, in the transaction of the context. Accounts outside the reach are left out. `cause` is the
 * reason in the history of findings.
 */
export async function reauditAccounts(
  context: Context,
  clientId: number,
  accounts: readonly AccountRef[],
  cause: AuditCause = 'audit',
  isNightly = false,
): Promise<ReauditResult> {
  const results: ReauditResult[] = []
  for (const some of inParts(accounts)) {
    const changes = await changesOf(context, clientId, some, null, isNightly)
    await storeChanges(context, clientId, changes, cause)
    results.push(countOf(changes))
  }
  const sum = (key: keyof ReauditResult): number => results.reduce((total, result) => total + result[key], 0)
  if (sum('raised') + sum('gone') > 0) context.touch(clientId)
  return { bills: sum('bills'), raised: sum('raised'), gone: sum('gone') }
}

export interface TriedRule {
  readonly code: string
  readonly raised: number
  readonly gone: number
}

/** Returns what other settings would add and remove, rule by rule. Writes nothing. */
export async function trySettings(
  context: Context,
  clientId: number,
  accounts: readonly AccountRef[],
  trial: SettingsTrial,
): Promise<ReauditResult & { readonly rules: TriedRule[] }> {
  const changes: BillChange[] = []
  for (const some of inParts(accounts, triedAtOnce)) changes.push(...(await changesOf(context, clientId, some, trial)))
  const came = changes.flatMap(({ raised, reopened }) => [...raised, ...reopened].map((one) => one.code))
  const went = changes.flatMap(({ gone }) => gone.map((one) => one.code))
  const rules = [...new Set([...came, ...went])].toSorted().map((code) => ({
    code,
    raised: came.filter((one) => one === code).length,
    gone: went.filter((one) => one === code).length,
  }))
  return { ...countOf(changes), rules }
}

/** Always in the same order, so that two that lock accounts never deadlock. */
function inParts(accounts: readonly AccountRef[], atOnce = accountsAtOnce): AccountRef[][] {
  const ordered = accounts.toSorted((a, b) =>
    a.account_type === b.account_type ? a.account_id - b.account_id : a.account_type < b.account_type ? -1 : 1,
  )
  const parts: AccountRef[][] = []
  for (let start = 0; start < ordered.length; start += atOnce) parts.push(ordered.slice(start, start + atOnce))
  return parts
}

interface BillChange extends FindingChanges {
  readonly bill: BillHead
  readonly lineIds: readonly number[]
}

async function changesOf(
  context: Context,
  clientId: number,
  accounts: readonly AccountRef[],
  trial: SettingsTrial | null,
  isNightly = false,
): Promise<BillChange[]> {
  const terms = await clientTerms(context, clientId)
  // A trial must not block saves.
  const books = await (trial ? readBooks : lockBooks)(context, clientId, accounts, terms)
  const bills = (await latestBills(context, clientId, [...books.values()])).map((bill) => ({ ...bill, is_nightly: isNightly }))
  if (bills.length === 0) return []
  await fillHistories(context.tx, clientId, books, spansOf(bills))
  const ids = bills.map((bill) => bill.id)
  const lines = Map.groupBy(
    await readLines(context.tx, clientId, sql<boolean>`line.bill_id = any(${ids}::bigint[])`, []),
    (line) => line.bill_id,
  )
  const charges = await chargesOf(context, clientId, ids)
  const stored = await storedFindings(context, clientId, ids)
  const found: BillChange[] = []
  const breathe = breather()
  for (const bill of bills) {
    await breathe()
    const book = books.get(bookKey(bill))
    if (!book) continue
    const own = lines.get(bill.id) ?? []
    const known = stored.get(bill.id) ?? []
    const lineIds = own.map((line) => line.id)
    const raised = auditAgain({ ...bill, bill_charges: charges.get(bill.id) ?? [] }, own, trial ? tried(book, trial) : book, terms)
    const changes = compareFindings(lineIds, raised, known, (code) => code === groupSumCode || isKept(code, bill))
    found.push({ bill, lineIds, ...changes })
  }
  return found
}

async function storeChanges(context: Context, clientId: number, changes: readonly BillChange[], cause: AuditCause): Promise<void> {
  const rows = changes.flatMap(({ bill, lineIds, raised }) =>
    raised.map((finding) => findingRow(bill.id, lineIds, { ...finding, resolution: null }, null)),
  )
  await writeFindings(context.tx, clientId, rows)
  await applyFindingChanges(context, clientId, changes, cause)
  await recountFindings(
    context,
    clientId,
    changes.map(({ bill }) => bill.id),
  )
}

function countOf(changes: readonly BillChange[]): ReauditResult {
  return {
    bills: changes.length,
    raised: changes.reduce((sum, { raised, reopened }) => sum + raised.length + reopened.length, 0),
    gone: changes.reduce((sum, { gone }) => sum + gone.length, 0),
  }
}

/** Returns the book as it would be with other settings; its levels are the installation, the client and the account. */
function tried(book: AccountBook, { installation, client, account, service }: SettingsTrial): AccountBook {
  const [ofInstallation = {}, ofClient = {}, ofAccount = {}] = book.settings
  return {
    ...book,
    account: book.account && { ...book.account, audits_off: account?.audits_off ?? book.account.audits_off },
    settings: [installation ?? ofInstallation, client ?? ofClient, account?.audit_settings ?? ofAccount],
    services: book.services.map((one) =>
      one.id === service?.id
        ? { ...one, audit_settings: service.audit_settings ?? one.audit_settings, audits_off: service.audits_off ?? one.audits_off }
        : one,
    ),
  }
}

type BillHead = Omit<AuditBill, 'service_bills' | 'bill_charges' | 'id' | 'date'> &
  AccountRef & { readonly id: number; readonly date: string; readonly was_over: boolean; readonly history_import_on: string | null }

async function latestBills(context: Context, clientId: number, books: readonly AccountBook[]): Promise<BillHead[]> {
  const found: BillHead[] = []
  for (const type of ['BillableAccount', 'SupplyAccount'] as const) {
    const ids = books.filter((book) => book.account_type === type).map((book) => book.account_id)
    if (ids.length === 0) continue
    const { rows } = await sql<BillHead>`
      select ${type}::text as account_type, account_id, bill.* from unnest(${ids}::bigint[]) as account_id cross join lateral (
        select id, date, due_date, invoice_number, balance_forward, current_charges, late_fee, amount_due, paid, finalized, rebill_adjustment, rebill_mode, rebill_of_id,
          ${wasOver} as was_over, ${historyImportOn} as history_import_on
        from bills where client_id = ${clientId} and bills.${sql.ref(accountColumn(type))} = account_id and superseded_by_id is null
        order by date desc, id desc limit ${billsPerAccount}) bill`.execute(context.tx)
    found.push(...rows)
  }
  return found
}

function spansOf(bills: readonly BillHead[]) {
  return [...Map.groupBy(bills, bookKey).values()].flatMap((ofAccount) => {
    const dates = ofAccount.map((bill) => bill.date).toSorted()
    const [first] = dates
    const last = dates.at(-1)
    const [one] = ofAccount
    return one && first && last ? [{ account_type: one.account_type, account_id: one.account_id, first, last }] : []
  })
}

function auditAgain(
  bill: BillHead & Pick<AuditBill, 'bill_charges'> & { readonly is_nightly: boolean },
  lines: readonly ServiceBill[],
  book: AccountBook,
  { payments_managed }: ClientTerms,
): Finding[] {
  const audited: AuditBill = {
    ...bill,
    service_bills: lines.map((line) => ({ ...line, notes: line.notes ?? null })),
  }
  const { is_nightly, history_import_on } = bill
  const found = auditBill({
    ...book,
    bill: audited,
    today: today(),
    context: { ...ordinaryContext, history_import_on, payments_managed, is_nightly },
  })
  return found.filter((finding) => !isKept(finding.code, bill))
}

async function chargesOf(
  context: Context,
  clientId: number,
  billIds: readonly number[],
): Promise<Map<number, { name: string; amount: string }[]>> {
  const { rows } = await sql<{ bill_id: number; name: string; amount: string }>`select bill_id, name, amount from bill_charges
    where client_id = ${clientId} and bill_id = any(${billIds}::bigint[]) order by bill_id, position`.execute(context.tx)
  return Map.groupBy(rows, (row) => row.bill_id)
}
