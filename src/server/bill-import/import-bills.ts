/** Checks and stores the rows of a bills file, some accounts at a time. */
import { billsImport } from '#contract/bill-import/import-bills.ts'
import { sql } from 'kysely'
import { today } from '../kernel/clock.ts'
import { closestNames } from '../kernel/lists/closest-names.ts'
import type { Context } from '../kernel/context.ts'
import { writeOutcomes, type ImportWork, type ImportWorked } from '../kernel/imports/import-worker.ts'
import { scopeCondition } from '../kernel/lists/list.ts'
import { refreshFactsOfBills } from '../month-facts/month-facts.ts'
import { rehearse } from '../kernel/imports/rehearse.ts'
import { billableAccountScope, supplyAccountScope } from '../estate/estate.ts'
import { importGroups } from './import-groups.ts'
import { forgetPlaces, placeRows } from './place-rows.ts'
import { entryFieldNames } from './read-accounts.ts'
import { readGroups } from './read-groups.ts'

/** Bills whose months are computed together. */
const countedTogether = 5_000
/** Most numbers for which suggestions are searched. */
const namesMax = 50

export async function importBills(context: Context, work: ImportWork): Promise<ImportWorked> {
  const { importId, clientId, isStoring, taskId, signal } = work
  const { tx } = context
  await forgetPlaces(context)
  await placeRows(context, work)
  const terms = { today: today(), import_task_id: taskId, entry_fields: await entryFieldNames(tx) }
  const made: number[] = []
  let done = 0
  for await (const groups of readGroups(context, importId)) {
    signal.throwIfAborted()
    const run = (inside: Context) => importGroups(inside, clientId, groups, { terms, isStoring, made })
    await writeOutcomes(tx, importId, isStoring ? await run(context) : await rehearse(context, run))
    done += groups.reduce((sum, { rows }) => sum + rows.length, 0)
    work.progress(done)
  }
  if (isStoring) await countMonths(context, clientId, made)
  return { suggestions: await suggestions(context, work) }
}

/**
 * Computes the months of all created bills together. Statistics of the tables filled by this transaction must be refreshed first, or the planner
 * takes them for empty.
 */
async function countMonths({ tx }: Context, clientId: number, made: readonly number[]): Promise<void> {
  if (made.length === 0) return
  await sql`analyze bills, service_bills, service_bill_entry_values`.execute(tx)
  for (let start = 0; start < made.length; start += countedTogether)
    await refreshFactsOfBills(tx, clientId, made.slice(start, start + countedTogether))
}

/** Returns the closest account numbers and vendors for names that match nothing. */
async function suggestions({ tx }: Context, { importId, clientId, reach }: ImportWork): Promise<ImportWorked['suggestions']> {
  const { rows } = await sql<{
    column: string
    name: string
  }>`select error ->> 'c' as column, error ->> 'n' as name from import_outcomes, jsonb_array_elements(errors) error
    where import_id = ${importId} and errors is not null and error ? 'n' group by 1, 2 order by count(*) desc, 1, 2 limit ${namesMax}`.execute(
    tx,
  )
  const namesOf = (column: string): string[] => rows.flatMap((row) => (row.column === column ? [row.name] : []))
  const inside = (scope: typeof billableAccountScope) => scopeCondition({ scope }, { reach, clientId })
  const number = sql`account_number`
  const [numberColumn, vendorColumn] = billsImport.columns.map(({ name }) => name)
  const found: Record<string, Record<string, string[]>> = {}
  const numbers = namesOf(numberColumn ?? '')
  if (numbers.length > 0) {
    const supply = await closestNames(tx, { table: 'supply_accounts', by: number, where: inside(supplyAccountScope) }, numbers)
    const billable = await closestNames(tx, { table: 'billable_accounts', by: number, where: inside(billableAccountScope) }, numbers)
    found[numberColumn ?? ''] = { ...supply, ...billable }
  }
  const vendors = namesOf(vendorColumn ?? '')
  if (vendors.length > 0)
    found[vendorColumn ?? ''] = await closestNames(
      tx,
      { table: 'vendors', by: sql`short_code`, where: sql`short_code is not null` },
      vendors,
    )
  return found
}
