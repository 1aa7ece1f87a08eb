/** Corrections, duplicates, versions and groups of bills in the console, and the lists of bills under supply and group supply accounts. */
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { BillDraft } from '#contract/bills/bill-draft.ts'
import { fullStatuses } from '#contract/bills/bill-status.ts'
import { createBills } from '../../src/server/bills/bills.ts'
import { makePerson, type Person } from '../support/app.ts'
import { acting, makeAccount, makeGround, makeService, makeSupplyAccount, monthlyDraft, type Ground } from '../support/bills.ts'
import { addressOf, soon, startConsole } from './console.ts'
import { lookedAt } from './looked-at.ts'

const { db, app, open } = await startConsole()
let at: Ground
let admin: Person
let supply: number
let groupSupply: number
let group: number
let ids: Record<'original' | 'double' | 'plain' | 'parent' | 'child' | 'supplied' | 'shown' | 'spare' | 'twin', number>

const bills = (): string => `/clients/${at.clientId}/bills`

beforeAll(async () => {
  at = await makeGround(db)
  await sql`update clients set name = 'Harvest Lane', accounting_batch_management = true, utility_payment_management = true where id = ${at.clientId}`.execute(
    db,
  )
  admin = await makePerson(db, 'super_admin')
  const made = await db.transaction().execute(async (tx) => {
    const group = await makeAccount(tx, at, 'GROUP-1', { group: true })
    const supplyId = await makeSupplyAccount(tx, at, 'SUPPLY-1')
    const groupOfSupply = await makeSupplyAccount(tx, at, 'SUPPLY-GROUP')
    await sql`update supply_accounts set is_group_account = true where id = ${groupOfSupply}`.execute(tx)
    await sql`update supply_accounts set group_supply_account_id = ${groupOfSupply} where id = ${supplyId}`.execute(tx)
    return { group, supplyId, groupOfSupply, meter: await makeService(tx, at.clientId, supplyId, 'electric', 'S-1', 'supply_account_id') }
  })
  supply = made.supplyId
  groupSupply = made.groupOfSupply
  group = made.group
  const store = async (...drafts: BillDraft[]): Promise<number[]> => {
    const outcomes = await acting(app.database, (context) => createBills(context, at.clientId, drafts))
    return outcomes.map((outcome) => {
      if (outcome.kind !== 'created') throw new Error(JSON.stringify(outcome))
      return outcome.id
    })
  }
  const [first = 0, second = 0, third = 0] = await store(
    monthlyDraft(at, 1),
    monthlyDraft(at, 2),
    monthlyDraft(at, 3, { due_date: '2025-04-20' }),
  )
  const again = { override_reason: 'Sent twice' }
  const [double = 0] = await store(monthlyDraft(at, 2, { ...again, date: '2025-03-06' }))
  const [twin = 0] = await store(monthlyDraft(at, 3, { invoice_number: 'INV-3B', date: '2025-04-06', due_date: '2025-04-21' }))
  const [parent = 0] = await store({
    ...monthlyDraft(at, 6),
    account_id: made.group,
    service_bills: [],
    invoice_number: 'P',
    current_charges: '160.00',
    amount_due: '160.00',
  })
  const [child = 0] = await store(monthlyDraft(at, 6, { group_bill_id: parent }))
  const [supplied = 0] = await store({
    ...monthlyDraft(at, 8),
    account_type: 'SupplyAccount',
    account_id: supply,
    invoice_number: 'S',
    amount_due: '999.00',
    service_bills: [
      {
        service_id: made.meter,
        previous_read_date: '2025-08-01',
        read_date: '2025-09-01',
        usage: '900',
        service_bill_entry_fields: [{ name: 'Supply Charges', value: '158.00' }],
      },
    ],
  })
  const { rows } = await sql<{ id: number }>`select id from service_bills where bill_id = ${supplied}`.execute(db)
  const [shown = 0] = await store(monthlyDraft(at, 8, { linked_service_bill_ids: [rows[0]?.id ?? 0] }))
  ids = { original: first, plain: second, double, spare: third, twin, parent, child, supplied, shown }
}, 60_000)

const statusOf = async (id: number) => {
  const { rows } = await sql<{
    superseded_by_id: number | null
    rebill_of_id: number | null
  }>`select superseded_by_id, rebill_of_id from bills where id = ${id}`.execute(db)
  return rows[0]
}
const rows = (page: Page) => page.getByRole('grid').locator('[role=rowgroup]').nth(1).getByRole('row')

