/** Pictures for viewing, in both themes, if `SCREENSHOTS=folder` is set. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

const folder = process.env['SCREENSHOTS']

/** Saves the current page, dark and light. */
export async function pictureOf(page: Page, name: string): Promise<void> {
  if (!folder) return
  await mkdir(folder, { recursive: true })
  const before = await page.evaluate(() => document.body.dataset['theme'] ?? 'dark')
  for (const theme of ['dark', 'light']) {
    await page.evaluate((wanted) => {
      for (const element of [document.documentElement, document.body]) element.dataset['theme'] = wanted
      document.body.className = wanted
    }, theme)
    await page.screenshot({ path: join(folder, `${name}-${theme}.png`) })
  }
  await page.evaluate((wanted) => {
    for (const element of [document.documentElement, document.body]) element.dataset['theme'] = wanted
    document.body.className = wanted
  }, before)
}
