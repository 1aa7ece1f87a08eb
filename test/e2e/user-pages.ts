/** Shared helpers for the tests of users and of their roles. */
import { sql, type Kysely } from 'kysely'
import type { Page } from 'playwright-core'
import type { Tables } from '../../src/server/kernel/postgres/database.ts'
import { counter } from '../support/counter.ts'

interface Wished {
  readonly first_name?: string
  readonly last_name?: string
  readonly status?: 'active' | 'in_active'
  readonly account_confirmed?: boolean
}

const count = counter()
/** Makes a user without a session, named so that one filter finds only them. */
export async function makeUser(db: Kysely<Tables>, values: Wished = {}): Promise<{ id: number; email: string; username: string }> {
  const number = count.next()
  const email = `user${number}@people.test`
  const username = `name${number}`
  const { first_name = 'Rosa', last_name = 'Delgado', status = 'active', account_confirmed = true } = values
  const made = await sql<{ id: number }>`insert into users (email, username, first_name, last_name, title, status, account_confirmed)
    values (${email}, ${username}, ${first_name}, ${last_name}, 'Controller', ${status}, ${account_confirmed}) returning id`.execute(db)
  return { id: made.rows[0]?.id ?? 0, email, username }
}

export const rows = (page: Page) => page.getByRole('grid').locator('[role=rowgroup]').nth(1).getByRole('row')
export const rowOf = (page: Page, text: string) => rows(page).filter({ hasText: text })
export const columns = async (page: Page) =>
  (await page.getByRole('columnheader').allInnerTexts()).map((text) => text.split('\n')[0]?.trim() ?? '').filter((text) => text !== '')
export const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()
export const menuOf = async (page: Page, text: string) => {
  await rowOf(page, text)
    .getByRole('button', { name: /^Actions/ })
    .click()
  await page.getByRole('menu').waitFor()
  return page.getByRole('menuitem').allInnerTexts()
}
export const choose = (page: Page, item: string) => page.getByRole('menuitem', { name: item, exact: true }).click()
