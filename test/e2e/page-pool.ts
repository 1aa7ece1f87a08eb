/**
 * Windows that the tests of a file use one after the other. A load in a window that has loaded the console before takes half the processor time
 * of the first load in a new one. Nothing of a test is left in a window for the next: one in which a test has changed what cannot be taken
 * back is closed instead.
 */
import type { Browser, BrowserContext, CDPSession, Disposable, Page } from 'playwright-core'
import { listenForComplaints, openContext, viewport, type OpenPage } from '../support/browser.ts'

interface Pooled {
  readonly context: BrowserContext
  readonly page: Page
  readonly session: CDPSession
  /** The scripts of the current test. */
  scripts: readonly Disposable[]
  /** True once a test has used what cannot be taken back. */
  isSpoilt: boolean
}

export interface PagePool {
  /** Returns a window without any document; `prepare` adds the scripts that run in each of its documents until it is given back. */
  take(theme: 'dark' | 'light', prepare: (page: Page) => Promise<readonly Disposable[]>): Promise<OpenPage>
  /** Clears the window for the next test, or closes it. */
  giveBack(window: OpenPage): Promise<void>
}

/** What a test does with these cannot be taken back. */
const ofPage = ['addInitScript', 'addLocatorHandler', 'clock', 'emulateMedia', 'exposeBinding', 'exposeFunction', 'routeWebSocket'] as const
const ofContext = [
  'addInitScript',
  'clock',
  'exposeBinding',
  'exposeFunction',
  'grantPermissions',
  'newCDPSession',
  'newPage',
  'routeWebSocket',
  'setExtraHTTPHeaders',
  'setOffline',
] as const
/** The events of a page to which tests listen. */
const events = [
  'console',
  'dialog',
  'download',
  'filechooser',
  'framenavigated',
  'pageerror',
  'popup',
  'request',
  'requestfailed',
  'requestfinished',
  'response',
]

/** For one origin; the windows close with the file, like all of its contexts. */
export function pagePool(browser: Browser, baseURL: string): PagePool {
  const free: Pooled[] = []
  const taken = new Map<Page, Pooled>()
  return {
    async take(theme, prepare) {
      const pooled = free.pop() ?? (await newWindow(browser, baseURL))
      const { context, page } = pooled
      taken.set(page, pooled)
      await context.addCookies([{ name: 'theme', value: theme, url: baseURL }])
      pooled.scripts = await prepare(page)
      pooled.isSpoilt = false
      return { context, page, complaints: listenForComplaints(page) }
    },
    async giveBack({ page }) {
      const pooled = taken.get(page)
      taken.delete(page)
      // A window that cannot be cleared, as one in the middle of a navigation, is of no further use.
      const isFree = pooled !== undefined && (await isCleared(pooled, baseURL).catch(() => false))
      if (isFree) free.push(pooled)
      else await page.context().close()
    },
  }
}

async function newWindow(browser: Browser, baseURL: string): Promise<Pooled> {
  const context = await openContext(browser, baseURL)
  const page = await context.newPage()
  const pooled: Pooled = { context, page, session: await context.newCDPSession(page), scripts: [], isSpoilt: false }
  const spoil = () => (pooled.isSpoilt = true)
  for (const name of ofPage) watch(page, name, spoil)
  for (const name of ofContext) watch(context, name, spoil)
  return pooled
}

function watch(owner: object, name: string, seen: () => void): void {
  const value: unknown = Reflect.get(owner, name)
  Object.defineProperty(owner, name, {
    get() {
      seen()
      return value
    },
  })
}

/** Clears the window. Returns false if that cannot be done. Its HTTP cache stays: the files of the build never change under their names. */
async function isCleared({ context, page, session, scripts, isSpoilt }: Pooled, baseURL: string): Promise<boolean> {
  if (isSpoilt || page.isClosed() || context.pages().length !== 1) return false
  for (const event of events) page.removeAllListeners(event)
  await Promise.all(scripts.map((script) => script.dispose()))
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await clearStorage(page, session, baseURL)
  await page.goto('about:blank')
  await page.mouse.move(0, 0)
  await page.setViewportSize(viewport)
  await context.clearCookies()
  await session.send('Page.resetNavigationHistory')
  return true
}

/** From an empty document of the console's origin: the console itself could write again when it is left. */
async function clearStorage(page: Page, session: CDPSession, baseURL: string): Promise<void> {
  const empty = `${baseURL}/empty`
  await page.route(empty, (route) => route.fulfill({ contentType: 'text/html', body: '' }))
  await page.goto(empty)
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
    window.name = ''
  })
  await page.unroute(empty)
  const storageTypes = 'indexeddb,cache_storage,service_workers,file_systems'
  await session.send('Storage.clearDataForOrigin', { origin: new URL(baseURL).origin, storageTypes })
}
