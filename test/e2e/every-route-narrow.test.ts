/**
 * Reflow (WCAG 1.4.10): at 320 px, which is 1280 px at 400 %, no route makes a person scroll sideways to read it. Tables, papers, files as text and
 * rows of tabs may scroll in their own place. The list of routes is the router's own, so that a new page is measured too.
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
  const MAY_SCROLL = '[role=grid], table, nav, nav ol, figure, pre, textarea[readonly], canvas, [role=img], [role=tablist]'
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

test('no route is read by scrolling sideways at 320 px', { timeout: 8 * MINUTE }, async () => {
  const { page, go } = await walk(underTest, admin)
  await page.setViewportSize(narrow)
  const found: string[] = []
  for (const path of pageRoutes.filter((one) => !one.bare).map((one) => one.path)) {
    await go(address(path))
    found.push(...(await page.evaluate(wideParts)).map((part) => `${path}: ${part}`))
    if (pictures) {
      await mkdir(pictures, { recursive: true })
      await page.screenshot({ path: join(pictures, `${path.replaceAll(/[/:]+/g, '-').slice(1) || 'home'}.320.png`) })
    }
  }
  expect(found).toEqual([])
})

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
