/** P16: the console's downloads, and the time until its rows appear, in a real Chromium. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { startChromium } from '../test/support/chromium.ts'
import type { Ground } from './ground.ts'
import { round, shown, spreadOf } from './measure.ts'
import type { Line } from './table.ts'
import { noteWhenThere, withUnwatchedPages } from './unwatched-pages.ts'

const viewport = { width: 1366, height: 768 }
/** Loads of each kind; the median is shown. */
export const rounds = 9
/** Requests of a page after its rows have appeared are counted separately. */
export const settleMs = 1_000
export const waitMs = 30_000
const kib = 1024
const limits = { loginKib: 120, listKib: 230, requests: 12, codeAgainKib: 5, coldMs: 600, againMs: 250 }

export async function withBrowser<T>(work: (browser: Browser) => Promise<T>): Promise<T> {
  const browser = await startChromium()
  try {
    return await work(browser)
  } finally {
    await browser.close()
  }
}

/** Opens a new browser that knows only the three credentials. */
export function signedIn(browser: Browser, ground: Ground): Promise<BrowserContext> {
  const localStorage = Object.entries(ground.admin).map(([name, value]) => ({ name, value }))
  return browser.newContext({ viewport, storageState: { cookies: [], origins: [{ origin: ground.product.url, localStorage }] } })
}

export interface Loaded {
  readonly requests: number
  readonly bytes: number
  readonly codeBytes: number
  /** Including what came within a second after. */
  readonly inAll: { readonly requests: number; readonly bytes: number }
}

/** Loads an address and records the network traffic until `selector` is in the page. */
export async function loaded(context: BrowserContext, url: string, selector: string): Promise<Loaded> {
  const page = await context.newPage()
  const came = await answersOf(page)
  await page.addInitScript(noteWhenThere, selector)
  await page.goto(url, { waitUntil: 'commit' })
  await page.waitForSelector('html[data-there-at]', { state: 'attached', timeout: waitMs })
  await sleep(settleMs)
  const thereAt = await page.evaluate(() => performance.timeOrigin + Number(document.documentElement.getAttribute('data-there-at')))
  await page.close()
  const before = came.filter(({ at }) => at <= thereAt)
  return { ...sumOf(before), codeBytes: sumOf(before.filter(({ isCode }) => isCode)).bytes, inAll: sumOf(came) }
}

interface Came {
  /** Milliseconds since 1970 at which the first bytes came: downloads that start after the page is complete are later. */
  readonly at: number
  readonly isCode: boolean
  readonly bytes: number
}

function sumOf(answers: readonly Came[]): { requests: number; bytes: number } {
  return { requests: answers.length, bytes: answers.reduce((sum, { bytes }) => sum + bytes, 0) }
}

/** Records responses as transferred: compressed, with headers. */
async function answersOf(page: Page): Promise<readonly Came[]> {
  const session = await page.context().newCDPSession(page)
  const came = new Map<string, Came>()
  // The browser's clock counts from its start; each sent request has the time by both clocks.
  let toWallMs = 0
  await session.send('Network.enable')
  session.on('Network.requestWillBeSent', ({ wallTime, timestamp }) => {
    toWallMs = (wallTime - timestamp) * 1_000
  })
  session.on('Network.responseReceived', ({ requestId, response, type, timestamp }) => {
    if (response.fromDiskCache || response.url.startsWith('data:')) return
    came.set(requestId, { at: timestamp * 1_000 + toWallMs, isCode: type === 'Script' || type === 'Stylesheet', bytes: 0 })
  })
  const answers: Came[] = []
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const answer = came.get(requestId)
    if (answer) answers.push({ ...answer, bytes: encodedDataLength })
  })
  return answers
}

export async function measureP16(ground: Ground, browser: Browser): Promise<Line[]> {
  const address = `${ground.product.url}/clients/1/bills`
  const fresh = await browser.newContext({ viewport })
  const login = await loaded(fresh, `${ground.product.url}/login`, 'input[type=password]')
  await fresh.close()
  const context = await signedIn(browser, ground)
  const first = await loaded(context, address, '[data-row="0"]')
  const second = await loaded(context, address, '[data-row="0"]')
  await context.close()
  return [
    bytesLine('sign-in page, first load', login, limits.loginKib),
    requestsLine('sign-in page, first load', login),
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
    ...(await timeLines('bills list', 'rows', ground, address, '[data-row="0"]')),
  ]
}

/** Measures the time until `selector` appears in an uninstrumented page: with an empty cache, and again. */
export async function timeLines(what: string, end: string, ground: Ground, address: string, selector: string): Promise<Line[]> {
  const cold: number[] = []
  const again: number[] = []
  await withUnwatchedPages(async (open) => {
    for (let turn = 0; turn < rounds; turn += 1) {
      const pages = await open(ground.product.url, ground.admin)
      cold.push(await pages.timeTo(address, selector))
      again.push(await pages.timeTo(address, selector))
      await pages.close()
    }
  })
  return [timeLine(`${what}, cold: to ${end}`, cold, limits.coldMs), timeLine(`${what}, second time: to ${end}`, again, limits.againMs)]
}

function timeLine(what: string, times: readonly number[], most: number): Line {
  const took = spreadOf(times)
  return { goal: 'P16', what, ours: shown(took), reference: '', ratio: `<= ${most} ms`, holds: took.median <= most }
}

export function bytesLine(what: string, one: Loaded, most: number): Line {
  return {
    goal: 'P16',
    what: `${what}: on the wire until it stands there`,
    ours: `${round(one.bytes / kib)} KiB (a second later ${round(one.inAll.bytes / kib)})`,
    reference: '',
    ratio: `<= ${most} KiB`,
    holds: one.bytes <= most * kib,
  }
}

export function requestsLine(what: string, one: Loaded): Line {
  return {
    goal: 'P16',
    what: `${what}: requests`,
    ours: `${one.requests} (a second later ${one.inAll.requests})`,
    reference: '',
    ratio: `<= ${limits.requests}`,
    holds: one.requests <= limits.requests,
  }
}