describe('a correction', () => {
  it('starts from its bill, says what it changes before it is saved, is asked about while it changes nothing, and leaves the old bill void, struck and linked both ways', async () => {
    const page = await open(admin, { at: `${bills()}/${ids.original}` })
    await page.getByRole('link', { name: 'Rebill' }).waitFor()
    await page.keyboard.press('Shift+R')
    const panel = page.getByRole('region', { name: 'Correction', exact: true })
    await panel.waitFor()
    expect(await panel.getByRole('radio', { name: /Replaces it/ }).isChecked()).toBe(true)
    await panel.getByText('Nothing differs').waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByRole('button', { name: 'Save the same bill again' }).waitFor()
    expect((await statusOf(ids.original))?.superseded_by_id).toBeNull()
    await page.getByRole('textbox', { name: 'Current Charges' }).fill('171.50')
    await page.getByRole('textbox', { name: 'Current Charges' }).press('Tab')
    const changes = panel.getByRole('table', { name: 'What the correction changes' })
    await soon(() => changes.getByRole('row', { name: /Current Charges/ }).innerText()).toMatch(/151\.00\s+171\.50\s+\+20\.50/)
    await lookedAt(page, 'rebill-form')
    await panel.getByRole('radio', { name: /Adds to it/ }).check()
    await panel.getByText('usually replaces', { exact: false }).waitFor()
    await panel.getByRole('radio', { name: /Replaces it/ }).check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await soon(async () => (await statusOf(ids.original))?.superseded_by_id).not.toBeNull()
    const newer = (await statusOf(ids.original))?.superseded_by_id ?? 0
    await page.goto(`${bills()}/${ids.original}`)
    await page.getByText('This bill is void', { exact: false }).waitFor()
    expect(
      await page
        .getByText('$151.00')
        .first()
        .evaluate((node) => getComputedStyle(node.closest('dd') ?? node).textDecorationLine),
    ).toBe('line-through')
    const chain = page.getByRole('table', { name: 'Corrections' })
    await soon(() => chain.getByRole('row').count()).toBe(3)
    await lookedAt(page, 'void-bill')
    await chain.getByRole('link').click()
    await page.getByText(`replaces bill ${ids.original}`, { exact: false }).first().waitFor()
    expect(addressOf(page)).toBe(`${bills()}/${newer}`)
    await page.goto(`${bills()}?full_status=Void`)
    await soon(() => rows(page).count()).toBe(1)
    await soon(() => rows(page).first().innerText()).toContain('Void')
  })

  it('of a bill that was replaced before, or is about to be paid, can only add, and says why', async () => {
    const page = await open(admin, {
      at: `${bills()}/new?account_type=billable_account&account_id=${at.accountId}&rebill_of_id=${ids.original}`,
    })
    await page.getByText('Replacing is not possible', { exact: false }).waitFor()
    expect(await page.getByRole('radio', { name: /Replaces it/ }).isDisabled()).toBe(true)
    expect(await page.getByRole('radio', { name: /Adds to it/ }).isChecked()).toBe(true)
  })
})

