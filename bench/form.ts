/** P16 and P18 of the bill form: its downloads, the time until its first field accepts keys, and the time from a key to the next frame. */
import type { Browser, Page } from 'playwright-core'
import { bytesLine, loaded, requestsLine, settleMs, signedIn, timeLines, waitMs } from './browser.ts'
import { accountWithMeters } from './form-accounts.ts'
import type { Ground } from './ground.ts'
import { round, spreadOf } from './measure.ts'
import type { Line } from './table.ts'

const limits = { kib: 230, requests: 12, keyMs: 100 }
const slowdown = 4
/** Milliseconds between two keys, and of one key press. */
const keyMs = 30
/** Numbers of meters of the accounts whose bills are typed. */
const meters = [1, 10, 30]
/** The keys that a clerk types into the head of a bill and into a line of it, field by field; Enter moves to the next. */
const head = ['05052026', '05252026', 'INV-4711', '0', '120+35.5', '', '']
const line = ['', '5/1/26', '', '13650', '', '', '', '', '155.50', '7.25', '12.40']

export async function measureForm(ground: Ground, browser: Browser): Promise<Line[]> {
  const addresses = []
  for (const count of meters) {
    const id = await accountWithMeters(ground.raw, count)
    addresses.push({ count, address: `${ground.product.url}/clients/1/bills/new?account_type=billable_account&account_id=${id}` })
  }
  const address = addresses[0]?.address ?? ''
  const context = await signedIn(browser, ground)
  const first = await loaded(context, address, 'input[name=date]')
  await context.close()
  const keys: Line[] = []
  for (const { count, address: at } of addresses) keys.push(...(await keyLines(ground, browser, at, count)))
  return [
    bytesLine('bill form, first load', first, limits.kib),
    requestsLine('bill form, first load', first),
    ...(await timeLines('bill form', 'its first field', ground, address, 'input[name=date]')),
    ...keys,
  ]
}

async function keyLines(ground: Ground, browser: Browser, address: string, count: number): Promise<Line[]> {
  const context = await signedIn(browser, ground)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  try {
    await page.goto(address)
    const plain = await typeBill(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    await page.goto(address)
    const slow = await typeBill(page)
    return [
      keyLine(`bill form, ${count} ${count === 1 ? 'line' : 'lines'}: slowest key of a bill, to the next picture`, plain, limits.keyMs),
      keyLine(`the same with a processor ${slowdown} times slower`, slow, null),
    ]
  } finally {
    await context.close()
  }
}

interface Typed {
  readonly keys: number
  readonly durations: readonly number[]
}

/** Milliseconds from each key to the frame after it, as the browser reports them, in steps of 8; times below 16 are not reported. */
async function typeBill(page: Page): Promise<Typed> {
  await page.locator('input[name=date]').focus({ timeout: waitMs })
  await page.waitForTimeout(settleMs)
  await page.evaluate(() => {
    const seen: number[] = []
    const noted = () => document.body.setAttribute('data-key-times', seen.join(' '))
    const watch = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (entry.name.startsWith('key')) seen.push(entry.duration)
      noted()
    })
    // `durationThreshold` is missing in the DOM types.
    const wanted: PerformanceObserverInit & { durationThreshold: number } = { type: 'event', durationThreshold: 16 }
    watch.observe(wanted)
  })
  const typeAll = async (texts: readonly string[]) => {
    for (const text of texts) {
      await page.keyboard.type(text, { delay: keyMs })
      await page.keyboard.press('Enter', { delay: keyMs })
    }
  }
  await typeAll(head)
  await typeAll(line)
  // The audits have run by now; findings on many lines must not slow down the keys in the last one.
  await page.waitForTimeout(settleMs)
  await page.locator('[data-line]').last().locator('input').first().focus()
  await typeAll(line)
  await page.waitForTimeout(settleMs)
  const noted = await page.locator('body').getAttribute('data-key-times')
  const keys = [...head, ...line, ...line].reduce((sum, text) => sum + text.length + 1, 0)
  return { keys, durations: (noted ?? '').split(' ').filter(Boolean).map(Number) }
}

function keyLine(what: string, { keys, durations }: Typed, most: number | null): Line {
  const slowest = Math.max(0, ...durations)
  return {
    goal: 'P18',
    what,
    ours: `${slowest} ms; ${durations.length} events of ${keys} keys took 16 ms or more, their median ${round(spreadOf(durations.length > 0 ? durations : [0]).median)} ms`,
    reference: '',
    ratio: most === null ? '' : `<= ${most} ms`,
    holds: most === null ? undefined : slowest <= most,
  }
}
