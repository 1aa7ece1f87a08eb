/** P16: what the console loads, and how soon its rows stand there, in a real Chromium. */
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import type { Ground } from './ground.ts'
import { round, shown, spreadOf } from './measure.ts'
import type { Line } from './table.ts'

const systemPaths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const viewport = { width: 1366, height: 768 }
export const rounds = 5
/** What a page still fetches when its rows stand there is counted apart. */
export const settleMs = 1_000
export const waitMs = 30_000
const kib = 1024
const limits = { loginKib: 120, listKib: 230, requests: 12, codeAgainKib: 5, coldMs: 600, againMs: 250 }

export async function withBrowser<T>(work: (browser: Browser) => Promise<T>): Promise<T> {
  const browser = await chromium.launch({ executablePath: await chromiumPath(), args: flags })
  try {
    return await work(browser)
  } finally {
    await browser.close()
  }
}

async function chromiumPath(): Promise<string> {
  const system = process.env['CHROMIUM_PATH'] ?? systemPaths.find((path) => existsSync(path))
  if (system !== undefined) return system
  const { default: packed } = await import('@sparticuz/chromium')
  return packed.executablePath()
}

/** A browser of its own that knows nothing yet but the three credentials. */
export function signedIn(browser: Browser, ground: Ground): Promise<BrowserContext> {
  const localStorage = Object.entries(ground.admin).map(([name, value]) => ({ name, value }))
  return browser.newContext({ viewport, storageState: { cookies: [], origins: [{ origin: ground.product.url, localStorage }] } })
}

export interface Loaded {
  /** Milliseconds from the navigation to what is waited for. */
  readonly ms: number
  readonly requests: number
  readonly bytes: number
  readonly codeBytes: number
  /** The same with what came within a second after. */
  readonly requestsInAll: number
  readonly bytesInAll: number
}

/** Loads an address and notes what came over the wire until `selector` stands in the page. */
export async function loaded(context: BrowserContext, url: string, selector: string): Promise<Loaded> {
  const page = await context.newPage()
  const wire = await wireOf(page)
  await page.addInitScript((wanted) => {
    const look = (): void => {
      if (document.querySelector(wanted)) document.documentElement.setAttribute('data-there-at', String(performance.now()))
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  }, selector)
  await page.goto(url, { waitUntil: 'commit' })
  await page.waitForSelector('html[data-there-at]', { state: 'attached', timeout: waitMs })
  const { requests, bytes, codeBytes } = wire
  const ms = Number(await page.locator('html').getAttribute('data-there-at'))
  await sleep(settleMs)
  await page.close()
  return { ms, requests, bytes, codeBytes, requestsInAll: wire.requests, bytesInAll: wire.bytes }
}

/** Counts what the network brings, as it travels: compressed, with headers. */
async function wireOf(page: Page): Promise<{ requests: number; bytes: number; codeBytes: number }> {
  const session = await page.context().newCDPSession(page)
  const seen = { requests: 0, bytes: 0, codeBytes: 0 }
  const code = new Set<string>()
  await session.send('Network.enable')
  session.on('Network.responseReceived', ({ requestId, response, type }) => {
    if (response.fromDiskCache || response.url.startsWith('data:')) return
    seen.requests += 1
    if (type === 'Script' || type === 'Stylesheet') code.add(requestId)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    seen.bytes += encodedDataLength
    if (code.has(requestId)) seen.codeBytes += encodedDataLength
  })
  return seen
}

export async function measureP16(ground: Ground, browser: Browser): Promise<Line[]> {
  const { url } = ground.product
  const fresh = await browser.newContext({ viewport })
  const login = await loaded(fresh, `${url}/login`, 'input[type=password]')
  await fresh.close()
  const cold: Loaded[] = []
  const again: Loaded[] = []
  for (let turn = 0; turn < rounds; turn += 1) {
    const context = await signedIn(browser, ground)
    cold.push(await loaded(context, `${url}/clients/1/bills`, '[data-row="0"]'))
    again.push(await loaded(context, `${url}/clients/1/bills`, '[data-row="0"]'))
    await context.close()
  }
  return [...loginLines(login), ...listLines(cold, again)]
}

function loginLines(login: Loaded): Line[] {
  return [bytesLine('sign-in page, first load', login, limits.loginKib), requestsLine('sign-in page, first load', login)]
}

function listLines(cold: readonly Loaded[], again: readonly Loaded[]): Line[] {
  const [first, second] = [cold[0], again[0]]
  if (!first || !second) return []
  const coldMs = spreadOf(cold.map((one) => one.ms))
  const againMs = spreadOf(again.map((one) => one.ms))
  return [
    bytesLine('bills list, first load', first, limits.listKib),
    requestsLine('bills list, first load', first),
    {
      goal: 'P16',
      what: 'bills list, second load: code',
      ours: `${round(second.codeBytes / kib)} KiB`,
      reference: '',
      ratio: `<= ${limits.codeAgainKib} KiB`,
      holds: second.codeBytes <= limits.codeAgainKib * kib,
    },
    {
      goal: 'P16',
      what: 'bills list, cold: to rows',
      ours: shown(coldMs),
      reference: '',
      ratio: `<= ${limits.coldMs} ms`,
      holds: coldMs.median <= limits.coldMs,
    },
    {
      goal: 'P16',
      what: 'bills list, second time: to rows',
      ours: shown(againMs),
      reference: '',
      ratio: `<= ${limits.againMs} ms`,
      holds: againMs.median <= limits.againMs,
    },
  ]
}

export function bytesLine(what: string, one: Loaded, most: number): Line {
  return {
    goal: 'P16',
    what: `${what}: on the wire until it stands there`,
    ours: `${round(one.bytes / kib)} KiB (a second later ${round(one.bytesInAll / kib)})`,
    reference: '',
    ratio: `<= ${most} KiB`,
    holds: one.bytes <= most * kib,
  }
}

export function requestsLine(what: string, one: Loaded): Line {
  return {
    goal: 'P16',
    what: `${what}: requests`,
    ours: `${one.requests} (a second later ${one.requestsInAll})`,
    reference: '',
    ratio: `<= ${limits.requests}`,
    holds: one.requests <= limits.requests,
  }
}
