/** The list of bills on narrow screens: what distinguishes rows is fully readable, however long the names are. */
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { createBills } from '../../src/server/bills/bills.ts'
import { acting, makeAccount, makeGround, monthlyDraft, type Ground } from '../support/bills.ts'
import { makePerson, type Person } from '../support/app.ts'
import { startConsole } from './console.ts'
import { pictureOf } from './pictures.ts'

const ui = await startConsole()
const { db, app } = ui
let at: Ground
let admin: Person
let firstNumber: string

const longName = 'Maple Ridge Consolidated School District of the North Hills'
const numbers = ['435-641-859-6-5', '972 652 663 4852 36', '0000 1234 5678 9012 345']
/** Badges of a bill, set by hand: one bill each. */
const worn = [
  { estimated: true },
  { group: true },
  { late: true },
  { rebill: true },
  { parked: true, estimated: true },
  { qc: true },
  { group: true, estimated: true },
  { rebill: true, estimated: true, qc: true, parked: true, late: true },
  { closed: true, estimated: true },
  {},
] as const
interface Worn {
  readonly estimated?: boolean
  readonly group?: boolean
  readonly late?: boolean
  readonly rebill?: boolean
  readonly parked?: boolean
  readonly qc?: boolean
  readonly closed?: boolean
}

beforeAll(async () => {
  at = await makeGround(db)
  firstNumber = `0001234${at.clientId}`
  admin = await makePerson(db, 'super_admin')
  await sql`update clients set name = ${longName}, accounting_batch_management = true, utility_payment_management = true where id = ${at.clientId}`.execute(
    db,
  )
  await sql`update vendors set name = ${`Consolidated Edison Company of ${longName}`.slice(0, 60)} where id = ${at.vendorId}`.execute(db)
  await sql`update facilities set name = ${longName} where id = ${at.facilityId}`.execute(db)
  const [batch] = (
    await sql<{
      id: number
    }>`insert into accounting_batches (client_id, batch_code, closed, has_been_closed) values (${at.clientId}, '2026-11-A', true, true) returning id`.execute(
      db,
    )
  ).rows
  const accounts = await Promise.all(numbers.map((number) => makeAccount(db, at, number)))
  await sql`update billable_accounts set name = ${longName} where client_id = ${at.clientId}`.execute(db)
  const first = monthlyDraft(at, 1)
  const made = await acting(app.database, (context) =>
    createBills(context, at.clientId, [
      { ...first, service_bills: first.service_bills?.map((line) => ({ ...line, meter_reading: '1.00' })) ?? [] },
      ...worn.map((_, place) => ({
        ...monthlyDraft(at, place + 2),
        account_id: accounts[place % accounts.length] ?? 0,
        service_bills: [],
      })),
    ]),
  )
  const [parent = 0, ...bills] = made.map((outcome) => (outcome.kind === 'created' ? outcome.id : 0))
  for (const [place, id] of bills.entries()) {
    const wears: Worn = worn[place] ?? {}
    await sql`update bills set missing_fields = '{}', open_errors = 0, open_blocking = 0, due_date = current_date + ${wears.late ? -10 : 30}::int, rebill_adjustment = ${wears.rebill ?? false},
      parked = ${wears.parked ?? false}, qc = ${wears.qc ?? false}, group_bill_id = ${wears.group ? parent : null}::bigint, accounting_batch_id = ${wears.closed ? batch?.id : null}::bigint where id = ${id}`.execute(
      db,
    )
    if (wears.estimated)
      await sql`insert into service_bills (client_id, bill_id, service_id, estimated) values (${at.clientId}, ${id}, ${at.electricId}, true)`.execute(
        db,
      )
  }
}, 60_000)

async function openList(path: string): Promise<Page> {
  const page = await ui.open(admin)
  await page.setViewportSize({ width: 1366, height: 768 })
  await page.goto(path)
  await page
    .getByText(numbers[0] ?? '')
    .first()
    .waitFor()
  return page
}

interface Piece {
  readonly text: string
  /** True if all its letters are visible. */
  readonly whole: boolean
}

