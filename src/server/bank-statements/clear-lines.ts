/** Stores what lines of statements are, and which payments they clear. An entry leaves once and comes back once: the key of bank_clearings holds it. */
import { type Clearable } from '#contract/bank-statements/clearable.ts'
import { matchLines, type LineVerdict, type MatchingLine } from '#contract/bank-statements/match-lines.ts'
import type { BankStatementLine } from '#contract/bank-statements/bank-statement-line.ts'
import { centsOf, wireOf } from '#contract/kernel/money.ts'
import { sql } from 'kysely'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { refused } from '../kernel/problem.ts'
import { readGround } from './account-payments.ts'
import type { BankAccount } from './bank-account.ts'

const states = { matched: 'matched', near: 'proposed', unknown: 'open', ignored: 'ignored' } as const
export const stateOf = ({ state }: LineVerdict): BankStatementLine['state'] => states[state]

export const numbersOf = (lines: readonly Pick<MatchingLine, 'check_number'>[]): string[] =>
  lines.flatMap(({ check_number: one }) => one ?? [])

/** Lays lines against what is outstanding, under share locks on the batches of the payments: nobody takes one of them back meanwhile. */
export async function judgeLocked(context: Context, account: BankAccount, lines: readonly MatchingLine[]): Promise<LineVerdict[]> {
  const first = matchLines(lines, await readGround(context, account, numbersOf(lines)))
  await lockPayments(
    context,
    first.flatMap(({ clearable }) => clearable ?? []),
  )
  return matchLines(lines, await readGround(context, account, numbersOf(lines)))
}

/** Locks in the order of batches and entries, so that two people never wait for each other. */
export async function lockPayments({ tx }: Context, clearables: readonly Clearable[]): Promise<void> {
  const ids = clearables.flatMap(({ entries }) => entries.map(({ id }) => id))
  if (ids.length === 0) return
  await sql`select batch.id from payment_batches batch where (batch.client_id, batch.id) in (
      select payment.client_id, payment.payment_batch_id from global_batch_file_payments entry
      join vendor_payments payment on payment.client_id = entry.client_id and payment.id = entry.vendor_payment_id
      where entry.id = any(${ids}::bigint[]))
    order by batch.client_id, batch.id for share`.execute(tx)
  await sql`select entry.id from global_batch_file_payments entry where entry.id = any(${ids}::bigint[])
    order by entry.client_id, entry.id for update`.execute(tx)
}

export interface Cleared {
  readonly lineId: number
  readonly day: string
  readonly clearable: Clearable
}

/** Throws 409 if one of the payments was cleared by another line. */
export async function storeClearings(context: Context, cleared: readonly Cleared[]): Promise<void> {
  const rows = cleared.flatMap(({ lineId, day, clearable: { kind, entries } }) =>
    entries.map(({ id, client_id, amount }) => ({
      client_id,
      entry_id: id,
      direction: kind === 'return' ? 'back' : 'out',
      line_id: lineId,
      day,
      amount: wireOf(amount),
    })),
  )
  if (rows.length === 0) return
  const { rows: made } =
    await sql`insert into bank_clearings (payer_id, global_batch_file_payment_id, direction, bank_statement_line_id, cleared_on, amount)
    select client_id, entry_id, direction, line_id, day, amount
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as one(client_id bigint, entry_id bigint, direction text, line_id bigint, day date,
      amount numeric(14,2)) order by client_id, entry_id, direction
    on conflict do nothing returning payer_id`.execute(context.tx)
  if (made.length < rows.length) throw refused('One of these payments is cleared by another line already. Load the page again.')
  for (const client of new Set(rows.map(({ client_id }) => client_id))) context.touch(client)
}

interface OpenLine extends MatchingLine {
  readonly id: number
  readonly payer_id: number
  readonly state: 'proposed' | 'open'
  readonly is_undone: boolean
  readonly clearable_key: string | null
  readonly reason: string
}

/**
 * Judges every open line of an account again, because what is outstanding has changed. `make` clears what is certain; otherwise it is proposed. A
 * line that a person has opened again is only proposed. @returns how many lines were cleared.
 */
export async function judgeOpenLines(context: Context, account: BankAccount & { readonly id: number }, make: boolean): Promise<number> {
  const lines = await readOpenLines(context, account.id)
  if (lines.length === 0) return 0
  const verdicts = await judgeLocked(context, account, lines)
  const judged = lines.flatMap((line, at) => {
    const verdict = verdicts[at]
    if (!verdict) return []
    const isMade = make && !line.is_undone && verdict.state === 'matched'
    const state = verdict.state === 'matched' && !isMade ? ('proposed' as const) : stateOf(verdict)
    return [{ line, verdict, state }]
  })
  const made = judged.flatMap(({ line, verdict: { clearable }, state }) =>
    state === 'matched' && clearable !== null ? [{ lineId: line.id, day: line.day, clearable }] : [],
  )
  await storeClearings(context, made)
  await storeVerdicts(
    context,
    judged.filter(
      ({ line, verdict, state }) =>
        line.state !== state || line.clearable_key !== (verdict.clearable?.key ?? null) || line.reason !== verdict.reason,
    ),
  )
  await context.audit.many(
    judged.flatMap(({ line, verdict, state }) =>
      state === 'matched'
        ? [
            {
              event: 'update' as const,
              item_type: 'bank_statement_line',
              item_id: line.id,
              client_id: line.payer_id,
              changes: { state: { from: line.state, to: state }, clearable_name: { from: null, to: verdict.clearable?.name ?? null } },
            },
          ]
        : [],
    ),
  )
  return made.length
}

async function readOpenLines({ tx }: Context, accountId: number): Promise<OpenLine[]> {
  const { rows } = await sql<Omit<OpenLine, 'amount'> & { readonly amount: string }>`select line.id, line.payer_id, line.day,
      line.amount::text as amount, line.check_number, line.reference, line.description, line.state, line.is_undone, line.clearable_key, line.reason
    from bank_statement_lines line join bank_statements statement on statement.id = line.bank_statement_id
    where statement.bank_account_id = ${accountId} and line.state in ('proposed', 'open')
    order by line.day, line.bank_statement_id, line.line for update of line`.execute(tx)
  return rows.map(({ amount, ...row }) => ({ ...row, amount: centsOf(amount) }))
}

async function storeVerdicts(
  context: Context,
  judged: readonly { readonly line: OpenLine; readonly verdict: LineVerdict; readonly state: string }[],
): Promise<void> {
  if (judged.length === 0) return
  const rows = judged.map(({ line, verdict: { clearable, reason }, state }) => ({
    id: line.id,
    state,
    clearable_key: clearable?.key ?? null,
    clearable_name: clearable?.name ?? null,
    reason,
  }))
  await sql`update bank_statement_lines line set state = one.state, clearable_key = one.clearable_key, clearable_name = one.clearable_name,
      reason = one.reason, lock_version = line.lock_version + 1, settled_at = case when one.state = 'matched' then ${now()}::timestamptz end,
      settled_by = case when one.state = 'matched' then ${context.principal.user_id}::bigint end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as one(id bigint, state text, clearable_key text, clearable_name text, reason text)
    where line.id = one.id`.execute(context.tx)
  for (const payer of new Set(judged.map(({ line }) => line.payer_id))) context.touch(payer)
}
