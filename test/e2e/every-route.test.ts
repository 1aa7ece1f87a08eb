/**
 * Opens every address of the router's table in both themes. `SCREENSHOTS=folder` saves a picture of each built page with the demonstration data;
 * it is for viewing, not for comparing.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { pageRoutes, redirects } from '../../src/web/routes.ts'
import { makePerson, type Person } from '../support/app.ts'
import { addressOf, soon, startConsole } from './console.ts'
import { axeFindings, wcag } from './looked-at.ts'
import { addresses, makeDemoEstate, makeSmallEstate, makeWebhook } from './route-estate.ts'
import { walk } from './route-walk.ts'

const underTest = await startConsole()
const { db, open } = underTest
const pictures = process.env['SCREENSHOTS']
const MINUTE = 60_000
/** The rules about colors. */
const ofColours = ['color-contrast', 'link-in-text-block']
const broken = /This page broke|There is no such (page|record)|could not be loaded|You have no access|The console has been updated/
const built = pageRoutes.filter((page) => !page.bare).map((page) => page.path)
/** In windows of their own, without the header that the walk goes by. */
const bare = pageRoutes.filter((page) => page.bare).map((page) => page.path)
let admin: Person
let address: (path: string) => string

beforeAll(async () => {
  if (pictures) await makeDemoEstate(underTest)
  else await makeSmallEstate(db)
  await makeWebhook(db)
  admin = await makePerson(db, 'super_admin')
  await sql`insert into mails (to_address, subject, text_body, state) values (${admin.email}, 'Set a new Meterbook password', 'Hello', 'sent')`.execute(
    db,
  )
  address = await addresses(db)
}, 3 * MINUTE)

async function picture(page: Page, theme: string, path: string): Promise<void> {
  if (!pictures) return
  await mkdir(pictures, { recursive: true })
  await page.screenshot({ path: join(pictures, `${path.replaceAll(/[/:]+/g, '-').slice(1) || 'home'}.${theme}.png`) })
}

/** Sets the page's theme by the attributes that the styles use; the switch itself is tested with the shell. */
async function wear(page: Page, theme: 'dark' | 'light'): Promise<void> {
  await page.evaluate((name) => {
    document.documentElement.dataset['theme'] = name
    document.body.dataset['theme'] = name
  }, theme)
}

/** Runs in the page. Returns what stands around `main`, without the numbers that React gives to ids, and without where links lead. */
function readFrame(): string {
  const body = document.body.cloneNode(true)
  if (!(body instanceof HTMLElement)) return ''
  for (const part of body.querySelectorAll('main, script, style')) part.replaceChildren()
  return `${document.documentElement.lang} ${body.outerHTML.replaceAll(/_r_\w+_| (href|aria-current)="[^"]*"/g, '')}`
}

/** Frames that axe has seen. A page is checked as a whole where its frame is new, and elsewhere only its `main`. */
const frames = new Set<string>()

async function partToCheck(page: Page): Promise<{ part?: string }> {
  const frame = await page.evaluate(readFrame)
  const isKnown = frames.has(frame)
  frames.add(frame)
  return isKnown ? { part: 'main' } : {}
}

// Every rule is checked in dark. A theme changes only colors, so in light only the color rules are checked.
test(
  'every built page opens, in dark and in light: nothing broken, no script error, no broken content policy, nothing for axe [SHELL-RULE-004]',
  async () => {
    const { page, complaints, go } = await walk(underTest, admin)
    const found: string[] = []
    for (const path of built) {
      await go(address(path))
      const text = await page.getByRole('main').innerText()
      if (broken.test(text)) found.push(`${path}: ${broken.exec(text)?.[0]}`)
      expect(await page.evaluate(() => document.body.dataset['theme'])).toBe('dark')
      expect(await page.title(), path).not.toBe('')
      const part = await partToCheck(page)
      found.push(...(await axeFindings(page, { tags: wcag, ...part })).map((one) => `${path} in dark: ${one}`))
      await picture(page, 'dark', path)
      await wear(page, 'light')
      expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('light')
      found.push(...(await axeFindings(page, { rules: ofColours, ...part })).map((one) => `${path} in light: ${one}`))
      await picture(page, 'light', path)
      await wear(page, 'dark')
    }
    console.log(`every-route: ${built.length} pages, ${frames.size} frames`)
    expect([...found, ...complaints]).toEqual([])
  },
  5 * MINUTE,
)

test('a page of a window of its own opens there, in dark and in light, with nothing for axe', async () => {
  for (const path of bare) {
    const page = await open(admin, { at: address(path) })
    await page.getByRole('main').waitFor()
    expect(broken.test(await page.getByRole('main').innerText())).toBe(false)
    expect(await axeFindings(page, { tags: wcag }), path).toEqual([])
    await wear(page, 'light')
    expect(await axeFindings(page, { rules: ['color-contrast'] }), path).toEqual([])
  }
})

test('every address answers the console when it is opened by itself, and an old one leads on', async () => {
  const page = await open(admin, { at: '/landing' })
  const wrong: string[] = []
  for (const path of [...built, ...bare]) {
    const answer = await page.request.get(address(path))
    if (answer.status() !== 200 || !answer.headers()['content-type']?.startsWith('text/html')) wrong.push(`${answer.status()} ${path}`)
  }
  expect(wrong).toEqual([])
  for (const { from, to } of redirects) {
    await page.evaluate((href) => history.pushState({}, '', href), address(from))
    await soon(() => addressOf(page)).toBe(address(to))
  }
})

test('an address that is none says so, and leads home', async () => {
  const page = await open(admin, { at: '/no/such/page' })
  await page.getByRole('main').getByRole('heading', { name: 'There is no such page' }).waitFor()
  const home = page.getByRole('main').getByRole('link', { name: 'Home' })
  expect(await home.getAttribute('href')).toBe('/')
  // An invalid id names no record: the page must not break. Nor may a deleted record leave the user without a way on.
  for (const [path, words] of [
    ['/clients/1/billable_accounts/0/bills', 'There is no such page'],
    ['/vendors/x/edit', 'There is no such page'],
    ['/vendors/999999/edit', 'There is no such record'],
  ] as const) {
    await page.goto(path)
    await page.getByRole('main').getByRole('heading', { name: words }).waitFor()
    expect(await home.getAttribute('href'), path).toBe('/')
  }
})
