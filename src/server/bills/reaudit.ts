/**
 * Audits stored bills again, after a change to what they are measured against: an account's settings, a service, another bill. Resolved
 * findings stay resolved as long as the faulty value is the same; the history is kept.
 */
import type { Context } from '../kernel/context.ts'
import type { AccountRef } from './account-books.ts'
import { applyFindingChanges, recountFindings, type AuditCause } from './finding-changes.ts'
import { findingRow, writeFindings } from './store-findings.ts'
import { changesOf, type SettingsTrial, type BillChange } from './changed-findings.ts'

/** Accounts whose bills are held in memory together. */
const accountsAtOnce = 100
/** Accounts that are read and audited at once while settings are only tried. A larger number blocks other requests. */
const triedAtOnce = 5

export interface ReauditResult {
  readonly bills: number
  readonly raised: number
  readonly gone: number
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
