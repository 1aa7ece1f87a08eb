import type { Page } from 'playwright-core'
import { z } from 'zod'

export interface SaidNotice {
  /** 'Done', 'Error', 'Note' or 'Warning': the name of its icon. */
  readonly kind: string
  readonly title: string
  readonly message: string
  readonly link: string | null
  /** Milliseconds that it was in the page; null while it is, or if the page was left before. */
  readonly ms: number | null
}

const KEY = 'notices_said'

/** Records every notice in this window, with its duration: many disappear before a test could look. */
export async function recordNotices(page: Page): Promise<void> {
  await page.addInitScript((key) => {
    if (location.protocol === 'about:') return
    type Line = { kind: string; title: string; message: string; link: string | null; ms: number | null }
    const lines: Line[] = JSON.parse(sessionStorage.getItem(key) ?? '[]')
    const inSight = new Map<Element, { line: Line; since: number }>()
    const lineOf = (card: Element): Line => ({
      kind: card.querySelector('svg')?.getAttribute('aria-label') ?? '',
      title: card.children[1]?.children[0]?.textContent ?? '',
      message: [...(card.children[1]?.children ?? [])].find((one, index) => index > 0 && one.tagName === 'DIV')?.textContent ?? '',
      link: card.querySelector('a')?.getAttribute('href') ?? null,
      ms: null,
    })
    let stored = ''
    const look = () => {
      const cards = new Set(document.querySelectorAll('[aria-label="Notices"] [role="status"], [aria-label="Notices"] [role="alert"]'))
      for (const card of cards) {
        if (inSight.has(card)) continue
        const line = lineOf(card)
        lines.push(line)
        inSight.set(card, { line, since: performance.now() })
      }
      for (const [card, { line, since }] of inSight) {
        if (cards.has(card)) continue
        line.ms = performance.now() - since
        inSight.delete(card)
      }
      const text = JSON.stringify(lines)
      if (text !== stored) sessionStorage.setItem(key, text)
      stored = text
    }
    new MutationObserver(look).observe(document, { childList: true, subtree: true })
  }, KEY)
}

/** Returns every notice so far, the oldest first. */
export async function noticesSaid(page: Page): Promise<SaidNotice[]> {
  return page.evaluate((key): SaidNotice[] => JSON.parse(sessionStorage.getItem(key) ?? '[]'), KEY)
}

/** Returns the notice that came after `before` others; it may still be visible. */
export async function heardNotice(page: Page, before = 0): Promise<SaidNotice> {
  await page.waitForFunction(
    ({ key, index }) => JSON.parse(sessionStorage.getItem(key) ?? '[]').length > index,
    { key: KEY, index: before },
    { polling: 50 },
  )
  return at(await noticesSaid(page), before)
}

/** The same once it has disappeared, with its duration in milliseconds. */
export async function goneNotice(page: Page, before = 0): Promise<SaidNotice & { ms: number }> {
  await page.waitForFunction(
    ({ key, index }) => (JSON.parse(sessionStorage.getItem(key) ?? '[]')[index]?.ms ?? null) !== null,
    { key: KEY, index: before },
    { polling: 50 },
  )
  const notice = at(await noticesSaid(page), before)
  if (notice.ms === null) throw new Error('the notice is still in sight')
  return { ...notice, ms: notice.ms }
}

const shownNotice = z.object({ title: z.string(), message: z.string().optional(), duration: z.number(), at: z.number() })
export type ShownNotice = z.infer<typeof shownNotice>

/** Returns the notices that the console keeps for the bell, the newest first, with the seconds that each is shown. */
export async function noticeHistory(page: Page): Promise<ShownNotice[]> {
  const stored = await page.evaluate(() => sessionStorage.getItem('said_notices') ?? '{"notices":[]}')
  return z.object({ notices: z.array(shownNotice) }).parse(JSON.parse(stored)).notices
}

function at(notices: readonly SaidNotice[], index: number): SaidNotice {
  const notice = notices[index]
  if (!notice) throw new Error('no notice came up')
  return notice
}
