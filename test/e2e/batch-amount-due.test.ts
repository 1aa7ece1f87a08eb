/** The bills of a global batch in the built console: only what was typed is saved, and not under another amount due than was shown. */
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { makePerson, type Person } from '../support/app.ts'
import { makeDeskBill, makeDeskVendor, makePayer } from '../support/desk.ts'
import { soon, startConsole } from './console.ts'
import { button, dayOn, rows, startDay } from './desk-ground.ts'
import { lookedAt } from './looked-at.ts'

const console_ = await startConsole()
const { app, db, open } = console_
const WORK_MS = 120_000
let admin: Person

beforeAll(async () => {
  admin = await makePerson(db, 'super_admin')
})

test(
  'an amount typed under an amount due that has changed is refused, its row says so, and the bill that nobody typed is not sent',
  { timeout: WORK_MS },
  async () => {
    const payer = await makePayer(db)
    const vendor = await makeDeskVendor(db, { method: 'Check', name: 'City Power' })
    const bill = (amount: string, days: number) => makeDeskBill(db, payer, vendor, { amount, due: dayOn(days), date: dayOn(-20) })
    const [typed, other] = [await bill('100.00', 3), await bill('7.00', 4)]
    await startDay(console_, admin, '5000.00')
    const made = await app.ask(admin, 'POST', '/global_batches', {
      global_batch: { bill_ids: [typed, other], batch_date: dayOn(0), bills_due_date: dayOn(14) },
    })
    expect(made.status, made.text).toBe(200)
    const page = await open(admin, { at: `/global_batch/view/${String(made.body['id'])}/bills`, mayComplain: true })
    await soon(() => rows(page, 'Batch Bills').count()).toBe(2)
    const { rows: accounts } = await sql<{ account_number: string }>`select account_number from bills where id = ${typed}`.execute(db)
    const first = rows(page, 'Batch Bills').filter({ hasText: accounts[0]?.account_number ?? '' })
    const type = async (shown: string) => {
      await first.getByRole('gridcell').filter({ hasText: shown }).last().dblclick()
      await page.keyboard.press('Control+a')
      await page.keyboard.type('90')
      await page.keyboard.press('Enter')
    }
    await type('$100.00')
    await page.getByText(/\$97\.00 · not saved yet/).waitFor()
    await sql`update bills set current_charges = 1000, amount_due = 1000 where id = ${typed}`.execute(db)
    const sent: unknown[] = []
    page.on('request', (request) => {
      if (request.method() === 'PATCH') sent.push(request.postDataJSON())
    })
    await button(page, 'Update Batch').click()
    await soon(() => first.innerText()).toContain('now $1,000.00')
    await page
      .getByText(/\$1,000\.00 is due now, not \$100\.00/)
      .first()
      .waitFor()
    expect(sent).toMatchObject([{ global_batch: { bills_attributes: [{ id: typed, amount_paid: '90.00', amount_due: '100.00' }] } }])
    await lookedAt(page, 'batch-bills-amount-due-changed-dark')
    await type('$90.00')
    await soon(() => first.innerText()).not.toContain('now $')
    await button(page, 'Update Batch').click()
    await soon(
      async () => (await sql<{ amount_paid: string }>`select amount_paid::text from bills where id = ${typed}`.execute(db)).rows,
    ).toEqual([{ amount_paid: '90.00' }])
  },
)