describe('two bills that look alike', () => {
  it('stand beside each other with what differs marked, and are kept both with a reason', async () => {
    const page = await open(admin, { at: `${bills()}/${ids.twin}` })
    await page.getByRole('link', { name: 'Compare the two' }).first().click()
    const table = page.getByRole('table', { name: 'The two bills' })
    await table.waitFor()
    expect(await table.getByRole('row', { name: /Due Date/ }).innerText()).toMatch(/differs/)
    await page.getByRole('checkbox', { name: 'Show differences only' }).check()
    expect(await table.getByRole('row', { name: /Amount Due/ }).count()).toBe(0)
    await lookedAt(page, 'compare-bills')
    const keep = page.getByRole('group', { name: 'Both are right' })
    await keep.getByRole('combobox', { name: 'Reason' }).selectOption({ label: 'Vendor confirmed' })
    const open_ = async () =>
      (
        await sql`select from bill_findings where bill_id in (${ids.twin}, ${ids.spare}) and code like 'duplicate%' and resolved_at is null`.execute(
          db,
        )
      ).rows.length
    const before = await open_()
    await keep.getByRole('button', { name: 'Keep both' }).click()
    await soon(() => keep.count()).toBe(0)
    expect(await open_()).toBe(0)
    await page.getByRole('button', { name: /^Undo/ }).click()
    await soon(open_).toBe(before)
    await keep.getByRole('combobox', { name: 'Reason' }).selectOption({ label: 'Vendor confirmed' })
    await keep.getByRole('button', { name: 'Keep both' }).click()
    await soon(open_).toBe(0)
  })

  it('become a bill and its rebill, or one of them is deleted', async () => {
    const page = await open(admin, { at: `${bills()}/${ids.plain}/compare/${ids.double}`, theme: 'light' })
    await page.getByRole('table', { name: 'The two bills' }).waitFor()
    await lookedAt(page, 'compare-bills-light')
    await page.getByRole('button', { name: 'Mark as rebill' }).click()
    await soon(async () => (await statusOf(ids.plain))?.superseded_by_id).toBe(ids.double)
    await soon(() => page.getByRole('button', { name: 'Mark as rebill' }).count()).toBe(0)
    await page.goto(`${bills()}/${ids.spare}/compare/${ids.twin}`)
    await page.getByRole('button', { name: `Delete bill ${ids.twin}` }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await soon(() => addressOf(page)).toBe(`${bills()}/${ids.spare}`)
    expect(await statusOf(ids.twin)).toBeUndefined()
  })
})

describe('what belongs together', () => {
  it('a group’s bill lists its bills with their sum, and they name it', async () => {
    const page = await open(admin, { at: `${bills()}/${ids.parent}` })
    const table = page.getByRole('table', { name: 'Bills of the group' })
    await table.getByRole('row', { name: /Sum/ }).getByText('$156.00').waitFor()
    await page.getByText('$4.00', { exact: true }).waitFor()
    await lookedAt(page, 'group-bill')
    await table.getByRole('link').click()
    await page.getByRole('link', { name: `Bill ${ids.parent}` }).waitFor()
  })

  it('a bill shows its linked supply lines with their bill, and that bill says where they are shown', async () => {
    const page = await open(admin, { at: `${bills()}/${ids.shown}` })
    const linked = page.getByRole('table', { name: 'Linked supply lines' })
    await linked.getByRole('link', { name: `Bill ${ids.supplied}` }).click()
    await page.getByRole('table', { name: 'Shown in these bills' }).getByRole('link').click()
    await soon(() => addressOf(page)).toBe(`${bills()}/${ids.shown}`)
    await page.emulateMedia({ media: 'print' })
    await page.getByRole('table', { name: 'Linked supply lines' }).waitFor()
    expect(await page.getByRole('link', { name: 'Rebill' }).isVisible()).toBe(false)
    expect(await page.getByRole('link', { name: 'Home' }).first().isVisible()).toBe(false)
  })

  it('linked supply lines, the bill of the group, the corrected bill and a line’s supply bill are chosen in the form and saved', async () => {
    const account = await makeAccount(db, at, 'MEMBER-1', { groupId: group })
    const meter = await makeService(db, at.clientId, account, 'electric', 'M-1')
    const draft = monthlyDraft({ ...at, accountId: account, electricId: meter }, 4)
    const [earlier] = await acting(app.database, (context) =>
      createBills(context, at.clientId, [{ ...draft, service_bills: draft.service_bills.slice(0, 1) }]),
    )
    const earlierId = earlier?.kind === 'created' ? earlier.id : 0
    const page = await open(admin, { at: `${bills()}/new?account_type=billable_account&account_id=${account}` })
    const form = page.getByRole('form', { name: 'Bill form' })
    const type = (label: string, text: string) => form.getByRole('textbox', { name: label, exact: true }).first().fill(text)
    await type('Bill Date', '9/5/2025')
    await type('Due Date', '9/25/2025')
    await type('Balance Forward', '0')
    await type('Current Charges', '80')
    await type('Read Date', '9/1/2025')
    await type('Usage', '400')
    await type('Utility Charges', '80')
    await form.getByRole('button', { name: 'Link supply lines' }).click()
    await form.getByRole('combobox', { name: 'Supply account' }).fill('SUPPLY-1')
    await page
      .getByRole('listbox')
      .getByRole('option', { name: /SUPPLY-1/ })
      .click()
    await form.getByRole('button', { name: 'Link Electric S-1' }).click()
    await form.getByText('Supply line of SUPPLY-1', { exact: false }).waitFor()
    await form.getByRole('button', { name: 'Done' }).click()
    await page.getByText('More bill fields').click()
    await form.getByRole('combobox', { name: 'Group Bill' }).selectOption({ index: 1 })
    await form.getByRole('checkbox', { name: 'Rebill or Adjustment' }).check()
    await form.getByRole('combobox', { name: 'Corrected Bill' }).selectOption({ index: 1 })
    await form.getByRole('combobox', { name: 'Correction' }).selectOption({ label: 'Adds to it' })
    await page.getByText('More line fields').click()
    await form.getByRole('combobox', { name: 'Supply Bill' }).selectOption({ label: `Bill ${ids.supplied}` })
    await lookedAt(page, 'form-related')
    await form.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL(`**/billable_accounts/${account}/bills`)
    const related = async () =>
      (
        await sql<{ id: number }>`select bills.id, group_bill_id, rebill_of_id, rebill_mode, line.supply_bill_id,
          array(select shown.bill_id from bill_linked_service_bills link join service_bills shown on shown.client_id = link.client_id
            and shown.id = link.service_bill_id where link.client_id = bills.client_id and link.bill_id = bills.id) as linked
        from bills join service_bills line on line.client_id = bills.client_id and line.bill_id = bills.id
        where billable_account_id = ${account} and bills.id <> ${earlierId}`.execute(db)
      ).rows[0]
    const chosen = { group_bill_id: ids.parent, rebill_of_id: earlierId, rebill_mode: 'add', supply_bill_id: ids.supplied }
    const made = await related()
    expect(made).toMatchObject({ ...chosen, linked: [ids.supplied] })
    // The stored bill shows the choice, and can clear it.
    await page.goto(`${bills()}/${made?.id}/edit`)
    await form.getByText('Supply line of SUPPLY-1', { exact: false }).waitFor()
    await soon(() => form.getByRole('combobox', { name: 'Group Bill' }).inputValue()).toBe(String(ids.parent))
    expect(await form.getByRole('combobox', { name: 'Corrected Bill' }).inputValue()).toBe(String(earlierId))
    await form.getByRole('button', { name: /^Unlink line/ }).click()
    await form.getByRole('combobox', { name: 'Group Bill' }).selectOption({ label: 'None' })
    await form.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL(`**/billable_accounts/${account}/bills`)
    expect(await related()).toMatchObject({ ...chosen, group_bill_id: null, linked: [] })
  })

  it('bills are listed under a supply account and under a group supply account [BILL-SCREEN-008] [BILL-SCREEN-010]', async () => {
    const page = await open(admin, { at: `/clients/${at.clientId}/supply_accounts/${supply}/bills` })
    await page.getByRole('heading', { name: 'Supply Account’s Bills' }).waitFor()
    await soon(() => rows(page).count()).toBe(1)
    expect(await page.getByRole('link', { name: 'Add New' }).getAttribute('href')).toContain(
      `account_type=supply_account&account_id=${supply}`,
    )
    await page.goto(`/clients/${at.clientId}/group_supply_accounts/${groupSupply}/bills`)
    await soon(() => rows(page).first().innerText()).toContain('SUPPLY-1')
  })

  it('flags show in the list with their messages, and a flagged linked bill on the bill that shows it [BILL-SCREEN-013] [BILL-FIELD-007]', async () => {
    const page = await open(admin, { at: bills() })
    const row = (id: number) => rows(page).filter({ has: page.locator(`a[href$="/bills/${id}"]`) })
    await soon(() => row(ids.supplied).first().innerText()).toMatch(/flags?/)
    await row(ids.supplied)
      .first()
      .getByText(/flags?/)
      .first()
      .hover()
    await page.getByText('The amount due $999.00 is not', { exact: false }).first().waitFor()
    await soon(() => row(ids.shown).first().innerText()).toMatch(/Linked|flag/)
  })

  it('the status of a bill is one of the twelve, and the list filters by each [BILL-FIELD-001] [BILL-FIELD-002] [BILL-FIELD-014] [BILL-FIELD-015]', async () => {
    const page = await open(admin, { at: `${bills()}?full_status=Void` })
    await soon(() => rows(page).count()).toBe(2)
    const filter = page.locator('input[aria-label="Filter Status"]')
    await filter.click()
    const options = page.getByRole('listbox', { name: 'Filter Status' }).getByRole('option')
    expect((await options.allInnerTexts()).map((text) => text.replace('✓', '').trim())).toEqual(expect.arrayContaining([...fullStatuses]))
    await filter.fill('final')
    await filter.press('Enter')
    await soon(() => rows(page).count()).toBe(0)
  })
})

describe('versions', () => {
  it('list who made each and how, and compare any two', async () => {
    const path = `/clients/${at.clientId}/bills/${ids.spare}`
    for (const amount of ['154.00', '155.00']) {
      const answer = await app.ask(admin, 'PATCH', path, { bill: { current_charges: amount, amount_due: amount } })
      expect(answer.status, answer.text).toBe(200)
    }
    const page = await open(admin, { at: bills() + `/${ids.spare}` })
    await page.getByRole('link', { name: 'Versions' }).click()
    const table = page.getByRole('table', { name: 'Versions' })
    await table.getByText('imported from a file', { exact: false }).waitFor()
    expect(await table.getByRole('row').count()).toBe(4)
    const changed = page.getByRole('region', { name: 'What changed' })
    await changed
      .getByRole('row', { name: /Amount Due/ })
      .getByText('155.00')
      .waitFor()
    await page.getByRole('radio', { name: 'Version 1 as the older one' }).check()
    await soon(() => changed.getByRole('row', { name: /Amount Due/ }).innerText()).toMatch(/153\.00\s+.*155\.00/s)
    await lookedAt(page, 'versions')
  })
})
