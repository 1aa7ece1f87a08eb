/** Checks a state of a page: axe finds nothing in it, and `SCREENSHOTS=folder` saves its picture. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const pictures = process.env['SCREENSHOTS']
/** WCAG 2.2, levels A and AA. */
export const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] as const

export interface AxeRules {
  /** Only the rules with one of these tags. */
  readonly tags?: readonly string[]
  /** Only these rules. */
  readonly rules?: readonly string[]
  /** Only the elements in this part of the page. Rules about the page as a whole, as about its title, then say nothing. */
  readonly part?: string
}

export async function lookedAt(page: Page, name: string): Promise<void> {
  if (pictures) await page.screenshot({ path: `${pictures}/${name}.png` })
  expect(await axeFindings(page, { tags: wcag }), name).toEqual([])
}

/**
 * Returns the violations that axe finds in the page, one rule per line; by all of its rules, unless some are named. Its code stays in the
 * page until the page is reloaded, and runs there: the usual mode loads it again into a second page, and takes twice the processor time.
 * The console has no frames, which only that mode could check.
 */
export async function axeFindings(page: Page, { tags, rules, part }: AxeRules = {}): Promise<string[]> {
  expect(page.frames()).toHaveLength(1)
  const isThere = await page.evaluate(() => 'axe' in globalThis)
  const builder = new AxeBuilder({ page, ...(isThere ? { axeSource: 'void 0' } : {}) })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
  if (tags) builder.withTags([...tags])
  if (rules) builder.withRules([...rules])
  if (part !== undefined) builder.include(part)
  const { violations } = await builder.analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`)
}
