/** Reads a statement file once: stores file, statements and lines, clears what is certain, and proposes what only looks alike. */
import type { SentStatement } from '#contract/bank-statements/bank-statement.ts'
import type { LineVerdict } from '#contract/bank-statements/match-lines.ts'
import type { ReadLine, ReadStatement } from '#contract/bank-statements/read-statement.ts'
import { wireOf } from '#contract/kernel/money.ts'
import { sql } from 'kysely'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { invalid, refused } from '../kernel/problem.ts'
import { sealBytes } from '../kernel/secret.ts'
import { accountOfProfile, accountOfStatement, lockAccount } from './bank-account.ts'
import { judgeLocked, judgeOpenLines, stateOf, storeClearings, type Cleared } from './clear-lines.ts'
import { hashOf, layFile, type LaidFile } from './plan-statement.ts'

type Locked = LaidFile & { readonly account: { readonly id: number } }

/** Two people at once: the second waits for the lock of the account, and is then told that the file was read. */
export async function readStatementFile(context: Context, sent: SentStatement) {
  const { account: found, number } = await accountOfProfile(context, sent.originating_profile_id)
  const account = await lockAccount(context, found)
  const laid = { ...(await layFile(context, sent, { account, number })), account }
  if (laid.faults.length > 0) throw invalid({ content: [...laid.faults] })
  const fileId = await storeFile(context, sent, laid)
  const lines = laid.statements.flatMap((one) => one.lines)
  const verdicts = await judgeLocked(context, account, lines)
  const ids = await storeStatements(context, laid, fileId)
  const stored = await storeLines(context, laid, ids, verdicts)
  await storeClearings(context, stored)
  await judgeOpenLines(context, account, false)
  context.touch(account.payer_id)
  return { success: true, message: messageOf(verdicts), id: ids.at(-1) ?? 0 }
}

async function storeFile(context: Context, { file_name, content }: SentStatement, { account, format, mapping }: Locked): Promise<number> {
  const { tx, machinery, principal } = context
  const { rows } = await sql<{
    id: number
  }>`insert into bank_statement_files (bank_account_id, file_name, format, sha256, content_encrypted,
      byte_size, created_by, created_at)
    values (${account.id}, ${file_name}, ${format}, ${hashOf(content)}, ''::bytea, ${Buffer.byteLength(content)}, ${principal.user_id}, ${now()})
    returning id`.execute(tx)
  const id = rows[0]?.id ?? 0
  const place = { table: 'bank_statement_files', column: 'content', id }
  const sealed = sealBytes(machinery.settings.secretKey, place, Buffer.from(content, 'utf8'))
  await sql`update bank_statement_files set content_encrypted = ${sealed} where id = ${id}`.execute(tx)
  if (mapping !== null)
    await sql`update bank_accounts set csv_mapping = ${JSON.stringify(mapping)}::jsonb where id = ${account.id}`.execute(tx)
  return id
}

/** @returns the ids of the statements in their order. */
async function storeStatements(context: Context, { account, statements, format }: Locked, fileId: number): Promise<number[]> {
  const rows = statements.map(rowOf)
  const { rows: made } = await sql<{
    id: number
  }>`insert into bank_statements (payer_id, bank_account_id, bank_statement_file_id, from_day, to_day,
      opening, closing, created_at)
    select ${account.payer_id}, ${account.id}, ${fileId}, from_day, to_day, opening, closing, ${now()}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as one(place int, from_day date, to_day date, opening numeric(14,2), closing numeric(14,2))
    order by place returning id`.execute(context.tx)
  const ids = made.map(({ id }) => id)
  await context.audit.many(
    ids.map((id, at) => ({
      event: 'create' as const,
      item_type: 'bank_statement',
      item_id: id,
      client_id: account.payer_id,
      changes: Object.fromEntries(
        Object.entries({ account_last4: account.last4, format, ...rows[at] }).flatMap(([key, to]) =>
          key === 'place' ? [] : [[key, { from: null, to }]],
        ),
      ),
    })),
  )
  return ids
}

const rowOf = ({ from_day, to_day, opening, closing, lines }: ReadStatement, place: number) => ({
  place,
  from_day,
  to_day,
  opening: wireOf(opening),
  closing: wireOf(closing),
  lines: lines.length,
})

