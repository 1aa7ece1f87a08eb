/** P17: the time until a thousand rows are usable, and how they scroll and are selected, in a real Chromium. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { z } from 'zod'
import { rounds, settleMs, signedIn, waitMs } from './browser.ts'
import type { Ground } from './ground.ts'
import { round, shown, spreadOf } from './measure.ts'
import type { Line } from './table.ts'

const limits = { readyMs: 150, tickMs: 20, slowTickMs: 60, longTaskMs: 50, selectAllMs: 50 }
const slowdown = 4
const scrollMark = 'meterbook-scroll'
/** One event of a trace; times in microseconds. */
const traceEvent = z.object({
  name: z.string(),
  pid: z.number(),
  tid: z.number(),
  ts: z.number().default(0),
  dur: z.number().default(0),
  tdur: z.number().default(0),
})
type TraceEvent = z.infer<typeof traceEvent>

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
    const scrolling = await longestTaskOfScrolling(browser, page)
    const step = await stepMs(page)
    await slow(session, slowdown)
    const slowStep = await stepMs(page)
    await slow(session, 1)
    return [...linesOfP17(ready, scrolling, step, slowStep), ...linesOfTicks(await ticks(ground, page, session))]
  } finally {
    await context.close()
  }
}

function slow(session: CDPSession, rate: number): Promise<unknown> {
  return session.send('Emulation.setCPUThrottlingRate', { rate })
}

/** Milliseconds from choosing 1000 per page until the rows are there and the main thread is free. */
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

interface LongestTask {
  /** Milliseconds of wall time, including the machine's other work. */
  readonly ms: number
  /** Milliseconds of the main thread's CPU time, for the task that took most of it. */
  readonly cpuMs: number
}

/** Returns the longest task of the page's main thread while scrolling over thirty screens. */
async function longestTaskOfScrolling(browser: Browser, page: Page): Promise<LongestTask> {
  const session = await browser.newBrowserCDPSession()
  const tasks: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => void tasks.push(...value.map((event) => traceEvent.parse(event))))
  const ended = new Promise<void>((resolve) => void session.once('Tracing.tracingComplete', () => resolve()))
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', 'blink.user_timing', 'disabled-by-default-devtools.timeline'] },
  })
  await page.evaluate(scrollThirtyScreens, scrollMark)
  await session.send('Tracing.end')
  await ended
  await session.detach()
  const mark = tasks.find((event) => event.name === scrollMark)
  const own = tasks.filter((event) => event.name === 'RunTask' && event.pid === mark?.pid && event.tid === mark.tid && event.ts >= mark.ts)
  if (own.length === 0) throw new Error('the trace has no tasks of the page')
  return { ms: Math.max(...own.map((event) => event.dur)) / 1_000, cpuMs: Math.max(...own.map((event) => event.tdur)) / 1_000 }
}

async function scrollThirtyScreens(mark: string): Promise<void> {
  const grid = document.querySelector('[role=grid]')
  if (!grid) throw new Error('there is no grid')
  performance.mark(mark)
  for (let turn = 0; turn < 120; turn += 1) {
    grid.scrollTop += 200
    await new Promise((resolve) => void requestAnimationFrame(resolve))
  }
}

/** Milliseconds of script and layout for one keyboard step among the thousand rows, the median of 30. */
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

function linesOfP17(ready: readonly number[], scrolling: LongestTask, step: number, slowStep: number): Line[] {
  const readyMs = spreadOf(ready)
  return [
    {
      goal: 'P17',
      what: '1000 bills: choosing the size to rows that answer, fetch included',
      ours: shown(readyMs),
      reference: '',
      ratio: `<= ${limits.readyMs} ms`,
      holds: readyMs.median <= limits.readyMs,
    },
    {
      goal: 'P17',
      what: 'scrolling them: longest task',
      ours: `${round(scrolling.ms)} ms; none over ${round(scrolling.cpuMs)} ms of its own CPU`,
      reference: '',
      ratio: `<= ${limits.longTaskMs} ms`,
      holds: scrolling.ms <= limits.longTaskMs,
    },
    {
      goal: 'P17',
      what: 'a step of the keyboard among them, script and layout',
      ours: `${round(step)} ms`,
      reference: '',
      ratio: `<= ${limits.tickMs} ms`,
      holds: step <= limits.tickMs,
    },
    {
      goal: 'P17',
      what: `the same with a processor ${slowdown} times slower`,
      ours: `${round(slowStep)} ms`,
      reference: '',
      ratio: `<= ${limits.slowTickMs} ms`,
      holds: slowStep <= limits.slowTickMs,
    },
  ]
}

