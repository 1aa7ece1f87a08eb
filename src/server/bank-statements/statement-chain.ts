/** The statements of an account are a chain: no day is read twice, and each opens with what the one before it closed with. */
import type { ReadStatement } from '#contract/bank-statements/read-statement.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { centsOf, formatMoney, wireOf, type Cents } from '#contract/kernel/money.ts'
import { formatInstant } from '#contract/kernel/zone.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { nameOfUser } from '../kernel/lists/name-of-user.ts'

export interface ChainLink {
  readonly from_day: string
  readonly to_day: string
  readonly opening: Cents
  readonly closing: Cents
  /** When and by whom it was read; null for a statement of the file that is being read. */
  readonly read: string | null
}

/** In the order of days. */
export async function readChain({ tx }: Context, accountId: number | null): Promise<ChainLink[]> {
  const { rows } = await sql<{
    from_day: string
    to_day: string
    opening: string
    closing: string
    at: string
    by: string | null
    file_name: string
  }>`select statement.from_day, statement.to_day, statement.opening::text as opening, statement.closing::text as closing,
      file.created_at as at, ${nameOfUser('author')} as by, file.file_name
    from bank_statements statement join bank_statement_files file on file.id = statement.bank_statement_file_id
    left join users author on author.id = file.created_by
    where statement.bank_account_id = ${accountId} order by statement.from_day, statement.id`.execute(tx)
  return rows.map(({ opening, closing, at, by, file_name, ...days }) => ({
    ...days,
    opening: centsOf(opening),
    closing: centsOf(closing),
    read: readWords({ at, by, file_name }),
  }))
}

/** '11/25/2026 10:00 AM New York by Pat Doe, as statement.csv'. */
export const readWords = ({ at, by, file_name }: { at: string; by: string | null; file_name: string }): string =>
  `${formatInstant(new Date(at))} by ${by ?? 'somebody'}, as ${file_name}`

/** @returns why these statements do not fit between the stored ones. */
export function chainFaults(chain: readonly ChainLink[], statements: readonly ReadStatement[]): string[] {
  const fresh = statements.map(({ from_day, to_day, opening, closing }): ChainLink => ({ from_day, to_day, opening, closing, read: null }))
  const all = [...chain, ...fresh].toSorted((a, b) => (a.from_day < b.from_day ? -1 : a.from_day > b.from_day ? 1 : 0))
  return all.flatMap((link, at) => {
    const before = all[at - 1]
    return before && (link.read === null || before.read === null) ? (linkFault(before, link) ?? []) : []
  })
}

function linkFault(before: ChainLink, link: ChainLink): string | null {
  if (link.from_day <= before.to_day) {
    const read = link.read ?? before.read
    return `${daysOf(link)} and ${daysOf(before)} overlap. A day is read once${read === null ? '' : `, and was read on ${read}`}.`
  }
  if (link.opening === before.closing) return null
  return `The statement of ${daysOf(link)} opens with ${said(link.opening)}, and the one before it, of ${daysOf(before)}, closes with ${said(before.closing)}. One between them is missing.`
}

const daysOf = ({ from_day, to_day }: ChainLink): string =>
  from_day === to_day ? formatDate(from_day) : `${formatDate(from_day)} to ${formatDate(to_day)}`
const said = (cents: Cents): string => formatMoney(wireOf(cents))
