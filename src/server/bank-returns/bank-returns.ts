/** Return files of banks: each is read once, matched with the payments, and applied. The front door of the slice. */
import { createHash } from 'node:crypto'
import { bankReturn, bankReturnCalls, type PlannedReturn } from '#contract/bank-returns/bank-return.ts'
import { formatMoney, sumMoney, wireOf } from '#contract/kernel/money.ts'
import { formatInstant } from '#contract/kernel/zone.ts'
import { readReturns, type ReadReturns } from '#contract/payment-files/nacha-returns.ts'
import { bankCodes, unknownCodeWords } from '#contract/payment-files/return-codes.ts'
import { sql } from 'kysely'
import { handleProven } from '../access/access.ts'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { askedBy, exportHandler, listHandler, resource } from '../kernel/lists/resource.ts'
import { storedRow } from '../kernel/lists/save.ts'
import { invalid, refused } from '../kernel/problem.ts'
import { openBytes, sealBytes } from '../kernel/secret.ts'
import { applyReturns } from './apply-returns.ts'
import { layReturns, plannedOf, type LaidReturn } from './plan-returns.ts'
import { nameOfUser } from '../kernel/lists/name-of-user.ts'

const words = sql.join(
  bankCodes.map(({ code, words: said }) => sql`when ${sql.lit(code)} then ${sql.lit(said)}`),
  sql` `,
)
const nameOf = (user: string) => sql`${nameOfUser(user)} collate natural_order`

const bankReturns = resource({
  entity: bankReturn,
  table: 'bank_returns',
  scope: { client: sql.ref('bank_returns.payer_id'), levels: {} },
  joins: {
    file: sql`join bank_return_files file on file.id = bank_returns.bank_return_file_id`,
    client: sql`left join clients client on client.id = bank_returns.payer_id`,
    vendor: sql`left join vendors vendor on vendor.id = bank_returns.vendor_id`,
    author: sql`left join bank_return_files author_file on author_file.id = bank_returns.bank_return_file_id
      left join users author on author.id = author_file.created_by`,
  },
  columns: {
    lock_version: { sql: sql`0` },
    code_words: { sql: sql`(case bank_returns.code ${words} else ${sql.lit(unknownCodeWords)} end) collate natural_order` },
    client_id: { sql: sql`nullif(bank_returns.payer_id, 0)` },
    payer_name: { sql: sql`client.name`, joins: ['client'] },
    vendor_name: { sql: sql`vendor.name`, joins: ['vendor'] },
    payment_name: { sql: sql`('VP-' || bank_returns.vendor_payment_id) collate natural_order` },
    bank_name: { sql: sql`file.bank_name`, joins: ['file'] },
    file_day: { sql: sql`file.file_day`, joins: ['file'] },
    file_name: { sql: sql`file.file_name`, joins: ['file'] },
    created_by_name: { sql: nameOf('author'), joins: ['author'] },
  },
  search: ['file_name', 'payer_name', 'vendor_name', 'receiver'],
})

export const bankReturnHandlers: readonly Handler[] = [
  listHandler(bankReturnCalls.list, bankReturns),
  exportHandler(bankReturnCalls.exportCsv, bankReturns),
  handle(bankReturnCalls.preview, async (context, { body }) => {
    const read = readOrRefuse(body.content)
    const laid = await layReturns(context, read.returns)
    const entries = laid.map(plannedOf)
    return {
      bank_name: read.bank,
      file_day: read.day,
      read_before: await readBefore(context, hashOf(body.content)),
      entries,
      total: sumMoney(entries.filter(isMoneyBack).map(({ amount }) => amount)),
    }
  }),
  handleProven(bankReturnCalls.read, (context, { body }) => readReturnFile(context, body)),
  handleProven(bankReturnCalls.apply, async (context, { params }) => {
    const row = await storedRow(context, bankReturns, params.id, askedBy(context, {}), true)
    if (row.state !== 'left') throw refused(`Only an entry that was left out can be applied. ${row.outcome}`, row.id)
    const { entry, day } = await entryOf(context, row.id)
    const [laid] = await applyReturns(context, [entry], { lines: new Set([entry.line]), day })
    if (laid?.state !== 'applied') throw refused(laid?.outcome ?? 'It cannot be applied any more.', row.id)
    await sql`update bank_returns set state = 'applied', outcome = ${laid.outcome}, applied_by = ${context.principal.user_id}, applied_at = ${now()}
      where id = ${row.id}`.execute(context.tx)
    await context.audit.updated('bank_return', row.id, row.client_id ?? 0, { state: { from: 'left', to: 'applied' } })
    return { success: true, message: laid.outcome, id: row.id }
  }),
]

