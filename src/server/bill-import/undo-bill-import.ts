/** Undoes the import of bills, as long as none of them has been touched. */
import { sql } from 'kysely'
import { destroyBills, lockAccountsOfBills } from '../bills/bills.ts'
import type { Context } from '../kernel/context.ts'
import { refusingTable, sqlState } from '../kernel/postgres/database.ts'
import type { ImportWork } from '../kernel/imports/import-worker.ts'
import { refused } from '../kernel/problem.ts'

/** Bills deleted at once; the latest first, since a correction refers to the bill it replaced. */
const atOnce = 500

/**
 * Throws a refusal that names the line and the obstacle.
 * @returns how many bills were deleted.
 */
export async function undoBillImport(
  context: Context,
  { importId, clientId, reach }: Pick<ImportWork, 'importId' | 'clientId' | 'reach'>,
): Promise<number> {
  const own = { ...context, principal: context.principal, reach }
  await lockAccountsOfBills(own, clientId, await madeIds(context, importId))
  const made = await madeBills(context, importId, clientId)
  const lineOf = new Map(made.map(({ id, line }) => [id, line]))
  const nameOf = (id: number): string => `Bill ${id} (line ${lineOf.get(id) ?? ''} of the file)`
  for (const bill of made) {
    if (bill.is_gone) throw refused(`${nameOf(bill.id)} was deleted since the import.`)
    if (bill.is_changed) throw refused(`${nameOf(bill.id)} was changed since the import.`)
    if (bill.is_seen) throw refused(`Somebody has worked on the findings of ${nameOf(bill.id)}.`)
  }
  try {
    for (let end = made.length; end > 0; end -= atOnce) {
      const ids = made.slice(Math.max(0, end - atOnce), end).map(({ id }) => id)
      await destroyBills(own, clientId, ids, nameOf)
    }
  } catch (error) {
    if (sqlState(error) !== '23503') throw error
    throw refused(
      `Bills that the import created are in use: ${refusingTable(error)?.replaceAll('_', ' ') ?? 'other records'} depend on them.`,
    )
  }
  return made.length
}

async function madeIds({ tx }: Context, importId: number): Promise<number[]> {
  const { rows } = await sql<{
    item_id: number
  }>`select item_id from import_outcomes where import_id = ${importId} and action = 'create' and item_id is not null`.execute(tx)
  return rows.map(({ item_id }) => item_id)
}

interface Made {
  readonly id: number
  readonly line: number
  readonly is_gone: boolean
  readonly is_changed: boolean
  /** True if a user has assigned, commented or resolved one of its findings. */
  readonly is_seen: boolean
}

/** Returns the bills in the order of creation. A replacement by the same import does not count as a change. */
async function madeBills({ tx }: Context, importId: number, clientId: number): Promise<Made[]> {
  const { rows } =
    await sql<Made>`with made as materialized (select line, item_id from import_outcomes where import_id = ${importId} and action = 'create'),
    held as materialized (select id, lock_version, superseded_by_id from bills where client_id = ${clientId} and id in (select item_id from made) order by id for update)
    select made.item_id as id, made.line, held.id is null as is_gone,
      coalesce(held.lock_version, 0) > (case when held.superseded_by_id in (select item_id from made) then 1 else 0 end) as is_changed,
      exists (select from bill_findings finding where finding.client_id = ${clientId} and finding.bill_id = made.item_id and (finding.resolved_by is not null or finding.assigned_to is not null
        or exists (select from bill_finding_events event where event.client_id = finding.client_id and event.finding_id = finding.id and event.user_id is not null))) as is_seen
    from made left join held on held.id = made.item_id order by made.item_id`.execute(tx)
  return rows
}