interface Ticks {
  readonly one: number
  readonly slowOne: number
  readonly all: number
}

/** Selects rows among a thousand fetched statements, the console's list with selectable rows. */
async function ticks(ground: Ground, page: Page, session: CDPSession): Promise<Ticks> {
  await ground.raw.query(thousandStatements)
  await page.goto(`${ground.product.url}/clients/1/bills/import?per=1000`)
  await page.waitForSelector('[data-row="0"] [data-select]', { timeout: waitMs })
  await sleep(settleMs)
  const one = await clickMs(page, '[data-row] [data-select]')
  await slow(session, slowdown)
  const slowOne = await clickMs(page, '[data-row] [data-select]')
  await slow(session, 1)
  return { one, slowOne, all: await clickMs(page, '[role=columnheader] input[type=checkbox]') }
}

/** The tests' database has no provider, so these insert as many statements as a page can have, none of them matched. */
const thousandStatements = `insert into retrieval_statements
    (client_id, provider, statement_id, file_id, account_number, kind, provider_name, statement_date, due_date, amount, raw, state)
  select 1, 'bench', head->>'statement_id', head->>'file_id', head->>'account_number', 'bill', head->>'provider_name',
    (head->>'bill_date')::date, (head->>'due_date')::date, (head->>'amount_due')::numeric, head, 'new'
  from (select jsonb_build_object('statement_id', 's' || at, 'file_id', 'f' || at, 'kind', 'bill', 'provider_name', 'Utility ' || at % 7,
      'account_number', 'B-' || at, 'bill_date', '2026-01-15', 'due_date', '2026-02-05', 'amount_due', '120.50',
      'service_address', null, 'invoice_number', null, 'interval_start', '2025-12-10', 'interval_end', '2026-01-10',
      'balance_forward', '0.00', 'current_charges', '120.50') as head
    from generate_series(1, 1000) at) heads
  on conflict do nothing`

/** Milliseconds of script and layout for a click on a checkbox, the median of 15: the first one, alternately on and off. */
export function clickMs(page: Page, selector: string): Promise<number> {
  return page.evaluate(async (wanted) => {
    const times: number[] = []
    for (let turn = 0; turn < 15; turn += 1) {
      const box = document.querySelector<HTMLInputElement>(wanted)
      if (!box) throw new Error('there is no box')
      const was = box.checked
      const began = performance.now()
      box.click()
      await Promise.resolve()
      document.querySelector('[role=grid]')?.getBoundingClientRect()
      times.push(performance.now() - began)
      await new Promise((resolve) => void requestAnimationFrame(resolve))
      if (document.querySelector<HTMLInputElement>(wanted)?.checked === was) throw new Error('the box did not change')
    }
    return times.toSorted((a, b) => a - b)[7] ?? 0
  }, selector)
}

function linesOfTicks({ one, slowOne, all }: Ticks): Line[] {
  const line = (what: string, ms: number, most: number): Line => ({
    goal: 'P17',
    what,
    ours: `${round(ms)} ms`,
    reference: '',
    ratio: `<= ${most} ms`,
    holds: ms <= most,
  })
  return [
    line('1000 fetched statements: tick one row', one, limits.tickMs),
    line(`the same with a processor ${slowdown} times slower`, slowOne, limits.slowTickMs),
    line('select all 1000 of them', all, limits.selectAllMs),
  ]
}