/** Stores the file with its entries, and applies those of the lines. */
export async function readReturnFile(
  context: Context,
  body: { readonly file_name: string; readonly content: string; readonly lines: readonly number[] },
) {
  const read = readOrRefuse(body.content)
  const strange = body.lines.find((line) => !read.returns.some((entry) => entry.line === line))
  if (strange !== undefined) throw invalid({ lines: [`Line ${strange} of this file is no return and no notice of change`] })
  const fileId = await storeFile(context, body, read)
  const laid = await applyReturns(context, read.returns, { lines: new Set(body.lines), day: read.day })
  await storeEntries(context, fileId, laid)
  const entries = laid.map(plannedOf)
  return { success: true, message: messageOf(entries), entries }
}

const isMoneyBack = ({ state, kind }: PlannedReturn): boolean => state === 'left' && kind === 'return'
const hashOf = (content: string): Buffer => createHash('sha256').update(content, 'utf8').digest()

function readOrRefuse(content: string): ReadReturns {
  const answer = readReturns(content)
  if (!('read' in answer)) throw invalid({ content: [...answer.faults] })
  if (answer.read.returns.length === 0) throw invalid({ content: ['This file holds no return and no notice of change.'] })
  return answer.read
}

/** '11/25/2026 10:00 AM New York by Pat Doe, as returns.ach'. */
async function readBefore({ tx }: Context, sha256: Buffer): Promise<string | null> {
  const { rows } = await sql<{ file_name: string; created_at: string; author: string | null }>`select file.file_name, file.created_at,
      ${nameOf('author')} as author from bank_return_files file left join users author on author.id = file.created_by
    where file.sha256 = ${sha256}`.execute(tx)
  const [row] = rows
  return row ? `${formatInstant(new Date(row.created_at))} by ${row.author ?? 'somebody'}, as ${row.file_name}` : null
}

/** Throws 409 where the same bytes were read before: of two at once, the second waits for the first. */
async function storeFile(
  context: Context,
  { file_name, content }: { file_name: string; content: string },
  read: ReadReturns,
): Promise<number> {
  const { tx, machinery, principal } = context
  const sha256 = hashOf(content)
  const { rows } = await sql<{
    id: number
  }>`insert into bank_return_files (file_name, bank_name, file_day, sha256, content_encrypted, byte_size, created_by, created_at)
    values (${file_name}, ${read.bank}, ${read.day}::date, ${sha256}, ''::bytea, ${Buffer.byteLength(content)}, ${principal.user_id}, ${now()})
    on conflict (sha256) do nothing returning id`.execute(tx)
  const id = rows[0]?.id
  if (id === undefined) throw refused(`This file was read already: ${(await readBefore(context, sha256)) ?? 'a moment ago'}.`)
  const sealed = sealBytes(
    machinery.settings.secretKey,
    { table: 'bank_return_files', column: 'content', id },
    Buffer.from(content, 'utf8'),
  )
  await sql`update bank_return_files set content_encrypted = ${sealed} where id = ${id}`.execute(tx)
  await context.audit.created('bank_return_file', id, 0, {
    file_name,
    bank_name: read.bank,
    file_day: read.day,
    entries: read.returns.length,
  })
  return id
}

