/** What reading a statement file would store: its statements, what each line is, or every fault of the file. Nothing is stored here. */
import type { PlannedLine, SentStatement } from '#contract/bank-statements/bank-statement.ts'
import { matchLines, type LineVerdict } from '#contract/bank-statements/match-lines.ts'
import type { ReadLine, ReadStatement } from '#contract/bank-statements/read-statement.ts'
import { wireOf } from '#contract/kernel/money.ts'
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { nameOfUser } from '../kernel/lists/name-of-user.ts'
import { readGround } from './account-payments.ts'
import { accountOfProfile, type BankAccount } from './bank-account.ts'
import { numbersOf, stateOf } from './clear-lines.ts'
import { readFile, type ReadFile } from './read-file.ts'
import { chainFaults, readChain, readWords } from './statement-chain.ts'

export const hashOf = (content: string): Buffer => createHash('sha256').update(content, 'utf8').digest()

export interface LaidFile extends ReadFile {
  readonly account: BankAccount
  readonly opening_is_known: boolean
}

/** Reads the file against the account of its profile and the statements that are stored. */
export async function layFile(context: Context, sent: SentStatement, { account, number }: OfProfile): Promise<LaidFile> {
  const chain = await readChain(context, account.id)
  const last = chain.at(-1)
  const read = readFile(sent, { account, number, closing: last?.closing ?? null })
  const before = await readBefore(context, account, hashOf(sent.content))
  const faults = before === null ? [...read.faults, ...chainFaults(chain, read.statements)] : [`This file was read already: ${before}.`]
  return { ...read, account, faults, opening_is_known: last !== undefined }
}

export type OfProfile = Awaited<ReturnType<typeof accountOfProfile>>

export async function previewFile(context: Context, sent: SentStatement) {
  const laid = await layFile(context, sent, await accountOfProfile(context, sent.originating_profile_id))
  const { account, format, faults, headings, mapping, opening_is_known } = laid
  const statements = faults.length > 0 ? [] : await plannedStatements(context, account, laid.statements)
  return {
    bank_name: account.bank_name,
    account_last4: account.last4,
    format,
    faults: [...faults],
    headings: [...headings],
    mapping,
    opening_is_known,
    statements,
  }
}

async function plannedStatements(context: Context, account: BankAccount, statements: readonly ReadStatement[]) {
  const lines = statements.flatMap((one) => one.lines)
  const verdicts = matchLines(lines, await readGround(context, account, numbersOf(lines)))
  let at = 0
  return statements.map(({ from_day, to_day, opening, closing, lines: own }) => ({
    from_day,
    to_day,
    opening: wireOf(opening),
    closing: wireOf(closing),
    lines: own.map((line) => plannedOf(line, verdicts[at++])),
  }))
}

function plannedOf({ line, day, amount, description, check_number, reference }: ReadLine, verdict: LineVerdict | undefined): PlannedLine {
  if (!verdict) throw new Error('a line was not judged')
  const { clearable, reason } = verdict
  return {
    line,
    day,
    amount: wireOf(amount),
    description,
    check_number,
    reference,
    state: stateOf(verdict),
    clearable_name: clearable?.name ?? null,
    reason,
  }
}

async function readBefore({ tx }: Context, { id }: BankAccount, sha256: Buffer): Promise<string | null> {
  const { rows } = await sql<{
    at: string
    by: string | null
    file_name: string
  }>`select file.created_at as at, ${nameOfUser('author')} as by,
      file.file_name
    from bank_statement_files file left join users author on author.id = file.created_by
    where file.bank_account_id = ${id} and file.sha256 = ${sha256}`.execute(tx)
  return rows[0] ? readWords(rows[0]) : null
}
