/**
 * The built-in provider, which needs nothing external: statements that continue the clients' own accounts, some with planted defects, one
 * PDF each. Account numbers with certain prefixes simulate failures of services. The labels of planted defects are the ground truth for
 * scoring the audits; they are not on the statements.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Statement, StatementSummary } from '#contract/bill-retrieval/statement.ts'
import { bySortKey, pageOf, pdfOf, ProviderError, type BillRetrievalProvider, type ProviderStatus, noStatement } from './provider.ts'
import { drawStatement } from './statement-pdf.ts'
import { partsOfId, sandboxStatements, type SandboxStatement } from './sandbox-statements.ts'
import type { SandboxAccount } from './sandbox-written.ts'
import type { SandboxDefect } from './sandbox-defects.ts'

export interface SandboxSettings {
  /** Another number produces other statements. */
  readonly spec: number
  /** The client's present accounts, by short code; none for an unknown client. */
  readonly accounts: (clientCode: string) => Promise<readonly SandboxAccount[]>
  /** Statements are billed until this day. */
  readonly today: () => string
  /** Delay of the slow accounts; tests shorten it. */
  readonly slowMs?: number
}

export interface SandboxProvider extends BillRetrievalProvider {
  /** Planted defects by statement id. */
  labels(clientCode: string): Promise<ReadonlyMap<string, SandboxDefect>>
}

/** Prefixes of account numbers, and the fault that each triggers. */
export const sandboxFaults = {
  'ERR401-': 'signed_out',
  'ERRMFA-': 'needs_action',
  'ERR429-': 'rate_limited',
  'ERR500-': 'unavailable',
  'SLOW-': 'slow',
  'CUT-': 'cut_pdf',
} as const
type SandboxFault = (typeof sandboxFaults)[keyof typeof sandboxFaults]

const SLOW_MS = 10_000
/** Listed statements can still be fetched after their account has moved on; this many are remembered. */
const REMEMBERED_MAX = 20_000

export function sandboxProvider(settings: SandboxSettings): SandboxProvider {
  const remembered = new Map<string, SandboxStatement>()
  /** A list is read page by page: its statements are made once, as long as the accounts do not change. */
  const latest = new Map<string, { signature: string; made: readonly SandboxStatement[] }>()
  const faultsSeen = new Map<string, SandboxFault | null>()

  const statementsOf = async (clientCode: string): Promise<readonly SandboxStatement[]> => {
    const accounts = await settings.accounts(clientCode)
    const today = settings.today()
    const signature = `${today} ${JSON.stringify(accounts)}`
    const known = latest.get(clientCode)
    if (known?.signature === signature) return known.made
    for (const account of accounts) faultsSeen.set(`${clientCode}\n${account.account_number}`, faultOf(account.account_number))
    const made = accounts.flatMap((account) =>
      isUnreachable(account.account_number) ? [] : sandboxStatements(settings.spec, clientCode, account, today),
    )
    latest.set(clientCode, { signature, made })
    remember(remembered, made)
    return made
  }
  const find = async (id: string): Promise<Statement> => {
    const parts = partsOfId(id)
    if (parts === null) throw noStatement(id)
    await behave(parts.accountNumber, settings.slowMs ?? SLOW_MS)
    if (!remembered.has(id)) await statementsOf(parts.clientCode)
    const found = remembered.get(id)
    if (found === undefined) throw noStatement(id)
    return found.statement
  }
  return {
    id: 'sandbox',
    label: 'Sandbox',
    status: async () => statusOf([...faultsSeen.values()]),
    listStatements: async (query) => {
      for (const accountNumber of query.accountNumbers ?? []) if (isUnreachable(accountNumber)) await behave(accountNumber, 0)
      const made = await statementsOf(query.clientCode)
      return pageOf(made.map(({ statement }) => summaryOf(statement)).toSorted(bySortKey), query)
    },
    getStatement: find,
    getPdf: async (id, clientCode) => {
      const statement = await find(id)
      const bytes = await drawStatement(statement)
      return pdfOf(faultOf(statement.account_number) === 'cut_pdf' ? bytes.subarray(0, bytes.length / 2) : bytes, statement, clientCode)
    },
    labels: async (clientCode) =>
      new Map(
        (await statementsOf(clientCode)).flatMap(({ statement, label }) => (label === null ? [] : [[statement.statement_id, label]])),
      ),
  }
}

function remember(remembered: Map<string, SandboxStatement>, made: readonly SandboxStatement[]): void {
  for (const one of made) {
    remembered.delete(one.statement.statement_id)
    remembered.set(one.statement.statement_id, one)
  }
  for (const id of remembered.keys()) {
    if (remembered.size <= Math.max(REMEMBERED_MAX, made.length)) return
    remembered.delete(id)
  }
}

function faultOf(accountNumber: string): SandboxFault | null {
  return Object.entries(sandboxFaults).find(([beginning]) => accountNumber.startsWith(beginning))?.[1] ?? null
}

/** Nothing can be listed for an account that the service cannot sign in to. */
function isUnreachable(accountNumber: string): boolean {
  const fault = faultOf(accountNumber)
  return fault === 'signed_out' || fault === 'needs_action'
}

/** Throws or waits depending on the account's number. */
async function behave(accountNumber: string, slowMs: number): Promise<void> {
  const fault = faultOf(accountNumber)
  if (fault === 'slow') await sleep(slowMs)
  if (fault === null || fault === 'slow' || fault === 'cut_pdf') return
  const said = {
    signed_out: 'The utility refused the sign-in of this account.',
    needs_action: 'The utility asks for a second factor for this account.',
    rate_limited: 'The utility answers too many requests.',
    unavailable: 'The utility has an error.',
  } as const
  throw new ProviderError(fault, said[fault])
}

function statusOf(faults: readonly (SandboxFault | null)[]): ProviderStatus {
  const count = (fault: SandboxFault): number => faults.filter((one) => one === fault).length
  const failed = count('signed_out')
  const needsAction = count('needs_action')
  return {
    ok: true,
    message: 'Made-up statements for the accounts of this installation.',
    credentials: { ok: faults.length - failed - needsAction, failed, needsAction },
  }
}

function summaryOf(statement: Statement): StatementSummary {
  const { statement_id, file_id, kind, provider_name, account_number, bill_date, amount_due } = statement
  return { statement_id, file_id, kind, provider_name, account_number, bill_date, amount_due }
}
