/** Checks a state of a page: axe finds nothing in it, and `SCREENSHOTS=folder` saves its picture. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const pictures = process.env['SCREENSHOTS']
const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

export async function lookedAt(page: Page, name: string): Promise<void> {
  if (pictures) await page.screenshot({ path: `${pictures}/${name}.png` })
  const { violations } = await new AxeBuilder({ page }).withTags(wcag).analyze()
  expect(
    violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 200)}`)),
    name,
  ).toEqual([])
}
