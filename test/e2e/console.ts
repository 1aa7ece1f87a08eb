/** The built console with a server, a database and a Chromium for each test file. */
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Browser, Page } from 'playwright-core'
import { afterEach, expect, onTestFinished } from 'vitest'
import { buildConsole } from '../../src/server/console-build.ts'
import type { Environment } from '../../src/server/config.ts'
import type { Tables } from '../../src/server/kernel/postgres/database.ts'
import { startTestApp, type Person, type TestApp } from '../support/app.ts'
import { launchBrowser, openPage } from '../support/browser.ts'
import { recordNotices } from './notices-said.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Longest wait (ms) for one step in the page: far more than a step takes on a busy machine, less than a test may take. */
const STEP_MS = 45_000

export interface OpenOptions {
  readonly at?: string
  readonly theme?: 'dark' | 'light'
  /** Script errors and content policy violations fail the test at its end, unless it expects some. */
  readonly mayComplain?: boolean
  readonly timezoneId?: string
}

export interface ConsoleUnderTest {
  readonly app: TestApp
  readonly db: Kysely<Tables>
  readonly url: string
  readonly browser: Browser
  /** Opens a window in which this user is signed in; `null` is a visitor. It closes with the test. */
  open(who: Person | null, options?: OpenOptions): Promise<Page>
}

/** Builds the console if it is older than its sources, and starts everything once for a test file. */
export async function startConsole(environment: Environment = {}): Promise<ConsoleUnderTest> {
  await buildConsole(ROOT)
  const app = await startTestApp(environment)
  const url = await app.listen()
  const browser = await launchBrowser()
  const complaints: string[][] = []
  afterEach(() => {
    const all = complaints.splice(0).flat()
    expect(all, 'script errors and broken content policies').toEqual([])
  })
  return {
    app,
    db: app.database.db,
    url,
    browser,
    async open(who, { at, theme = 'dark', mayComplain = false, timezoneId } = {}) {
      const opened = await openPage(browser, url, theme, timezoneId === undefined ? {} : { timezoneId })
      const { context, page } = opened
      if (!mayComplain) complaints.push(opened.complaints)
      onTestFinished(() => context.close())
      page.setDefaultTimeout(STEP_MS)
      await recordNotices(page)
      if (who) await signInByStorage(page, who)
      if (at !== undefined) await page.goto(at)
      return page
    },
  }
}

/** Stores the credentials as a sign-in would, before the first page loads; only once, so that signing out lasts. */
async function signInByStorage(page: Page, who: Person): Promise<void> {
  await page.context().addInitScript((headers) => {
    if (location.protocol === 'about:' || localStorage.getItem('signed_in_by_test')) return
    localStorage.setItem('signed_in_by_test', 'yes')
    for (const [name, value] of Object.entries(headers)) localStorage.setItem(name, value)
  }, who.headers)
}

/** Records the API requests that the page sends from now on, as `GET /vendors?page=1`. */
export function apiRequests(page: Page): string[] {
  const sent: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/api/v5')) sent.push(`${request.method()} ${pathname.slice('/api/v5'.length)}${decodeURIComponent(search)}`)
  })
  return sent
}

/** Reads again until the value is as expected, for as long as a step may take: `await soon(() => rows(page)).toEqual(…)`. */
export function soon<Value>(read: () => Value | Promise<Value>) {
  return expect.poll(read, { timeout: STEP_MS, interval: 50 })
}

/**
 * Goes there by the console's own router, like a link, for a fraction of the processor time of a load. Returns once the router has rendered the
 * page in place of the old one. The console keeps its rights, and data of the last seconds: a test that has changed them loads the page.
 */
export async function goInside(page: Page, path: string): Promise<void> {
  await page.evaluate((href) => history.pushState({}, '', href), path)
  await page.waitForFunction(() => {
    const state = window.__TSR_ROUTER__?.state
    return state?.status === 'idle' && state.resolvedLocation?.pathname === decodeURI(location.pathname)
  })
}

/** Changes the user's rights in the server's response, for rights that no role of the product has. */
export async function withRights(page: Page, change: () => object): Promise<void> {
  await page.route('**/api/v5/user_roles/for_user*', async (route) => {
    try {
      const answer = await route.fetch()
      const given: object = await answer.json()
      await route.fulfill({ json: { ...given, ...change() } })
    } catch {
      // The page navigated away and aborted its request.
    }
  })
}

/** Returns the values of the three credentials in local storage. */
export function storedCredentials(page: Page): Promise<(string | null)[]> {
  return page.evaluate(() => ['access-token', 'client', 'uid'].map((name) => localStorage.getItem(name)))
}

/** The path and search of the page's address. */
export function addressOf(page: Page): string {
  const { pathname, search } = new URL(page.url())
  return pathname + search
}
