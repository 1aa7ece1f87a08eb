/** Opens the console once and moves from address to address, like a user following links. */
import type { Page } from 'playwright-core'
import type { Person } from '../support/app.ts'
import { soon, type ConsoleUnderTest } from './console.ts'

/** Page, menus and lists are at rest when no API request was sent during this time (ms). */
const REST_MS = 60

export interface Walk {
  readonly page: Page
  /** Complaints, each with the address where it occurred. */
  readonly complaints: string[]
  /** Goes there like a link, without reloading the console, and waits until it is at rest. */
  go(path: string): Promise<void>
}

export async function walk({ open }: ConsoleUnderTest, who: Person, install?: () => void): Promise<Walk> {
  const page = await open(who, { theme: 'dark', mayComplain: true })
  if (install) await page.addInitScript(install)
  await page.goto('/landing')
  const complaints: string[] = []
  const asked = new Set<object>()
  let last = Date.now()
  let here = '/landing'
  page.on('pageerror', (error) => complaints.push(`${here}: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) complaints.push(`${here}: ${message.text()}`)
  })
  page.on('request', (request) => !/\/live\?/.test(request.url()) && asked.add(request))
  const end = (request: object) => {
    asked.delete(request)
    last = Date.now()
  }
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  await page.getByRole('banner').getByRole('link', { name: 'Advanced Search' }).waitFor()
  return {
    page,
    complaints,
    async go(path) {
      here = path
      last = Date.now()
      await page.evaluate((href) => history.pushState({}, '', href), path)
      await leaveUnsaved(page, path)
      await page.getByRole('main').getByRole('heading').first().waitFor()
      await soon(() => asked.size === 0 && Date.now() - last > REST_MS).toBe(true)
      await page.locator('main [aria-busy=true]').waitFor({ state: 'detached' })
    },
  }
}

/** A changed form asks before it is left. */
async function leaveUnsaved(page: Page, path: string): Promise<void> {
  const leave = page.getByRole('alertdialog', { name: 'Unsaved changes' }).getByRole('button', { name: 'Leave' })
  const isThere = () => new URL(page.url()).pathname === path.replace(/[?].*/, '')
  await soon(async () => isThere() || (await leave.isVisible())).toBe(true)
  if (await leave.isVisible()) await leave.click()
}
