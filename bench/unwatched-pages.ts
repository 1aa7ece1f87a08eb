/**
 * Uninstrumented pages of a real Chromium. Playwright, like the developer tools, has the browser record for each request which script line
 * started it, and on a page with half a megabyte of code that alone takes a third of the measured time.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { chromiumFlags, chromiumPath } from '../test/support/chromium.ts'

/** A page is left alone for this long (ms) before it is queried, and queried again at most this often. */
const aloneMs = 1_500
const asksMax = 20

export interface UnwatchedPages {
  /** Returns the milliseconds from the navigation of a new page to the first frame that contains `selector`. */
  timeTo(url: string, selector: string): Promise<number>
  close(): Promise<void>
}

/** Opens pages that share storage and cache, both empty except for these entries of local storage. */
export type OpenPages = (origin: string, stored: Readonly<Record<string, string>>) => Promise<UnwatchedPages>

/** Records in the document when `wanted` first appeared. Runs in the page. */
export function noteWhenThere(wanted: string): void {
  const look = (): void => {
    if (document.querySelector(wanted)) document.documentElement.setAttribute('data-there-at', String(performance.now()))
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

/** Starts a Chromium for `work`, and stops it. */
export async function withUnwatchedPages<T>(work: (open: OpenPages) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'meterbook-browser-'))
  const args = [...chromiumFlags, '--headless=new', '--remote-debugging-port=0', `--user-data-dir=${folder}`, 'about:blank']
  const browser = spawn(await chromiumPath(), args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const gone = new Promise((resolve) => browser.once('exit', resolve))
  try {
    const send = await connect(await addressSaidOn(browser.stderr))
    return await work((origin, stored) => openPages(send, origin, stored))
  } finally {
    browser.kill('SIGKILL')
    await gone
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function openPages(send: Send, origin: string, stored: Readonly<Record<string, string>>): Promise<UnwatchedPages> {
  const { browserContextId } = contextMade.parse(await send('Target.createBrowserContext'))
  const open = async () => {
    const { targetId } = targetMade.parse(await send('Target.createTarget', { url: 'about:blank', browserContextId, newWindow: true }))
    const { sessionId } = attached.parse(await send('Target.attachToTarget', { targetId, flatten: true }))
    await send('Page.enable', {}, sessionId)
    const screen = { width: 1366, height: 768, deviceScaleFactor: 1, mobile: false }
    await send('Emulation.setDeviceMetricsOverride', screen, sessionId)
    const read = async (expression: string): Promise<unknown> =>
      evaluated.parse(await send('Runtime.evaluate', { expression, returnByValue: true }, sessionId)).result.value
    return { sessionId, read, close: () => send('Target.closeTarget', { targetId }) }
  }
  const seed = await open()
  await send('Page.navigate', { url: `${origin}/login` }, seed.sessionId)
  await sleep(aloneMs)
  await seed.read(`for (const [name, value] of Object.entries(${JSON.stringify(stored)})) localStorage.setItem(name, value)`)
  await send('Network.clearBrowserCache', {}, seed.sessionId)
  await seed.close()
  return {
    timeTo: async (url, selector) => {
      const page = await open()
      const source = `(${noteWhenThere.toString()})(${JSON.stringify(selector)})`
      await send('Page.addScriptToEvaluateOnNewDocument', { source }, page.sessionId)
      await send('Page.navigate', { url }, page.sessionId)
      for (let ask = 0; ask < asksMax; ask += 1) {
        await sleep(aloneMs)
        const there = await page.read(`document.documentElement.getAttribute('data-there-at')`)
        if (typeof there !== 'string') continue
        await page.close()
        return Number(there)
      }
      throw new Error(`${selector} never stood in ${url}`)
    },
    close: async () => {
      await send('Target.disposeBrowserContext', { browserContextId })
    },
  }
}

// ---------------------------------------------------------------- the browser's protocol

type Send = (method: string, params?: object, sessionId?: string) => Promise<unknown>

const contextMade = z.object({ browserContextId: z.string() })
const targetMade = z.object({ targetId: z.string() })
const attached = z.object({ sessionId: z.string() })
const evaluated = z.object({ result: z.object({ value: z.unknown().optional() }) })
const answer = z.object({ id: z.int().optional(), result: z.unknown().optional(), error: z.object({ message: z.string() }).optional() })

/** Returns the address of the debugging port, which a starting Chromium prints to stderr. */
function addressSaidOn(stream: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    stream.on('data', (chunk) => {
      said += String(chunk)
      const [address] = /ws:\/\/\S+/.exec(said) ?? []
      if (address !== undefined) resolve(address)
    })
    stream.on('end', () => reject(new Error(`Chromium did not start: ${said.slice(-500)}`)))
  })
}

async function connect(address: string): Promise<Send> {
  const socket = new WebSocket(address)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error('Chromium does not answer')))
  })
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error } = answer.parse(JSON.parse(String(data)))
    if (id === undefined) return
    const asked = waiting.get(id)
    waiting.delete(id)
    if (error) asked?.reject(new Error(error.message))
    else asked?.resolve(result)
  })
  let last = 0
  return (method, params = {}, sessionId) => {
    const id = ++last
    const asked = Promise.withResolvers<unknown>()
    waiting.set(id, asked)
    socket.send(JSON.stringify({ id, method, params, sessionId }))
    return asked.promise
  }
}
