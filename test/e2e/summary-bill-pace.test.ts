/** How much a summary bill of twelve subaccounts costs its clerk, by the keystroke-level model from recorded keys. */
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { makePerson, type Person } from '../support/app.ts'
import { makeAccount, makeGround, makeService, type Ground } from '../support/bills.ts'
import { clerkAt, paceTable } from '../support/clerk.ts'
import { mmdd } from '../support/clerk-papers.ts'
import { startConsole } from './console.ts'
import { tabTo } from './keys.ts'

const { db, open } = await startConsole()
const CHILDREN = 12
/** Seconds. Before there was a sheet, each subaccount was a bill in a form of its own. */
const GOAL_S = 120
const before = { keys: 0, looks: 0, seconds: 359 }
let at: Ground
let staff: Person

beforeAll(async () => {
  staff = await makePerson(db, 'super_admin')
  at = await makeGround(db)
  const groupId = await makeAccount(db, at, '770-100-200-1', { group: true })
  for (let place = 1; place <= CHILDREN; place++) {
    const account = await makeAccount(db, at, `770-100-3${String(place).padStart(2, '0')}-5`, { groupId })
    await makeService(db, at.clientId, account, 'electric', `MG-${place}`)
  }
})

/** The papers of the twelve: usage and charge of each. */
const papers = Array.from({ length: CHILDREN }, (_, place) => ({ usage: String(1000 + place * 37), charge: `${100 + place}.5` }))
/** 1,272.00: what the charges come to. */
const total = '1272'

test(
  'a summary bill of twelve subaccounts takes at most so many keys and looks, from the search of the group’s account to its stored bills, and no mouse',
  { timeout: 120_000 },
  async () => {
    const page = await open(staff, { at: `/clients/${at.clientId}/bills/new` })
    await page.getByRole('combobox').first().waitFor()
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'combobox')
    const clerk = await clerkAt(page)
    await page.keyboard.type('1002001')
    await clerk.waitFor('option')
    await page.keyboard.press('Enter')
    await clerk.waitFor('date')
    await page.keyboard.press('Alt+g')
    await clerk.waitFor('sheet')
    const cell = (row: number, column: number) => page.locator(`input[data-row="${row}"][data-column="${column}"]`)
    await page.keyboard.type(mmdd(5))
    for (const [label, text] of [
      ['Due Date', mmdd(25)],
      ['Current Charges', total],
    ] as const) {
      await tabTo(page, page.getByLabel(label))
      await page.keyboard.type(text)
    }
    await tabTo(page, cell(0, 0))
    await page.keyboard.type(mmdd(3, 3))
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type(mmdd(3))
    await page.keyboard.press('ArrowRight')
    for (const [row, { usage, charge }] of papers.entries()) {
      await page.keyboard.type(usage)
      await page.keyboard.press('ArrowRight')
      await page.keyboard.type(charge)
      if (row === CHILDREN - 1) break
      await page.keyboard.press('Enter')
      await page.keyboard.press('ArrowLeft')
    }
    await page.keyboard.press('Control+Enter')
    await clerk.waitFor('stored')
    // The account, three values of the head, two dates, and two values a subaccount.
    const now = await clerk.costs(1 + 3 + 2 + 2 * CHILDREN)
    console.log(
      `K 0.2 s, M 1.35 s, R as waited in the browser\n${paceTable([{ bill: 'summary bill of 12 children', before, goal: GOAL_S, now }])}`,
    )
    expect.soft(now.keys, 'keys').toBeLessThanOrEqual(210)
    expect.soft(now.keys * 0.2 + now.looks * 1.35, 'seconds without waiting').toBeLessThan(GOAL_S)
    expect(await page.evaluate(() => document.body.dataset['mouse'])).toBeUndefined()
    // A due date without its year is the first such day after the bill's date, as in the form of one bill.
    const { rows: head } =
      await sql`select due_date - date as days from bills where client_id = ${at.clientId} and group_bill_id is null`.execute(db)
    expect(head).toEqual([{ days: 20 }])
    const { rows } = await sql`select count(*)::int as linked, sum(bills.current_charges)::text as charges, sum(line.usage)::text as usage,
      min(line.previous_read_date)::text = max(line.previous_read_date)::text as same_from, min(line.read_date)::text = max(line.read_date)::text as same_to
    from bills join service_bills line on line.client_id = bills.client_id and line.bill_id = bills.id
    where bills.client_id = ${at.clientId} and bills.group_bill_id is not null`.execute(db)
    const usage = papers.reduce((sum, paper) => sum + Number(paper.usage), 0)
    expect(rows).toEqual([{ linked: CHILDREN, charges: `${total}.00`, usage: `${usage}.000`, same_from: true, same_to: true }])
  },
)
