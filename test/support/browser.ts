/** A real Chromium: the one that CHROMIUM_PATH names, else the system's, else the one from npm. */
import { existsSync } from 'node:fs'
import { afterAll } from 'vitest'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'

const systemPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Without these, a Chromium as root does not start, and any Chromium calls out to its maker. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--force-color-profile=srgb',
  '--font-render-hinting=none',
]

export const viewport = { width: 1366, height: 768 }

export async function launchBrowser(): Promise<Browser> {
  const system = process.env['CHROMIUM_PATH'] ?? systemPaths.find((path) => existsSync(path))
  const executablePath = system ?? (await npmChromium())
  const browser = await chromium.launch({ executablePath, args: flags })
  afterAll(() => browser.close())
  return browser
}

async function npmChromium(): Promise<string> {
  const { default: packed } = await import('@sparticuz/chromium')
  return packed.executablePath()
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
