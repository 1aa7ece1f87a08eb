/** Keys as a person without a mouse presses them. */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** More presses of Tab than any page has tab stops. */
export const MOST_STOPS = 120

/** Presses Tab until the target has the focus; an unreachable target fails. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let stops = 0; stops < MOST_STOPS; stops++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${target.toString()}`)
}

export async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target)
  expect(await target.evaluate((element) => element.matches(':focus-visible'))).toBe(true)
  await page.keyboard.press(key)
}

export async function type(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.type(text)
}
