/** A real Chromium for tests, with pages as the console is used. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { startChromium } from './chromium.ts'
import { atEndOfFile } from './end-of-file.ts'

export const viewport = { width: 1366, height: 768 }

let kept: Promise<Browser> | undefined

/**
 * Returns the Chromium of this worker, which serves its files one after the other: a start and the first page cost as much as a test.
 * Contexts opened by a file are closed with the file.
 */
export async function launchBrowser(): Promise<Browser> {
  const browser = await keptChromium()
  atEndOfFile(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()))
  })
  return browser
}

/** It ends with the worker. A crashed one is replaced. */
async function keptChromium(): Promise<Browser> {
  const before = await kept?.catch(() => undefined)
  if (before?.isConnected()) return before
  kept = startChromium()
  return kept
}

export interface OpenPage {
  readonly context: BrowserContext
  readonly page: Page
  /** Errors of the page: script errors and violations of the content policy. A test must end with none. */
  readonly complaints: string[]
}

/** Opens a new page at 1366x768, in the given theme, with reduced motion so that contrast is not measured during a fade. */
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
