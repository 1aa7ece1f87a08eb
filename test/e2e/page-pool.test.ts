/** What a test leaves in its window is not there for the next test, which may get the same window. */
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { makePerson } from '../support/app.ts'
import { viewport } from '../support/browser.ts'
import { startConsole } from './console.ts'
import { pagePool } from './page-pool.ts'

const { db, browser, url } = await startConsole()

/** A pool for this test alone. */
function ownPool() {
  const pool = pagePool(browser, url)
  return {
    ...pool,
    async taken(theme: 'dark' | 'light' = 'dark') {
      const window = await pool.take(theme, () => Promise.resolve([]))
      onTestFinished(() => window.context.close())
      return window
    },
  }
}

/** Everything that a test can leave in a window. */
function stateOf(page: Page): Promise<object> {
  return page.evaluate(() => ({
    address: location.pathname,
    local: localStorage.length,
    session: Object.keys(sessionStorage).filter((key) => key.startsWith('left_')),
    cookies: document.cookie,
    name: window.name,
    theme: document.body.dataset['theme'],
    size: [innerWidth, innerHeight],
    entries: history.length,
    script: 'left_by_script' in globalThis,
  }))
}

/** Changes all that can be changed in a window and taken back. */
async function leaveTraces(page: Page): Promise<void> {
  await page.route('**/login', (route) => route.fulfill({ status: 500, body: '' }))
  await page.context().route('**/assets/**', (route) => route.abort())
  await page.setViewportSize({ width: 390, height: 800 })
  page.on('pageerror', (error) => {
    throw error
  })
  await page.evaluate(() => {
    localStorage.setItem('left_here', 'yes')
    sessionStorage.setItem('left_here', 'yes')
    document.cookie = 'left=here; path=/'
    window.name = 'left'
    history.pushState({}, '', '/login?left=here')
    // As a form with typed text does; and a page that writes when it is left.
    addEventListener('beforeunload', (event) => event.preventDefault())
    addEventListener('pagehide', () => localStorage.setItem('left_late', 'yes'))
  })
}

test('the next test gets the same window with nothing of the last one, and errors of the page are its own', async () => {
  const pool = ownPool()
  const person = await makePerson(db, 'super_admin')
  const signIn = (page: Page) =>
    page.addInitScript((uid) => {
      localStorage.setItem('uid', uid)
      Object.assign(globalThis, { left_by_script: true })
    }, person.email)
  const first = await pool.take('light', async (page) => [await signIn(page)])
  onTestFinished(() => first.context.close())
  await first.page.goto('/login')
  expect(await stateOf(first.page)).toMatchObject({ local: 1, theme: 'light', script: true })
  await leaveTraces(first.page)
  await pool.giveBack(first)
  const second = await pool.taken()
  expect(second.page).toBe(first.page)
  await second.page.goto('/login')
  await second.page.getByRole('main').waitFor()
  expect(await stateOf(second.page)).toEqual({
    address: '/login',
    local: 0,
    session: [],
    cookies: 'theme=dark',
    name: '',
    theme: 'dark',
    size: [viewport.width, viewport.height],
    entries: 2,
    script: false,
  })
  await second.page.evaluate(() => console.error('of the second'))
  await expect.poll(() => second.complaints).toEqual(['of the second'])
  expect(first.complaints).toEqual([])
})

const lasting: readonly (readonly [string, (page: Page) => Promise<unknown>])[] = [
  ['a script of its own', (page) => page.addInitScript(() => {})],
  ['a clock of its own', (page) => page.clock.install()],
  ['other media', (page) => page.emulateMedia({ media: 'print' })],
  ['a function of its own', (page) => page.context().exposeBinding('ours', () => {})],
  ['a second page', (page) => page.context().newPage()],
  ['a session of its own', (page) => page.context().newCDPSession(page)],
]

test.each(lasting)('a window with %s, which cannot be taken back, is closed', async (_, change) => {
  const pool = ownPool()
  const window = await pool.taken()
  await change(window.page)
  await pool.giveBack(window)
  expect(window.page.isClosed()).toBe(true)
  expect((await pool.taken()).page).not.toBe(window.page)
})

test('two windows that are taken at once are two, with storage of their own', async () => {
  const pool = ownPool()
  const [one, other] = [await pool.taken(), await pool.taken('light')]
  expect(one.context).not.toBe(other.context)
  for (const { page } of [one, other]) await page.goto('/login')
  await one.page.evaluate(() => localStorage.setItem('left_here', 'yes'))
  expect(await other.page.evaluate(() => localStorage.length)).toBe(0)
})
