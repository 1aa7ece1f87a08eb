/** Decisions of a person about one line: it shows this payment, it shows none, or the decision is taken back. */
import {
  bankStatementLine,
  candidatesMax,
  type BankStatementLine,
  type LineCandidate,
} from '#contract/bank-statements/bank-statement-line.ts'
import { daysBetween } from '#contract/kernel/date.ts'
import { centsOf, formatMoney, wireOf } from '#contract/kernel/money.ts'
import { sql } from 'kysely'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { askedBy } from '../kernel/lists/resource.ts'
import { refuseStale, storedRow } from '../kernel/lists/save.ts'
import { refused } from '../kernel/problem.ts'
import { readGround } from './account-payments.ts'
import { accountOfStatement, lockAccount, type BankAccount } from './bank-account.ts'
import { judgeOpenLines, lockPayments, storeClearings } from './clear-lines.ts'
import { statementLines } from './statement-source.ts'

interface SentClear {
  readonly clearable_key: string
  readonly lock_version: number
}
interface SentReason {
  readonly reason: string
  readonly lock_version: number
}

const isOpen = ({ state }: BankStatementLine): boolean => state === 'open' || state === 'proposed'

/** The outstanding payments of this amount, the nearest in days first. */
export async function candidatesOf(context: Context, id: number): Promise<LineCandidate[]> {
  const line = await storedRow(context, statementLines, id, askedBy(context, {}))
  if (!isOpen(line)) return []
  const { clearables } = await readGround(context, await accountOfStatement(context, line.bank_statement_id), [])
  const days = (day: string): number => Math.abs(daysBetween(day, line.day))
  return clearables
    .filter(({ amount }) => amount === centsOf(line.amount))
    .toSorted((a, b) => days(a.day) - days(b.day) || (a.key < b.key ? -1 : 1))
    .slice(0, candidatesMax)
    .map(({ key, kind, name, day, amount }) => ({ key, kind, name, day, amount: wireOf(amount) }))
}

/** Two people at once: the second waits for the lock of the account, and is then told that the line is settled. */
async function lockLine(
  context: Context,
  id: number,
): Promise<{ line: BankStatementLine; account: BankAccount & { readonly id: number } }> {
  const { bank_statement_id } = await storedRow(context, statementLines, id, askedBy(context, {}))
  const account = await lockAccount(context, await accountOfStatement(context, bank_statement_id))
  return { line: await storedRow(context, statementLines, id, askedBy(context, {}), true), account }
}

export async function clearLine(context: Context, id: number, { clearable_key: key, lock_version }: SentClear) {
  const { line, account } = await lockLine(context, id)
  mustBeOpen(line)
  refuseStale(bankStatementLine, line, lock_version, { clearable_key: key })
  const find = async () => (await readGround(context, account, [])).clearables.find((one) => one.key === key)
  const seen = await find()
  if (seen) await lockPayments(context, [seen])
  const clearable = await find()
  if (!clearable)
    throw refused('This payment is not outstanding any more: another line clears it, or it was taken back. Load the page again.', id)
  if (clearable.amount !== centsOf(line.amount))
    throw refused(`The line is ${formatMoney(line.amount)}, and ${clearable.name} is ${formatMoney(wireOf(clearable.amount))}.`, id)
  await storeClearings(context, [{ lineId: id, day: line.day, clearable }])
  const reason = line.clearable_key === key ? `Confirmed: ${line.reason}`.slice(0, 500) : 'Chosen by a person'
  await settle(context, account, line, { state: 'matched', clearable_key: key, clearable_name: clearable.name, reason, is_undone: false })
  return { success: true, message: `${clearable.name} cleared`, id }
}

export async function explainLine(context: Context, id: number, { reason, lock_version }: SentReason) {
  const { line, account } = await lockLine(context, id)
  mustBeOpen(line)
  refuseStale(bankStatementLine, line, lock_version, { reason })
  await settle(context, account, line, { state: 'explained', clearable_key: null, clearable_name: null, reason, is_undone: false })
  return { success: true, message: 'Statement Line explained', id }
}

export async function undoLine(context: Context, id: number, { reason, lock_version }: SentReason) {
  const { line, account } = await lockLine(context, id)
  if (line.state !== 'matched' && line.state !== 'explained') throw refused('Only a cleared or explained line can be opened again.', id)
  refuseStale(bankStatementLine, line, lock_version, { reason })
  const { rows } = await sql<{
    payer_id: number
  }>`delete from bank_clearings where bank_statement_line_id = ${id} returning payer_id`.execute(context.tx)
  for (const client of new Set(rows.map(({ payer_id }) => payer_id))) context.touch(client)
  await settle(context, account, line, { state: 'open', clearable_key: null, clearable_name: null, reason, is_undone: true })
  return { success: true, message: 'Statement Line opened again', id }
}

function mustBeOpen(line: BankStatementLine): void {
  if (isOpen(line)) return
  if (line.state === 'ignored') throw refused('This line moves no money.', line.id)
  const by = line.settled_by_name === null ? '' : ` by ${line.settled_by_name}`
  throw refused(`This line is ${line.state === 'matched' ? 'cleared' : 'explained'} already${by}. Load the page again.`, line.id)
}

interface Settled {
  readonly state: BankStatementLine['state']
  readonly clearable_key: string | null
  readonly clearable_name: string | null
  readonly reason: string
  readonly is_undone: boolean
}

/** Stores the decision, and proposes anew for the lines that are still open. */
async function settle(
  context: Context,
  account: BankAccount & { readonly id: number },
  line: BankStatementLine,
  to: Settled,
): Promise<void> {
  const isSettled = to.state !== 'open'
  await sql`update bank_statement_lines set state = ${to.state}, clearable_key = ${to.clearable_key}, clearable_name = ${to.clearable_name},
      reason = ${to.reason}, is_undone = ${to.is_undone}, lock_version = lock_version + 1, settled_by = ${isSettled ? context.principal.user_id : null}::bigint,
      settled_at = ${isSettled ? now() : null}::timestamptz
    where id = ${line.id}`.execute(context.tx)
  await context.audit.updated('bank_statement_line', line.id, account.payer_id, {
    state: { from: line.state, to: to.state },
    clearable_name: { from: line.clearable_name, to: to.clearable_name },
    reason: { from: line.reason, to: to.reason },
  })
  await judgeOpenLines(context, account, false)
}
