/**
 * Opens everything that can be opened on every route, in Chromium under the exact headers that the server sends with the built console:
 * calendars, menus, popovers, lists of options, dialogs, drawers, viewers, sections, tooltips and charts, nested in each other. What many routes
 * have alike takes turns over the days. The page's writes are refused, so that pressing a button does not affect the next page.
 */
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { pageRoutes } from '../../src/web/routes.ts'
import { makePerson, type Person } from '../support/app.ts'
import { billPdf, paperBill } from '../support/scan-files.ts'
import { hasTurnToday, turn } from '../support/turns.ts'
import { soon, startConsole } from './console.ts'
import { installOpener, type Control, type Opened } from './open-controls.ts'
import { addresses, makeSmallEstate, makeWebhook } from './route-estate.ts'
import { walk, type Walk } from './route-walk.ts'

const underTest = await startConsole()
const { app, db } = underTest
const MINUTE = 60_000
/** Depth of nested layers that are opened: a calendar in a filter panel of a dialog. */
const DEPTH = 3
/** Narrower drawings are icons (px). */
const CHART_WIDTH = 200
/**
 * A list has the same menus and filters on every route. A control that a run has opened already, by its name within layers of the same names, is
 * opened on one of so many further routes a day.
 */
const TURNS = 7
/** The items of these menus depend on the route and its record. */
const OWN_MENU = /^menu Actions/
/** Number of windows that share the routes of a person: a window waits for the next frame most of the time. */
const WINDOWS = 3
/** `/` only leads on, to `/landing` or to the client that was opened last; both are walked under their own addresses. */
const built = pageRoutes.map((page) => page.path).filter((path) => path !== '/')

let admin: Person
let address: (path: string) => string

beforeAll(async () => {
  await makeSmallEstate(db)
  await makeWebhook(db)
  admin = await makePerson(db, 'super_admin')
  const filled = await addresses(db)
  // Dashboards show the months that have bills, whenever the test runs.
  address = (path) => filled(path) + (path.endsWith('/dashboard') ? '?as_of=2026-03-01' : '')
  await makePapers()
}, 3 * MINUTE)

/** The stored document, the waiting scan and a bill's copy are real papers, so that their viewers show something. */
async function makePapers(): Promise<void> {
  const paper = await billPdf([paperBill, paperBill])
  const { files } = app.app.machinery
  for (const key of ['uploads/route/document', 'uploads/route/scan', 'bills/route/copy']) await files.put(key, paper, 'application/pdf')
  await sql`update bill_scans set pages = 2`.execute(db)
  await sql`with file as (insert into files (key, filename, content_type, byte_size, state)
      values ('bills/route/copy', 'copy.pdf', 'application/pdf', ${paper.length}, 'attached') returning id, filename)
    insert into bill_files (client_id, bill_id, position, file_id, filename)
    select bills.client_id, bills.id, 1, file.id, file.filename from bills cross join file`.execute(db)
}

/** Counts of opened controls by kind and outcome, and of skipped controls by reason. */
class Tally {
  readonly opened = new Map<string, number>()
  readonly left = new Map<string, number>()
  readonly found: string[] = []
  private readonly paths = new Set<string>()

  /** Returns false if the same was opened on another route, and it is another day's turn to open it here. */
  isDue(route: string, steps: readonly string[]): boolean {
    const path = steps.join(' > ')
    const isNew = !this.paths.has(path)
    this.paths.add(path)
    return isNew || OWN_MENU.test(path) || hasTurnToday(`${route} ${path}`, TURNS)
  }

  count(control: Control, outcome: Opened['outcome']): void {
    add(this.opened, `${control.kind} → ${outcome}`, 1)
  }

  leave(reasons: Readonly<Record<string, number>>): void {
    for (const [reason, count] of Object.entries(reasons)) add(this.left, reason, count)
  }
}

function add(counts: Map<string, number>, name: string, count: number): void {
  counts.set(name, (counts.get(name) ?? 0) + count)
}

interface Place {
  readonly at: Walk
  readonly tally: Tally
  readonly route: string
  /** The part of the page, as a selector. */
  readonly part: string
}

/** Opens everything in a part of the page, or in the layer that the keys of `path` lead to. */
async function openAll(place: Place, path: readonly string[] = []): Promise<void> {
  const { at, tally, route, part } = place
  const done = new Set<string>()
  // Opening a section or pressing a button may reveal further controls: the search repeats until there are none.
  for (let more = true; more;) {
    const { controls, left } = await at.page.evaluate(({ part, path }) => globalThis.controls.find(part, path), { part, path })
    if (done.size === 0) tally.leave(left)
    const next = controls.filter(({ key }) => !done.has(key))
    more = next.length > 0
    for (const control of next) {
      done.add(control.key)
      const steps = [...path, control.key]
      if (!tally.isDue(route, steps)) {
        tally.leave({ 'opened on another route; here on another day': 1 })
        continue
      }
      const { outcome, broke } = await at.page.evaluate(({ part, steps }) => globalThis.controls.open(part, steps), { part, steps })
      tally.count(control, outcome)
      if (broke) tally.found.push(`${route}: ${steps.join(' > ')}: the page broke`)
      if (broke || outcome === 'elsewhere') await at.go(address(route))
      if (['dialog', 'panel', 'menu'].includes(outcome) && steps.length < DEPTH) await openAll(place, steps)
    }
  }
}

