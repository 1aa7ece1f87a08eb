/** The desk of the browser tests: two payers, vendors of several types, and bills that are due soon. */
import { addDays } from '#contract/kernel/date.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { sql, type Kysely } from 'kysely'
import type { Page } from 'playwright-core'
import type { Tables } from '../../src/server/kernel/postgres/database.ts'
import type { Person } from '../support/app.ts'
import { makeDeskBill, makeDeskVendor, makePayer } from '../support/desk.ts'
import { soon, type ConsoleUnderTest } from './console.ts'

export const longPayer = 'Municipal Grocers of the Upper Valley and the Western Hills'
/** The day this many days from today. */
export const dayOn = (days: number): string => addDays(todayIn(NEW_YORK, new Date()), days)
export const shownDate = (date: string): string => `${date.slice(5, 7)}/${date.slice(8)}/${date.slice(0, 4)}`

/**
 * Harbor Foods has 12 bills of City Power by check (100.25 to 111.25), one of 0.80, one of the exclusive Solo Water and one that no batch may
 * take; the grocers have three of City Power (1,000.00 to 1,002.00) and one of Valley Gas by ACH.
 */
export async function makeDesk(db: Kysely<Tables>): Promise<void> {
  const harbor = await makePayer(db)
  const grocers = await makePayer(db)
  await sql`update clients set name = 'Harbor Foods' where id = ${harbor.clientId}`.execute(db)
  await sql`update clients set name = ${longPayer} where id = ${grocers.clientId}`.execute(db)
  const city = await makeDeskVendor(db, { method: 'Check', name: 'City Power' })
  const gas = await makeDeskVendor(db, { method: 'ACH', name: 'Valley Gas' })
  const solo = await makeDeskVendor(db, { method: 'Check', name: 'Solo Water', exclusive: true })
  for (let place = 0; place < 12; place++)
    await makeDeskBill(db, harbor, city, { amount: `${100 + place}.25`, due: dayOn(place - 4), date: dayOn(-20) })
  await makeDeskBill(db, harbor, city, { amount: '0.80', due: dayOn(9), date: dayOn(-20) })
  await makeDeskBill(db, harbor, solo, { amount: '54.00', due: dayOn(10), date: dayOn(-20) })
  const held = await makeDeskBill(db, harbor, city, { amount: '77.00', due: dayOn(11), date: dayOn(-20) })
  await sql`update bills set open_errors = 1, open_blocking = 1 where client_id = ${harbor.clientId} and id = ${held}`.execute(db)
  for (let place = 0; place < 3; place++)
    await makeDeskBill(db, grocers, city, { amount: `${1000 + place}.00`, due: dayOn(place + 12), date: dayOn(-20) })
  await makeDeskBill(db, grocers, gas, { amount: '7412.10', due: dayOn(20), date: dayOn(-20) })
}

/** Resets the desk: nothing is batched, and the day's value is entered and locked; without a value, none is entered yet. */
export async function startDay({ app, db }: Pick<ConsoleUnderTest, 'app' | 'db'>, who: Person, value?: string): Promise<void> {
  await sql`update payment_batches set closed = false where is_global and not is_paid and unbatched_at is null`.execute(db)
  const { rows: live } = await sql<{ id: number }>`select id from payment_batches where is_global and not is_paid and unbatched_at is null
    order by id`.execute(db)
  for (const { id } of live) await app.ask(who, 'POST', '/global_batches/unbatch', { ids: [id] })
  // Bills keep the amounts that were entered in a batch that was unbatched.
  await sql`update bills set amount_paid = null where not paid`.execute(db)
  await sql`delete from global_batch_bank_values`.execute(db)
  if (value !== undefined)
    await sql`insert into global_batch_bank_values (day, value, locked) values (${dayOn(0)}, ${value}, true)`.execute(db)
}

export const grid = (page: Page, name: string) => page.getByRole('grid', { name, exact: true })
export const rows = (page: Page, name: string) => grid(page, name).locator('[role=row]:not([data-row="-1"])[data-row]')
export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
export const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
/** A figure in the line of the bank value. */
export const fact = (page: Page, name: string) =>
  page
    .getByRole('region', { name: 'Bank value' })
    .locator('dl > div')
    .filter({ has: page.locator('dt').getByText(name, { exact: true }) })
    .locator('dd')
/** Returns the titles of a grid's columns. */
export async function titles(page: Page, name: string): Promise<string[]> {
  // The sorted column has an arrow after its title.
  return (await grid(page, name).getByRole('columnheader').allInnerTexts()).map((text) => text.split('\n', 1)[0]?.trim() ?? '')
}
/** Returns the text of one column, row by row. */
export async function column(page: Page, name: string, title: string): Promise<string[]> {
  const place = (await titles(page, name)).indexOf(title)
  return rows(page, name).evaluateAll(
    (found, col) => found.map((row) => row.querySelector(`[data-col="${col}"]`)?.textContent?.trim() ?? ''),
    place,
  )
}

/** Waits until the list has this many rows. */
export async function hasRows(page: Page, name: string, count: number): Promise<void> {
  await soon(() => rows(page, name).count()).toBe(count)
}