/** @returns the lines that clear payments. */
async function storeLines(
  context: Context,
  { account, statements }: Locked,
  ids: readonly number[],
  verdicts: readonly LineVerdict[],
): Promise<Cleared[]> {
  const lines = statements.flatMap((statement, at) => statement.lines.map((line) => ({ line, statement_id: ids[at] ?? 0 })))
  const rows = lines.map(({ line, statement_id }, at) => storedLine(line, statement_id, verdicts[at]))
  const { rows: made } = await sql<{ id: number; place: number }>`with source as (
      select one.*, nextval(pg_get_serial_sequence('bank_statement_lines', 'id')) as id
      from jsonb_to_recordset(${JSON.stringify(rows.map((row, place) => ({ ...row, place })))}::jsonb) as one(place int, statement_id bigint, line int,
        day date, amount numeric(14,2), code text, description text, check_number text, reference text, state text, clearable_key text,
        clearable_name text, reason text)),
    made as (insert into bank_statement_lines (id, payer_id, bank_statement_id, line, day, amount, code, description, check_number, reference, state,
        clearable_key, clearable_name, reason, settled_by, settled_at, created_at)
      select id, ${account.payer_id}, statement_id, line, day, amount, code, description, check_number, reference, state, clearable_key,
        clearable_name, reason, case when state = 'matched' then ${context.principal.user_id}::bigint end,
        case when state = 'matched' then ${now()}::timestamptz end, ${now()} from source)
    select id, place from source order by place`.execute(context.tx)
  return made.flatMap(({ id, place }) => {
    const [verdict, line] = [verdicts[place], lines[place]?.line]
    return verdict?.state === 'matched' && verdict.clearable !== null && line
      ? [{ lineId: id, day: line.day, clearable: verdict.clearable }]
      : []
  })
}

function storedLine(line: ReadLine, statement_id: number, verdict: LineVerdict | undefined) {
  if (!verdict) throw new Error('a line was not judged')
  const { clearable, reason } = verdict
  return {
    ...line,
    amount: wireOf(line.amount),
    statement_id,
    state: stateOf(verdict),
    clearable_key: clearable?.key ?? null,
    clearable_name: clearable?.name ?? null,
    reason,
  }
}

function messageOf(verdicts: readonly LineVerdict[]): string {
  const of = (state: LineVerdict['state']) => verdicts.filter((one) => one.state === state).length
  const counted = (many: number, words: string) => (many === 0 ? [] : [`${many.toLocaleString('en-US')} ${words}`])
  const lines = verdicts.length === 1 ? '1 line' : `${verdicts.length.toLocaleString('en-US')} lines`
  const parts = [...counted(of('matched'), 'cleared'), ...counted(of('near'), 'proposed'), ...counted(of('unknown'), 'open')]
  return parts.length === 0 ? `Statement read: ${lines}` : `Statement read: ${lines}, ${parts.join(', ')}`
}

/** Deletes a statement and its lines while none of them is settled. Only the last one of its account: the chain keeps no gap. */
export async function discardStatement(context: Context, { id, to_day }: { readonly id: number; readonly to_day: string }) {
  const account = await lockAccount(context, await accountOfStatement(context, id))
  const { rows } = await sql<{ later: number; settled: number }>`select
      (select count(*)::int from bank_statements later where later.bank_account_id = ${account.id} and later.from_day > ${to_day}::date) as later,
      (select count(*)::int from bank_statement_lines line where line.bank_statement_id = ${id} and line.state in ('matched', 'explained')) as settled`.execute(
    context.tx,
  )
  const { later = 0, settled = 0 } = rows[0] ?? {}
  if (later > 0) throw refused('Only the last statement of an account can be discarded: discard the later ones first.', id)
  if (settled > 0)
    throw refused(
      `${settled === 1 ? '1 line is' : `${settled.toLocaleString('en-US')} lines are`} cleared or explained. Open them again first.`,
      id,
    )
  await sql`delete from bank_statement_lines where bank_statement_id = ${id}`.execute(context.tx)
  const { rows: gone } = await sql<{
    file: number
    from_day: string
    to_day: string
    opening: string
    closing: string
  }>`delete from bank_statements
    where id = ${id} returning bank_statement_file_id as file, from_day, to_day, opening::text as opening, closing::text as closing`.execute(
    context.tx,
  )
  const [row] = gone
  if (!row) throw new Error('a statement that was locked is not there')
  const { file, ...values } = row
  await sql`delete from bank_statement_files where id = ${file}
    and not exists (select 1 from bank_statements other where other.bank_statement_file_id = ${file})`.execute(context.tx)
  await context.audit.destroyed('bank_statement', id, account.payer_id, { account_last4: account.last4, ...values })
  return { success: true, message: 'Bank Statement discarded' }
}
