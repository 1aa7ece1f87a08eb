/** Audits recent bills again after thresholds have changed, in steps, and reports how many findings were added and removed. */
import { sql } from 'kysely'
import { z } from 'zod'
import { accountTypes } from '#contract/bills/bill.ts'
import { reauditAccounts } from '../bills/bills.ts'
import type { Context } from '../kernel/context.ts'
import { everything } from '../kernel/lists/resource.ts'
import { defineTask, startTask, type TaskOutcome, type TaskRun } from '../kernel/work/task.ts'
import { recentAccounts, type BilledAccount } from './recent-accounts.ts'

const kind = 'reaudit_bills'
/** Accounts per transaction; they stay locked until it ends. */
const accountsAtOnce = 50

const account = z.object({ account_type: z.enum(accountTypes.map(({ value }) => value)), account_id: z.int() })
const taskInput = z.object({
  /** Null for every client. */
  client_id: z.int().nullable(),
  /** Null for all recently billed accounts. */
  accounts: z.array(account).nullable(),
})

defineTask({ kind, moves: null, title: () => 'Auditing recent bills again', run: reauditRecent })

/**
 * Starts the task in the caller's transaction. Without accounts, it covers all recently billed accounts of the client; without a client, every
 * client.
 */
export function startReaudit(
  context: Context,
  clientId: number | null,
  accounts: readonly BilledAccount[] | null = null,
): Promise<{ id: number }> {
  return startTask(context, {
    kind,
    clientId: clientId ?? undefined,
    input: { client_id: clientId, accounts: accounts && [...accounts] },
  })
}

interface Settings {
  readonly audit_settings?: unknown
  readonly audits_off?: boolean | undefined
}

/** Called when an account is saved: if its audit settings changed, its bills are audited again. */
export async function reauditIfChanged(
  context: Context,
  clientId: number,
  account: BilledAccount,
  draft: Settings,
  before: Settings | null,
): Promise<void> {
  if (before && isChanged(draft, before)) await startReaudit(context, clientId, [account])
}

/** The same for a saved service. */
export async function reauditOfServiceIfChanged(
  context: Context,
  clientId: number,
  serviceId: number,
  draft: Settings,
  before: Settings | null,
): Promise<void> {
  if (!before || !isChanged(draft, before)) return
  const { rows } =
    await sql<BilledAccount>`select case when billable_account_id is null then 'SupplyAccount' else 'BillableAccount' end as account_type,
      coalesce(billable_account_id, supply_account_id) as account_id from services where client_id = ${clientId} and id = ${serviceId}`.execute(
      context.tx,
    )
  await startReaudit(context, clientId, rows)
}

function isChanged(draft: Settings, before: Settings): boolean {
  return (
    (draft.audit_settings !== undefined && !isSame(draft.audit_settings, before.audit_settings)) ||
    (draft.audits_off !== undefined && draft.audits_off !== before.audits_off)
  )
}

/** Compares ignoring key order, since PostgreSQL keeps JSON keys in its own order. */
function isSame(one: unknown, other: unknown): boolean {
  const ordered = (value: unknown): string =>
    JSON.stringify(typeof value === 'object' && value !== null ? Object.entries(value).toSorted(([a], [b]) => a.localeCompare(b)) : value)
  return ordered(one) === ordered(other)
}

async function reauditRecent(run: TaskRun): Promise<TaskOutcome> {
  const input = taskInput.parse(run.input)
  const clients = input.client_id === null ? await run.step(({ tx }) => activeClients(tx)) : [input.client_id]
  const total = { accounts: 0, bills: 0, raised: 0, gone: 0 }
  for (const clientId of clients) {
    const accounts = input.accounts ?? (await run.step(({ tx }) => recentAccounts(tx, clientId)))
    for (let start = 0; start < accounts.length; start += accountsAtOnce) {
      run.signal.throwIfAborted()
      const some = accounts.slice(start, start + accountsAtOnce)
      // A threshold applies to all bills below it, whatever part of the client the user reaches.
      const found = await run.step((context) => reauditAccounts(context, clientId, some, 'settings'), everything)
      total.accounts += some.length
      total.bills += found.bills
      total.raised += found.raised
      total.gone += found.gone
      run.progress(total.accounts)
    }
  }
  return {
    result: total,
    rowsDone: total.accounts,
    message: {
      type: kind,
      notification_type: 'success',
      message: `${counted(total.bills, 'bill', 'bills')} audited again`,
      description: [`${counted(total.raised, 'finding', 'findings')} came, ${total.gone.toLocaleString('en-US')} went.`],
      link: input.client_id === null ? '/bills/findings' : `/clients/${input.client_id}/bills/findings`,
      payload: total,
    },
  }
}

async function activeClients(tx: Context['tx']): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from clients where active order by id`.execute(tx)
  return rows.map(({ id }) => id)
}

function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
}
