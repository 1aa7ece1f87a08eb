/** The findings that a new audit of stored bills changes. */
import { auditedHeads } from '#contract/bills/bill-fields.ts'
import {
  auditBill,
  groupSumCode,
  ordinaryContext,
  type AuditBill,
  type AuditSettingsPatch,
  type Finding,
} from '#contract/bill-audits/bill-audits.ts'
import type { ServiceBill } from '#contract/bills/service-bill.ts'
import { compareFindings, isKept, type FindingChanges } from '#contract/bills/compare-findings.ts'
import { sql } from 'kysely'
import { breather } from '../kernel/breathe.ts'
import { today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { bookKey, clientTerms, lockBooks, readBooks, type AccountBook, type AccountRef, type ClientTerms } from './account-books.ts'
import { fillHistories, spansOf } from './account-history.ts'
import { accountColumn } from './account-scope.ts'
import { historyImportOn, wasOver } from './bill-came-in.ts'
import { storedFindings } from './finding-changes.ts'
import { readLines } from './read-lines.ts'

/** Bills of an account that are audited again: two years of a monthly one. */
const billsPerAccount = 24

/** Settings that replace the stored ones in a trial. */
export interface SettingsTrial {
  readonly installation?: AuditSettingsPatch | undefined
  readonly client?: AuditSettingsPatch | undefined
  readonly account?: { readonly audit_settings?: AuditSettingsPatch | undefined; readonly audits_off?: boolean | undefined } | undefined
  readonly service?:
    | { readonly id: number; readonly audit_settings?: AuditSettingsPatch | undefined; readonly audits_off?: boolean | undefined }
    | undefined
}

export interface BillChange extends FindingChanges {
  readonly bill: BillHead
  readonly lineIds: readonly number[]
}

export async function changesOf(
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

const auditedColumns = sql.join(auditedHeads.map((name) => sql.ref(name)))

async function latestBills(context: Context, clientId: number, books: readonly AccountBook[]): Promise<BillHead[]> {
  const found: BillHead[] = []
  for (const type of ['BillableAccount', 'SupplyAccount'] as const) {
    const ids = books.filter((book) => book.account_type === type).map((book) => book.account_id)
    if (ids.length === 0) continue
    const { rows } = await sql<BillHead>`
      select ${type}::text as account_type, account_id, bill.* from unnest(${ids}::bigint[]) as account_id cross join lateral (
        select id, ${auditedColumns}, paid, finalized,
          ${wasOver} as was_over, ${historyImportOn} as history_import_on
        from bills where client_id = ${clientId} and bills.${sql.ref(accountColumn(type))} = account_id and superseded_by_id is null
        order by date desc, id desc limit ${billsPerAccount}) bill`.execute(context.tx)
    found.push(...rows)
  }
  return found
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