/** Points at two positions of each chart, like a mouse, and looks for the tooltip drawn into it. */
async function pointAtCharts({ page }: Walk, tally: Tally): Promise<void> {
  // The code that draws loads with the first chart. A figure with a table of its values is a chart.
  await soon(() => page.locator('main figure:has(table):not(:has(svg[baseProfile]))').count()).toBe(0)
  for (const chart of await page.locator('main figure svg').all()) {
    const box = await chart.boundingBox()
    if (!box || box.width < CHART_WIDTH) continue
    // In one step: a chart that is drawn anew meanwhile is another element.
    await chart.evaluate((drawing) => drawing.scrollIntoView({ block: 'nearest' }))
    const at = await chart.boundingBox()
    const texts = () => chart.locator('text').count()
    const before = await texts()
    for (const share of [0.35, 0.7]) await page.mouse.move((at?.x ?? 0) + box.width * share, (at?.y ?? 0) + box.height / 2)
    await page.waitForTimeout(50)
    add(tally.opened, `chart → ${(await texts()) > before ? 'tooltip' : 'nothing new'}`, 1)
  }
  await page.mouse.move(0, 0)
}

interface Visit {
  readonly route: string
  readonly part: string
}

/** Makes the visits in several windows of the person at once, and expects no fault. Returns the counts. */
async function visitAll(who: Person, name: string, visits: readonly Visit[]): Promise<Tally> {
  const tally = new Tally()
  const left = [...visits]
  await Promise.all(Array.from({ length: WINDOWS }, () => visitInWindow(who, left, tally)))
  const said = (counts: ReadonlyMap<string, number>) => JSON.stringify(Object.fromEntries([...counts].toSorted()), null, 2)
  console.log(`${name}: ${visits.length} visits, the turns of day ${turn}\nopened ${said(tally.opened)}\nleft alone ${said(tally.left)}`)
  expect(tally.found).toEqual([])
  return tally
}

/** Makes one visit after the other, while there are some left. */
async function visitInWindow(who: Person, left: Visit[], tally: Tally): Promise<void> {
  const at = await walk(underTest, who, installOpener)
  at.page.on('request', (request) => {
    if (!['GET', 'HEAD'].includes(request.method())) tally.found.push(`a write left the page: ${request.method()} ${request.url()}`)
  })
  for (let visit = left.shift(); visit; visit = left.shift()) await visitOne(at, visit, tally)
  tally.found.push(...at.complaints, ...(await at.page.evaluate(() => globalThis.controls.reports)))
}

async function visitOne(at: Walk, { route, part }: Visit, tally: Tally): Promise<void> {
  await at.go(address(route))
  if (part === 'main') {
    const pages = await at.page.locator('main canvas').count()
    if (pages > 0) add(tally.opened, 'viewer → pages of a document', pages)
    await pointAtCharts(at, tally)
  }
  await openAll({ at, tally, route, part })
}

test(
  'whatever can be opened opens on every route, with no script error, no broken content policy and no broken page',
  { timeout: 15 * MINUTE },
  async () => {
    // The header and the menus are the same on every route.
    const visits = [...built.map((route) => ({ route, part: 'main' })), ...['header', 'nav'].map((part) => ({ route: '/landing', part }))]
    const tally = await visitAll(admin, 'super_admin', visits)
    for (const kind of [
      'calendar → calendar',
      'combobox → list',
      'menu → menu',
      'popover → panel',
      'menu item → dialog',
      'chart → tooltip',
    ])
      expect(tally.opened.get(kind) ?? 0, kind).toBeGreaterThan(0)
    expect(tally.opened.get('calendar → nothing new')).toBeUndefined()
  },
)

test('the same for a client’s own people, on the pages where they work', { timeout: 5 * MINUTE }, async () => {
  const { rows } = await sql<{ client_id: number }>`select client_id from bills limit 1`.execute(db)
  const person = await makePerson(db, 'client_user', { clients: rows.map((row) => row.client_id) })
  const routes = built.filter((path) =>
    /^\/clients\/:client_id\/(dashboard|bills|bills\/new|bills\/:bill_id|alerts\/exceptions|facilities)$/.test(path),
  )
  await visitAll(
    person,
    'client_user',
    routes.map((route) => ({ route, part: 'main' })),
  )
})
