/** The code of a new batch from its client's pattern: the first number that no batch has. */
import { isCounting, nameOf, type NameParts } from '#contract/accounting-batches/name-pattern.ts'
import type { CalendarDate } from '#contract/kernel/date.ts'
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'

/** Maximum length of a batch code. */
const CODE_MAX = 50
/** Numbers tried at once. */
const TRIED_AT_ONCE = 500

export interface AskedCode {
  readonly clientId: number
  readonly groupId: number | null
  readonly date: CalendarDate
}

/** Returns the next code, or null if the client has no pattern or the pattern yields an empty or too long code. */
export async function nextCode(tx: Tx, { clientId, groupId, date }: AskedCode): Promise<string | null> {
  const { rows } = await sql<{ pattern: string | null; client: string; group: string | null; batches: number }>`
    select settings.batch_code_pattern as pattern, client.short_code as client, "group".name as group,
      (select count(*)::int from accounting_batches where client_id = ${clientId}) as batches
    from clients client left join client_ledger_settings settings on settings.client_id = client.id
    left join batch_groups "group" on "group".client_id = client.id and "group".id = ${groupId}::bigint
    where client.id = ${clientId}`.execute(tx)
  const [found] = rows
  if (!found?.pattern) return null
  const parts: NameParts = { client: found.client, group: found.group ?? '', date }
  // Among one more code than there are batches, at least one is free.
  for (let first = 1; first <= found.batches + 1; first += TRIED_AT_ONCE) {
    const codes = Array.from({ length: TRIED_AT_ONCE }, (_, place) => codeOf(found.pattern ?? '', parts, first + place))
    if (codes.some((code) => code === '' || code.length > CODE_MAX)) return null
    const { rows: taken } = await sql<{ code: string }>`select lower(batch_code) as code from accounting_batches
      where client_id = ${clientId} and lower(batch_code) = any(${codes.map((code) => code.toLowerCase())}::text[])`.execute(tx)
    const free = codes.find((code) => !taken.some((one) => one.code === code.toLowerCase()))
    if (free !== undefined) return free
  }
  return null
}

/** A pattern without a counter gets a number appended from the second batch on. */
function codeOf(pattern: string, parts: NameParts, number: number): string {
  const name = nameOf(pattern, { ...parts, number }).trim()
  return isCounting(pattern) || number === 1 || name === '' ? name : `${name}-${number}`
}
