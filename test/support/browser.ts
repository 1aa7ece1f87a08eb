/** A real Chromium for tests: ended with the file, its pages as the console is used. */
import { afterAll } from 'vitest'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { startChromium } from './chromium.ts'

export const viewport = { width: 1366, height: 768 }

export async function launchBrowser(): Promise<Browser> {
  const browser = await startChromium()
  afterAll(() => browser.close())
  return browser
}

export interface OpenPage {
  readonly context: BrowserContext
  readonly page: Page
  /** What the page complained of: script errors and broken content policies. A test ends with none. */
  readonly complaints: string[]
}

/** A page of its own at 1366x768, in the theme given, with reduced motion so that contrast is not measured inside a fade. */
export async function openPage(
  browser: Browser,
  baseURL: string,
  theme: 'dark' | 'light' = 'dark',
  more: { timezoneId?: string } = {},
): Promise<OpenPage> {
  const context = await browser.newContext({ baseURL, viewport, reducedMotion: 'reduce', locale: 'en-US', ...more })
  await context.addCookies([{ name: 'theme', value: theme, url: baseURL }])
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) complaints.push(message.text())
  })
  return { context, page, complaints }
}
