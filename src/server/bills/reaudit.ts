/**
 * Audits stored bills again, after something changed that they are measured against: an account's settings, a service, another bill. What
 * people have settled stays settled as long as the value that was found wrong is the same; nothing of the history is lost.
 */
import { auditBill, countOpen, ordinaryContext, type AuditBill, type Finding, type Severity } from '#contract/bill-audits.ts'
import type { ServiceBill } from '#contract/bill-detail.ts'
import { sql } from 'kysely'
import { today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { bookKey, clientTerms, lockBooks, type AccountBook, type AccountRef, type ClientTerms } from './account-books.ts'
import { fillHistories } from './account-history.ts'
import { accountColumn } from './account-scope.ts'
import { readLines } from './read-lines.ts'
import { findingRow, writeFindings } from './store-bills.ts'

/** Bills of an account that are looked at again: two years of a monthly one. */
const billsPerAccount = 24
/** Accounts whose bills are held in memory together. */
const accountsAtOnce = 100
/** What the bill alone cannot tell any more: the statement is gone, and ledger accounts are asked for when a batch closes. */
const keptCodes: readonly string[] = ['unknown_meter', 'gl_incomplete']
/** What compares with today stays as it was for bills that were over when they came in. */
const todayCodes: readonly string[] = ['due_date', 'date_sanity']
const goneReason = 'No longer found'

interface ReauditResult {
  readonly bills: number
  readonly raised: number
  readonly gone: number
}

/** Audits the latest bills of the accounts again, in the transaction of the context. Accounts outside the reach are left out. */
export async function reauditAccounts(context: Context, clientId: number, accounts: readonly AccountRef[]): Promise<ReauditResult> {
  const ordered = accounts.toSorted((a, b) =>
    a.account_type === b.account_type ? a.account_id - b.account_id : a.account_type < b.account_type ? -1 : 1,
  )
  const results: ReauditResult[] = []
  for (let start = 0; start < ordered.length; start += accountsAtOnce)
    results.push(await reauditSome(context, clientId, ordered.slice(start, start + accountsAtOnce)))
  const sum = (key: keyof ReauditResult): number => results.reduce((total, result) => total + result[key], 0)
  if (sum('raised') + sum('gone') > 0) context.touch(clientId)
  return { bills: sum('bills'), raised: sum('raised'), gone: sum('gone') }
}

async function reauditSome(context: Context, clientId: number, accounts: readonly AccountRef[]): Promise<ReauditResult> {
  const terms = await clientTerms(context, clientId)
  const books = await lockBooks(context, clientId, accounts, terms)
  const bills = await latestBills(context, clientId, [...books.values()])
  if (bills.length === 0) return { bills: 0, raised: 0, gone: 0 }
  await fillHistories(context.tx, clientId, books, spansOf(bills))
  const ids = bills.map((bill) => bill.id)
  const lines = Map.groupBy(
    await readLines(context.tx, clientId, sql<boolean>`line.bill_id = any(${ids}::bigint[])`, []),
    (line) => line.bill_id,
  )
  const charges = await chargesOf(context, clientId, ids)
  const stored = await storedFindings(context, clientId, ids)
  const changes = bills.flatMap((bill) => {
    const book = books.get(bookKey(bill))
    const own = lines.get(bill.id) ?? []
    return book
      ? [
          {
            bill,
            lines: own,
            ...compared(
              bill,
              own,
              auditAgain({ ...bill, bill_charges: charges.get(bill.id) ?? [] }, own, book, terms),
              stored.get(bill.id) ?? [],
            ),
          },
        ]
      : []
  })
  await writeFindings(
    context.tx,
    clientId,
    changes.flatMap(({ bill, lines: own, raised }) =>
      raised.map((finding) =>
        findingRow(
          bill.id,
          own.map((line) => line.id),
          { ...finding, resolution: null },
          null,
        ),
      ),
    ),
  )
  await updateFindings(
    context,
    clientId,
    changes.flatMap((change) => change.renewed),
    changes.flatMap((change) => change.gone),
  )
  await recount(context, clientId, ids)
  return {
    bills: bills.length,
    raised: changes.flatMap((change) => change.raised).length,
    gone: changes.flatMap((change) => change.gone).length,
  }
}

type BillHead = Omit<AuditBill, 'service_bills' | 'bill_charges' | 'id' | 'date'> &
  AccountRef & { readonly id: number; readonly date: string; readonly was_over: boolean }

async function latestBills(context: Context, clientId: number, books: readonly AccountBook[]): Promise<BillHead[]> {
  const found: BillHead[] = []
  for (const type of ['BillableAccount', 'SupplyAccount'] as const) {
    const ids = books.filter((book) => book.account_type === type).map((book) => book.account_id)
    if (ids.length === 0) continue
    const { rows } = await sql<BillHead>`
      select ${type}::text as account_type, account_id, bill.* from unnest(${ids}::bigint[]) as account_id cross join lateral (
        select id, date, due_date, invoice_number, balance_forward, current_charges, late_fee, amount_due, paid, finalized, rebill_adjustment, rebill_mode, rebill_of_id,
          source <> 'typed' and due_date < (created_at at time zone 'America/New_York')::date as was_over
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
  bill: BillHead & Pick<AuditBill, 'bill_charges'>,
  lines: readonly ServiceBill[],
  book: AccountBook,
  { payments_managed }: ClientTerms,
): Finding[] {
  const audited: AuditBill = {
    ...bill,
    service_bills: lines.map((line) => ({ ...line, notes: line.notes ?? null, linked_line: null, expects_supply_bill: false })),
  }
  const found = auditBill({ ...book, bill: audited, today: today(), context: { ...ordinaryContext, payments_managed } })
  return found.filter((finding) => !isKept(finding.code, bill))
}

function isKept(code: string, bill: BillHead): boolean {
  return keptCodes.includes(code) || (bill.was_over && todayCodes.includes(code))
}

interface Stored {
  readonly id: number
  readonly bill_id: number
  readonly service_bill_id: number | null
  readonly service_id: number | null
  readonly code: string
  readonly severity: Severity
  readonly message: string
  readonly actual: string | null
  readonly is_open: boolean
}

interface Renewed extends Pick<Finding, 'severity' | 'message' | 'expected' | 'actual' | 'limit'> {
  readonly id: number
}

/** Each finding meets the stored one of its rule and place: open ones are renewed, settled ones hold while the value is the same. */
function compared(
  bill: BillHead,
  lines: readonly ServiceBill[],
  found: readonly Finding[],
  stored: readonly Stored[],
): { raised: Finding[]; renewed: Renewed[]; gone: number[] } {
  const left = new Set(stored)
  const raised: Finding[] = []
  const renewed: Renewed[] = []
  for (const finding of found) {
    const lineId = finding.line === null ? null : (lines[finding.line]?.id ?? null)
    const same = [...left].filter(
      (one) => one.code === finding.code && one.service_bill_id === lineId && one.service_id === finding.service_id,
    )
    const match = same.find((one) => one.is_open) ?? same.find((one) => isSameValue(one, finding))
    if (!match) raised.push(finding)
    else if (match.is_open && (match.message !== finding.message || match.severity !== finding.severity))
      renewed.push({ ...finding, id: match.id })
    if (match) left.delete(match)
  }
  return { raised, renewed, gone: [...left].filter((one) => one.is_open && !isKept(one.code, bill)).map((one) => one.id) }
}

function isSameValue(stored: Stored, finding: Finding): boolean {
  return finding.actual === null ? stored.message === finding.message : stored.actual === finding.actual
}

async function storedFindings(context: Context, clientId: number, billIds: readonly number[]): Promise<Map<number, Stored[]>> {
  const { rows } =
    await sql<Stored>`select id, bill_id, service_bill_id, service_id, code, severity, message, actual, resolved_at is null as is_open
    from bill_findings where client_id = ${clientId} and bill_id = any(${billIds}::bigint[]) order by id`.execute(context.tx)
  return Map.groupBy(rows, (row) => row.bill_id)
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

async function updateFindings(context: Context, clientId: number, renewed: readonly Renewed[], gone: readonly number[]): Promise<void> {
  if (renewed.length > 0) {
    await sql`update bill_findings set severity = new.severity, message = new.message, expected = new.expected, actual = new.actual, limit_value = new."limit"
      from jsonb_to_recordset(${JSON.stringify(renewed)}::jsonb) as new(id bigint, severity text, message text, expected text, actual text, "limit" text)
      where bill_findings.client_id = ${clientId} and bill_findings.id = new.id`.execute(context.tx)
  }
  if (gone.length > 0) {
    await sql`update bill_findings set resolved_at = now(), reason = ${goneReason} where client_id = ${clientId} and id = any(${gone}::bigint[]) and resolved_at is null`.execute(
      context.tx,
    )
  }
}

/** Brings the counts of open findings on the bills in line with the findings; bills that are right already are not written. */
async function recount(context: Context, clientId: number, billIds: readonly number[]): Promise<void> {
  const { rows } = await sql<{ bill_id: number; severity: Severity }>`select bill_id, severity from bill_findings
    where client_id = ${clientId} and bill_id = any(${billIds}::bigint[]) and resolved_at is null`.execute(context.tx)
  const open = Map.groupBy(rows, (row) => row.bill_id)
  const counts = billIds.map((id) => ({ id, ...countOpen(open.get(id) ?? []) }))
  await sql`update bills set open_errors = counted.open_errors, open_blocking = counted.open_blocking, open_warnings = counted.open_warnings
    from jsonb_to_recordset(${JSON.stringify(counts)}::jsonb) as counted(id bigint, open_errors int, open_blocking int, open_warnings int)
    where bills.client_id = ${clientId} and bills.id = counted.id
      and (bills.open_errors, bills.open_blocking, bills.open_warnings) is distinct from (counted.open_errors, counted.open_blocking, counted.open_warnings)`.execute(
    context.tx,
  )
}