/** Reads each visible row: its account's number, its dates and amount, its flags, and the badges that fit in its cell. */
function rowsOf(page: Page): Promise<{ number: Piece; badges: Piece[]; figures: Piece[]; dots: boolean }[]> {
  return page.locator('[data-row]').evaluateAll((rows) => {
    const frame = rows[0]?.closest('[role=grid]')?.getBoundingClientRect()
    const headers = [...document.querySelectorAll('[role=columnheader]')].map((header) => header.textContent ?? '')
    const actions = document.querySelector('[data-actions]')?.closest('[role=gridcell]')?.getBoundingClientRect().left ?? 0
    const piece = (element: Element, cell: Element) => {
      const { left, right } = element.getBoundingClientRect()
      const bounds = cell.getBoundingClientRect()
      const inside = left >= bounds.left && right <= Math.min(bounds.right, actions) && right <= (frame?.right ?? 0)
      return { text: element.textContent ?? '', whole: inside && element.scrollWidth <= element.clientWidth }
    }
    return rows
      .filter((row) => row.querySelector('[data-actions]'))
      .map((row) => {
        const cells = [...row.querySelectorAll('[role=gridcell]')]
        const cellOf = (label: string) => cells[headers.findIndex((header) => header.startsWith(label))] ?? row
        const status = cellOf('Status')
        const account = cellOf('Account')
        const number = account.querySelector('span > span') ?? account
        const figures = ['Flags', 'Bill Date', 'Due Date', 'Amount Due'].map(cellOf)
        return {
          number: piece(number, account),
          badges: [...status.querySelectorAll('span > span')].flatMap((badge) =>
            getComputedStyle(badge).borderTopWidth === '1px' ? [piece(badge, status)] : [],
          ),
          figures: figures.map((cell) => piece(cell, cell)),
          dots: getComputedStyle(status).textOverflow === 'ellipsis',
        }
      })
  })
}

describe('the list of bills at 1366 pixels, with names of sixty characters', () => {
  it.each([
    ['of a client', () => `/clients/${at.clientId}/bills?per=20`],
    ['of all clients', () => '/bills?per=20'],
  ])('shows numbers, dates and amounts whole, and no badge in part: %s', async (name, path) => {
    const page = await openList(path())
    const rows = await rowsOf(page)
    expect(rows).toHaveLength(worn.length + 1)
    expect(new Set(rows.map((row) => row.number.text))).toEqual(new Set([...numbers, firstNumber]))
    for (const row of rows) {
      expect([row.number, ...row.figures].filter((one) => !one.whole)).toEqual([])
      // A second badge may not fit: the cell shows dots, and its tooltip lists all of them.
      expect(row.badges.slice(0, 1).filter((one) => !one.whole)).toEqual([])
      expect(row.dots).toBe(true)
    }
    expect(rows.map((row) => row.badges.map((one) => one.text).join(', ')).toSorted()).toEqual([
      '',
      '',
      'Estimated',
      'Estimated',
      'Estimated',
      'Estimated, Group child',
      'Group child',
      'Past due',
      'Past due',
      'Past due, Rebill/Adjustment, Estimated, QC',
      'Rebill/Adjustment',
    ])
    await pictureOf(page, `bills-${name.replaceAll(' ', '-')}-1366`)
    await page.setViewportSize({ width: 390, height: 844 })
    await pictureOf(page, `bills-${name.replaceAll(' ', '-')}-390`)
  })

  it('counts as flags what the page of the bill counts as open, with several findings of one rule', async () => {
    const { rows } = await sql<{
      id: number
      flags: number
      codes: number
    }>`select bill_id as id, count(*)::int as flags, count(distinct code)::int as codes
      from bill_findings where bill_id = (select min(id) from bills where client_id = ${at.clientId}) and resolved_at is null and severity <> 'I' group by bill_id`.execute(
      db,
    )
    const [counted = { id: 0, flags: 0, codes: 0 }] = rows
    expect(counted.flags).toBeGreaterThan(counted.codes)
    await sql`insert into bill_findings (client_id, bill_id, code, severity, message) values (${at.clientId}, ${counted.id}, 'read_gap', 'I', 'One day lies between')`.execute(
      db,
    )
    const page = await openList(`/clients/${at.clientId}/bills?per=20`)
    await page
      .getByRole('row')
      .filter({ hasText: firstNumber })
      .getByRole('link', { name: `${counted.flags} flags` })
      .click()
    await page.getByRole('heading', { name: `Findings ${counted.flags} open, 1 for information` }).waitFor()
  })

  it('says the whole account and all that a bill wears in the tips of their cells', async () => {
    const page = await openList(`/clients/${at.clientId}/bills?per=20`)
    const tips = await page.locator('[data-row] [data-tip]').evaluateAll((cells) => cells.map((cell) => cell.getAttribute('data-tip')))
    expect(tips).toContain(`${longName} (${numbers[1]})`)
    expect(tips.filter((tip) => tip?.startsWith('Parked') && tip.includes('Rebill/Adjustment, Estimated'))).toHaveLength(1)
  })
})

describe('the list of bills on a phone that is low', () => {
  it('lets the grid give way: nothing covers the second row of its buttons', async () => {
    const page = await openList(`/clients/${at.clientId}/bills?per=20`)
    await page.setViewportSize({ width: 390, height: 600 })
    await page.getByRole('button', { name: 'Export', exact: true }).click({ trial: true })
  })
})
