/** P16 and P17: what the console loads and how soon a thousand bills can be worked with, in a real Chromium. */
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Browser, type BrowserContext, type CDPSession, type Page } from 'playwright-core'
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
const rounds = 5
/** What a page still fetches when its rows stand there is counted apart. */
const settleMs = 1_000
const waitMs = 30_000
const kib = 1024
const limits = { loginKib: 120, listKib: 230, requests: 12, codeAgainKib: 5, coldMs: 600, againMs: 250 }
const limits17 = { readyMs: 150, tickMs: 20, slowTickMs: 60, longTaskMs: 50 }
const slowdown = 4

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
function signedIn(browser: Browser, ground: Ground): Promise<BrowserContext> {
  const localStorage = Object.entries(ground.admin).map(([name, value]) => ({ name, value }))
  return browser.newContext({ viewport, storageState: { cookies: [], origins: [{ origin: ground.product.url, localStorage }] } })
}

interface Loaded {
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
async function loaded(context: BrowserContext, url: string, selector: string): Promise<Loaded> {
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

function bytesLine(what: string, one: Loaded, most: number): Line {
  return {
    goal: 'P16',
    what: `${what}: on the wire until it stands there`,
    ours: `${round(one.bytes / kib)} KiB (a second later ${round(one.bytesInAll / kib)})`,
    reference: '',
    ratio: `<= ${most} KiB`,
    holds: one.bytes <= most * kib,
  }
}

function requestsLine(what: string, one: Loaded): Line {
  return {
    goal: 'P16',
    what: `${what}: requests`,
    ours: `${one.requests} (a second later ${one.requestsInAll})`,
    reference: '',
    ratio: `<= ${limits.requests}`,
    holds: one.requests <= limits.requests,
  }
}

export async function measureP17(ground: Ground, browser: Browser): Promise<Line[]> {
  const context = await signedIn(browser, ground)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  try {
    const ready: number[] = []
    for (let turn = 0; turn < rounds; turn += 1) {
      await page.goto(`${ground.product.url}/clients/1/bills`)
      await page.waitForSelector('[data-row="0"]', { timeout: waitMs })
      await sleep(settleMs)
      ready.push(await askForThousand(page))
    }
    const scrolling = await longestTaskOfScrolling(page)
    const step = await stepMs(page)
    await slow(session, slowdown)
    const slowStep = await stepMs(page)
    await slow(session, 1)
    return linesOfP17(ready, scrolling, step, slowStep, await page.locator('[data-select]').count())
  } finally {
    await context.close()
  }
}

function slow(session: CDPSession, rate: number): Promise<unknown> {
  return session.send('Emulation.setCPUThrottlingRate', { rate })
}

/** Milliseconds from choosing 1000 a page to rows that answer to the next task. */
function askForThousand(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const sizes = [...document.querySelectorAll('select')].find((one) => [...one.options].some((option) => option.value === '1000'))
    const grid = document.querySelector('[role=grid]')
    if (!sizes || !grid) throw new Error('there is no size to choose')
    const began = performance.now()
    sizes.value = '1000'
    sizes.dispatchEvent(new Event('change', { bubbles: true }))
    while (Number(grid.getAttribute('aria-rowcount')) < 1_000) await new Promise((resolve) => void requestAnimationFrame(resolve))
    await new Promise((resolve) => void setTimeout(resolve, 0))
    return performance.now() - began
  })
}

/** Milliseconds of the longest task of a scroll over thirty screens, 0 where none is over 50; and frames later than 50 ms. */
function longestTaskOfScrolling(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const grid = document.querySelector('[role=grid]')
    if (!grid) throw new Error('there is no grid')
    let longest = 0
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) longest = Math.max(longest, entry.duration)
    })
    observer.observe({ type: 'longtask' })
    for (let turn = 0; turn < 120; turn += 1) {
      grid.scrollTop += 200
      await new Promise((resolve) => void requestAnimationFrame(resolve))
    }
    await new Promise((resolve) => void setTimeout(resolve, 200))
    observer.disconnect()
    return longest
  })
}

/** Milliseconds of script and layout for one step of the keyboard among the thousand rows, the median of 30. */
function stepMs(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const grid = document.querySelector('[role=grid]')
    const cell = grid?.querySelector<HTMLElement>('[data-row] [data-col="1"][role=gridcell]')
    if (!grid || !cell) throw new Error('there is no cell')
    cell.focus()
    cell.click()
    const times: number[] = []
    for (let turn = 0; turn < 30; turn += 1) {
      const began = performance.now()
      const at = document.activeElement ?? cell
      at.dispatchEvent(new KeyboardEvent('keydown', { key: turn % 2 === 0 ? 'ArrowDown' : 'ArrowUp', bubbles: true, cancelable: true }))
      await Promise.resolve()
      grid.getBoundingClientRect()
      times.push(performance.now() - began)
      await new Promise((resolve) => void requestAnimationFrame(resolve))
    }
    return times.toSorted((a, b) => a - b)[15] ?? 0
  })
}

function linesOfP17(ready: readonly number[], scrolling: number, step: number, slowStep: number, boxes: number): Line[] {
  const readyMs = spreadOf(ready)
  return [
    {
      goal: 'P17',
      what: '1000 bills: choosing the size to rows that answer, fetch included',
      ours: shown(readyMs),
      reference: '',
      ratio: `<= ${limits17.readyMs} ms`,
      holds: readyMs.median <= limits17.readyMs,
    },
    {
      goal: 'P17',
      what: 'scrolling them: longest task',
      ours: scrolling === 0 ? 'none over 50 ms' : `${round(scrolling)} ms`,
      reference: '',
      ratio: `<= ${limits17.longTaskMs} ms`,
      holds: scrolling <= limits17.longTaskMs,
    },
    {
      goal: 'P17',
      what: 'a step of the keyboard among them, script and layout',
      ours: `${round(step)} ms`,
      reference: '',
      ratio: `<= ${limits17.tickMs} ms`,
      holds: step <= limits17.tickMs,
    },
    {
      goal: 'P17',
      what: `the same with a processor ${slowdown} times slower`,
      ours: `${round(slowStep)} ms`,
      reference: '',
      ratio: `<= ${limits17.slowTickMs} ms`,
      holds: slowStep <= limits17.slowTickMs,
    },
    {
      goal: 'P17',
      what: 'tick one row, select all 1000',
      ours: boxes === 0 ? 'this list has no boxes to tick' : 'not measured',
      reference: '',
      ratio: '<= 20, <= 50 ms',
      holds: undefined,
    },
  ]
}