async function storeEntries(context: Context, fileId: number, laid: readonly LaidReturn[]): Promise<void> {
  const rows = laid.map(({ entry, sent, state, outcome }) => ({
    line: entry.line,
    kind: entry.kind,
    code: entry.code,
    original_trace: entry.original_trace,
    trace: entry.trace,
    amount: wireOf(entry.amount),
    receiver: entry.receiver,
    remark: entry.remark,
    payer_id: sent?.client_id ?? 0,
    vendor_id: sent?.vendor_id ?? null,
    vendor_payment_id: sent?.vendor_payment_id ?? null,
    payment_batch_id: sent?.payment_batch_id ?? null,
    global_batch_file_payment_id: sent?.id ?? null,
    state,
    outcome,
  }))
  await sql`insert into bank_returns (bank_return_file_id, line, kind, code, original_trace, trace, amount, receiver, remark, payer_id, vendor_id,
      vendor_payment_id, payment_batch_id, global_batch_file_payment_id, state, outcome, applied_by, applied_at, created_at)
    select ${fileId}, line, kind, code, original_trace, trace, amount, receiver, remark, payer_id, vendor_id, vendor_payment_id, payment_batch_id,
      global_batch_file_payment_id, state, outcome, case when state = 'applied' then ${context.principal.user_id}::bigint end,
      case when state = 'applied' then ${now()}::timestamptz end, ${now()}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as one(line int, kind text, code text, original_trace text, trace text, amount numeric(14,2),
      receiver text, remark text, payer_id bigint, vendor_id bigint, vendor_payment_id bigint, payment_batch_id bigint,
      global_batch_file_payment_id bigint, state text, outcome text) order by line`.execute(context.tx)
  for (const payer of new Set(rows.map(({ payer_id }) => payer_id))) context.touch(payer)
}

/** The entry of a row, read again from the file that is kept. */
async function entryOf({ tx, machinery }: Context, id: number) {
  const { rows } = await sql<{
    line: number
    file: number
    sealed: Buffer
  }>`select bank_returns.line, file.id as file, file.content_encrypted as sealed
    from bank_returns join bank_return_files file on file.id = bank_returns.bank_return_file_id where bank_returns.id = ${id}`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('an entry that was read is not there')
  const bytes = openBytes(machinery.settings.secretKey, { table: 'bank_return_files', column: 'content', id: row.file }, row.sealed)
  const read = readOrRefuse(bytes.toString('utf8'))
  const entry = read.returns.find(({ line }) => line === row.line)
  if (!entry) throw new Error('a file that was read no longer has its entry')
  return { entry, day: read.day }
}

/** '2 returns applied, $303.00 reopened · 1 change waits for a second person · 1 matches nothing'. */
function messageOf(entries: readonly PlannedReturn[]): string {
  const of = (state: PlannedReturn['state'], kind?: PlannedReturn['kind']) =>
    entries.filter((entry) => entry.state === state && (kind === undefined || entry.kind === kind))
  const back = of('applied', 'return')
  const count = (many: number, one: string, more: string) =>
    many === 0 ? [] : [`${many.toLocaleString('en-US')} ${many === 1 ? one : more}`]
  const parts = [
    ...count(back.length, 'return', 'returns').map(
      (said) => `${said} applied, ${formatMoney(sumMoney(back.map(({ amount }) => amount)))} open again`,
    ),
    ...count(of('applied', 'notice').length, 'change waits for a second person', 'changes wait for a second person'),
    ...count(of('left').length, 'left out', 'left out'),
    ...count(of('unmatched').length, 'matches nothing', 'match nothing'),
    ...count(of('repeated').length, 'known already', 'known already'),
    ...count(of('by_hand').length, 'to be done by hand', 'to be done by hand'),
  ]
  return `File read: ${parts.join(' · ')}`
}
