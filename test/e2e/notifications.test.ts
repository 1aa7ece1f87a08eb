/** The bell's history and the jobs tray in the built console. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { makePerson, type Person } from '../support/app.ts'
import { insert } from '../every-call/world.ts'
import { soon, startConsole } from './console.ts'
import { lookedAt } from './looked-at.ts'

const { app, db, open } = await startConsole()
const MINUTE = 60_000
let person: Person

beforeAll(async () => {
  person = await makePerson(db, 'super_admin')
  const told = (type: string, kind: string, message: string, days: number, more: object = {}) =>
    insert(db, 'notifications', {
      user_id: person.id,
      type,
      notification_type: kind,
      message,
      created_at: new Date(Date.now() - days * 86_400_000).toISOString(),
      ...more,
    })
  await told('csv_export', 'success', 'Vendors export is ready', 0, {
    description: ['vendors_20261121_1000.csv, 25 rows'],
    link: '/vendors',
  })
  await told('retrieval_import', 'warning', 'No bill was created', 1, { description: ['12 duplicates'] })
  await told('generated_report', 'error', 'The report of the facilities of Harbor Foods and its many subsidiaries failed', 5, {
    error: true,
  })
})

describe('the bell', () => {
  test(
    'lists day by day what was sent, marks what is unread, filters by kind, and what was only said on the screen survives a reload',
    { timeout: MINUTE },
    async () => {
      const page = await open(person, { at: '/settings/units/new' })
      await page.getByLabel('Symbol').fill('bell')
      await page.getByLabel('Description').fill('A unit')
      await page.getByRole('button', { name: 'Save' }).click()
      await soon(() => page.evaluate(() => sessionStorage.getItem('said_notices') ?? '')).toContain('Unit created')
      await page.reload()
      const bell = page.getByRole('button', { name: /^Notifications/ })
      await soon(() => bell.getAttribute('aria-label')).toBe('Notifications, 3 new')
      await bell.click()
      const panel = page.getByRole('dialog', { name: /^Notifications/ })
      await panel.getByText('Vendors export is ready').waitFor()
      const days = await panel.getByRole('heading', { level: 3 }).allInnerTexts()
      expect(days.slice(0, 2)).toEqual(['Today', 'Yesterday'])
      expect(days[2]).toMatch(/^\d\d\/\d\d\/\d{4}$/)
      expect(await panel.getByText('Unit created').count(), 'the toast of before the reload').toBe(1)
      expect(await panel.getByText('Unread:').count()).toBe(3)
      await lookedAt(page, 'bell-dark')
      await panel.getByRole('button', { name: 'Mark as read: No bill was created' }).click()
      await soon(() => panel.getByText('Unread:').count()).toBe(2)
      await panel.getByRole('link', { name: 'Open' }).click()
      await page.getByRole('heading', { name: 'Vendors' }).waitFor()
      await bell.click()
      await soon(() => panel.getByText('Unread:').count()).toBe(1)
      await panel.getByLabel('Show').selectOption('imports')
      await soon(() => panel.getByRole('listitem').count()).toBe(1)
      await panel.getByLabel('Show').selectOption('on_screen')
      await soon(() => panel.getByRole('listitem').first().innerText()).toContain('Unit created')
      await panel.getByLabel('Show').selectOption('')
      await panel.getByRole('button', { name: 'Mark all as read' }).click()
      await soon(() => panel.getByText('Unread:').count()).toBe(0)
      const { rows } = await sql<{
        unread: number
      }>`select count(*) as unread from notifications where user_id = ${person.id} and read_at is null`.execute(db)
      expect(rows[0]?.unread).toBe(0)
    },
  )

  test('a kind that is switched off says nothing, while the list of jobs still hears of it', { timeout: MINUTE }, async () => {
    const quiet = await makePerson(db, 'super_admin')
    await app.ask(quiet, 'PUT', '/notifications/preferences', { preferences: { exports: { in_app: false, mail: false } } })
    const page = await open(quiet, { at: '/vendors' })
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    await page.getByRole('button', { name: /^Jobs/ }).click()
    await page.getByRole('button', { name: 'Download Vendors export' }).waitFor()
    expect(await page.getByRole('button', { name: /^Notifications/ }).getAttribute('aria-label')).toBe('Notifications')
    expect(await page.getByText('Vendors export is ready').count()).toBe(0)
  })
})

describe('the jobs tray', () => {
  test(
    'shows what runs with its percent, what failed with its reason, cancels and starts again, and survives a reload',
    { timeout: MINUTE },
    async () => {
      const owner = await makePerson(db, 'super_admin')
      const input = JSON.stringify({
        list: 'units',
        labels: 'Units',
        query: {
          filters: [],
          sort: { key: 'symbol', direction: 'asc' },
          page: 1,
          per: 10,
          values: null,
          searchTerm: '',
          withTotal: true,
          withRows: true,
        },
        reach: [{ clients: 'all', narrowed: {} }],
        client_id: null,
        where: [],
      })
      const task = (values: object) => insert(db, 'tasks', { user_id: owner.id, kind: 'csv_export', input, ...values })
      const now = new Date().toISOString()
      // Its heartbeat is in the future, so that no process takes it over while it does nothing here.
      const running = await task({
        state: 'running',
        rows_done: 1300,
        rows_total: 5000,
        started_at: now,
        heartbeat_at: new Date(Date.now() + 3_600_000).toISOString(),
      })
      await task({ state: 'failed', error: 'Something went wrong on our side.', finished_at: now })
      await task({ state: 'done', rows_done: 25, finished_at: new Date(Date.now() - 8 * 86_400_000).toISOString() })
      const page = await open(owner, { at: '/vendors' })
      const tray = page.getByRole('button', { name: /^Jobs/ })
      await soon(() => tray.getAttribute('aria-label')).toBe('Jobs, 1 running')
      await tray.focus()
      await page.keyboard.press('Enter')
      const panel = page.getByRole('dialog', { name: /^Jobs/ })
      await panel.getByText('26% · 1,300 of 5,000 rows').waitFor()
      expect(await panel.getByRole('listitem').count(), 'what ended eight days ago is gone').toBe(2)
      await lookedAt(page, 'jobs-dark')
      await db
        .transaction()
        .execute((tx) =>
          app.app.machinery.live.progress(
            tx,
            { userId: owner.id, connectionId: null },
            { task_id: running, kind: 'csv_export', state: 'running', rows_done: 4000, rows_total: 5000 },
          ),
        )
      await panel.getByText('80% · 4,000 of 5,000 rows').waitFor()
      await panel.getByRole('button', { name: 'Cancel Units export' }).click()
      await panel.getByText('Cancelled').waitFor()
      await soon(() => tray.getAttribute('aria-label')).toBe('Jobs')
      const failed = panel.getByRole('listitem').filter({ hasText: 'Something went wrong' })
      await failed.getByRole('button', { name: 'Start again: Units export' }).click()
      await panel.getByRole('button', { name: 'Download Units export' }).waitFor()
      await page.reload()
      await tray.click()
      await panel.getByRole('button', { name: 'Download Units export' }).waitFor()
      await panel.getByText('Cancelled').waitFor()
    },
  )

  test('shows work that began and ended before the live channel was open', { timeout: MINUTE }, async () => {
    const page = await open(await makePerson(db, 'super_admin'))
    let letOpen = () => {}
    const held = new Promise<void>((resolve) => (letOpen = resolve))
    await page.route('**/api/v5/live*', async (route) => {
      await held
      await route.abort()
    })
    const listed = page.waitForResponse('**/api/v5/tasks?*')
    await page.goto('/vendors')
    await listed
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    await page.getByRole('button', { name: /^Jobs/ }).click()
    await page.getByRole('button', { name: 'Download Vendors export' }).waitFor()
    letOpen()
  })

  test('does not miss the end of work that comes while the live channel opens', { timeout: MINUTE }, async () => {
    const owner = await makePerson(db, 'super_admin')
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString()
    const running = await insert(db, 'tasks', {
      client_id: 0,
      user_id: owner.id,
      kind: 'payment_paper',
      input: JSON.stringify({ paper: 'voucher_csv', payment_batch_id: 1, vendor_payment_id: null }),
      state: 'running',
      heartbeat_at: inAnHour,
    })
    const page = await open(owner)
    let letOpen = () => {}
    const held = new Promise<void>((resolve) => (letOpen = resolve))
    await page.route('**/api/v5/live*', async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/vendors')
    const tray = page.getByRole('button', { name: /^Jobs/ })
    await soon(() => tray.getAttribute('aria-label')).toBe('Jobs, 1 running')
    await sql`update tasks set state = 'done', finished_at = now() where id = ${running}`.execute(db)
    letOpen()
    await soon(() => tray.getAttribute('aria-label')).toBe('Jobs')
  })

  test('says so where there is nothing', { timeout: MINUTE }, async () => {
    const page = await open(await makePerson(db, 'super_admin'), { at: '/vendors', theme: 'light' })
    await page.getByRole('button', { name: /^Jobs/ }).click()
    await page.getByText('Nothing runs.').waitFor()
    await lookedAt(page, 'jobs-empty-light')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Notifications/ }).click()
    await page.getByText('Nothing has been sent to you yet.').waitFor()
    await lookedAt(page, 'bell-empty-light')
  })
})
