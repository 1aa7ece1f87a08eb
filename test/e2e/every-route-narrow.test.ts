/**
 * Reflow (WCAG 1.4.10): at 320 px, which is 1280 px at 400 %, no route makes a person scroll sideways to read it. Small tables, papers, files as text
 * and rows of tabs may scroll in their own place; lists may not, because their rows are cards. The list of routes is the router's own, so that a new page is measured too.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { pageRoutes } from '../../src/web/routes.ts'
import { makePerson, type Person } from '../support/app.ts'
import { startConsole } from './console.ts'
import { addresses, makeSmallEstate, makeWebhook } from './route-estate.ts'
import { walk } from './route-walk.ts'

const underTest = await startConsole()
const { db, open } = underTest
const MINUTE = 60_000
const narrow = { width: 320, height: 720 }
const phone = { width: 390, height: 844 }
const pictures = process.env['SCREENSHOTS']
let admin: Person
let address: (path: string) => string

beforeAll(async () => {
  await makeSmallEstate(db)
  await makeWebhook(db)
  admin = await makePerson(db, 'super_admin')
  address = await addresses(db)
}, 3 * MINUTE)

/** Runs in the page. Names what is beyond the edge, and what scrolls sideways without being a table, a paper or a row of tabs. */
function wideParts(): string[] {
  const MAY_SCROLL = 'table, nav, nav ol, figure, pre, textarea[readonly], canvas, [role=img], [role=tablist]'
  const name = (element: Element) =>
    `${element.tagName.toLowerCase()}.${element.getAttribute('class')?.split(' ')[0] ?? ''} “${element.textContent.trim().slice(0, 40)}”`
  const scrolls = (element: Element) => ['auto', 'scroll'].includes(getComputedStyle(element).overflowX)
  const ancestors = (element: Element): Element[] =>
    element.parentElement ? [element.parentElement, ...ancestors(element.parentElement)] : []
  const found: string[] = []
  if (document.documentElement.scrollWidth > innerWidth) found.push(`the page is ${document.documentElement.scrollWidth} px wide`)
  for (const element of document.querySelectorAll('body *')) {
    if (!element.checkVisibility() || element.closest('.sr-only, [popover=manual]')) continue
    const { right, left, width } = element.getBoundingClientRect()
    const around = ancestors(element)
    if (
      scrolls(element) &&
      element.scrollWidth > element.clientWidth + 1 &&
      !element.matches(MAY_SCROLL) &&
      !element.querySelector(MAY_SCROLL)
    )
      found.push(`scrolls sideways: ${name(element)}`)
    // What is cut on purpose, with its whole text in a tip, is inside a parent that hides the rest.
    const isCut = around.some((one) => ['hidden', 'clip'].includes(getComputedStyle(one).overflowX) && one !== document.body)
    if (width > 0 && (right > innerWidth + 1 || left < -1) && !isCut && !around.some(scrolls))
      found.push(`beyond the edge: ${name(element)}`)
  }
  return found.slice(0, 5)
}

interface ShownCards {
  readonly lists: number
  readonly cards: number
  readonly faults: readonly string[]
}

/** Runs in the page. Counts the lists and the cards, and names what a person with a phone would have to look for. */
function readCards(): ShownCards {
  const faults: string[] = []
  const isInSight = (element: Element) => {
    const { left, right, width } = element.getBoundingClientRect()
    return width > 0 && left >= 0 && right <= innerWidth
  }
  const grids = [...document.querySelectorAll('main [role=grid]')]
  for (const grid of grids) {
    const name = grid.getAttribute('aria-label') ?? ''
    if (grid.scrollWidth > grid.clientWidth + 1) faults.push(`${name}: ${grid.scrollWidth} px wide`)
    const rows = [...grid.querySelectorAll('[data-row]:not([data-row="-1"])')]
    if (rows.some((row) => row.getAttribute('data-part') !== 'card')) faults.push(`${name}: rows that are no cards`)
    const [first] = rows
    if (!first) continue
    const title = first.querySelector('[data-card=title]')
    if (!title || !isInSight(title) || title.scrollWidth > title.clientWidth) faults.push(`${name}: its identity is not in sight`)
    for (const part of ['[data-select]', '[data-actions]', '[data-part=more] button']) {
      const found = first.querySelector(part)
      if (found && !isInSight(found)) faults.push(`${name}: ${part} is not in sight`)
    }
    const link = first.querySelector('[data-row-link]')
    if (link && !link.checkVisibility()) faults.push(`${name}: the link of its row is hidden`)
    const parts = [...first.querySelectorAll('[data-card]')]
    if (parts.some((cell) => cell.getAttribute('data-card') === 'rest') && !first.querySelector('[data-part=more] button'))
      faults.push(`${name}: its rest cannot be opened`)
  }
  const header = document.querySelector('header')?.offsetHeight ?? 0
  if (header > 64) faults.push(`the header is ${header} px high`)
  if (document.documentElement.scrollWidth > innerWidth) faults.push(`the page is ${document.documentElement.scrollWidth} px wide`)
  return { lists: grids.length, cards: grids.filter((grid) => grid.querySelector('[data-part=card]')).length, faults }
}

test(
  'no route is read by scrolling sideways at 320 px, and at 390 px each list is cards with identity, menu and link in sight',
  {
    timeout: 8 * MINUTE,
  },
  async () => {
    const { page, go } = await walk(underTest, admin)
    const found: string[] = []
    const counts = { lists: 0, cards: 0 }
    await page.setViewportSize(phone)
    for (const path of pageRoutes.filter((one) => !one.bare).map((one) => one.path)) {
      await go(address(path))
      const shown = await page.evaluate(readCards)
      counts.lists += shown.lists
      counts.cards += shown.cards
      found.push(...shown.faults.map((fault) => `${path} at 390: ${fault}`))
      await page.setViewportSize(narrow)
      found.push(...(await page.evaluate(wideParts)).map((part) => `${path}: ${part}`))
      if (pictures) {
        await mkdir(pictures, { recursive: true })
        await page.screenshot({ path: join(pictures, `${path.replaceAll(/[/:]+/g, '-').slice(1) || 'home'}.320.png`) })
      }
      await page.setViewportSize(phone)
    }
    console.log(`every-route-narrow: ${counts.lists} lists, ${counts.cards} with cards`)
    expect(found).toEqual([])
    expect(counts.cards).toBeGreaterThan(40)
  },
)

test('nor is a page of a window of its own, nor the pages before the sign-in', async () => {
  const found: string[] = []
  const paths = [...pageRoutes.filter((one) => one.bare).map((one) => address(one.path)), '/login', '/forgot_password']
  for (const path of paths) {
    const page = await open(path === '/login' || path === '/forgot_password' ? null : admin)
    await page.setViewportSize(narrow)
    await page.goto(path)
    await page.getByRole('main').waitFor()
    found.push(...(await page.evaluate(wideParts)).map((part) => `${path}: ${part}`))
  }
  expect(found).toEqual([])
})
