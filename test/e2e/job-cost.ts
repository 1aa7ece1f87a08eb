/** Measures a job of the day: clicks and keys as the browser's own events tell them, and the seconds from the first one to its visible end. */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

export interface JobBound {
  readonly clicks: number
  readonly keys: number
}

/** A file as a person has it on the disk. */
export interface ChosenFile {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

/** Starts to count in this page and in those that it loads afterwards. */
export async function startJob(page: Page): Promise<void> {
  await page.addInitScript(countInput)
  await page.evaluate(countInput)
  await page.evaluate((now) => {
    for (const [name, value] of Object.entries({ job_clicks: 0, job_keys: 0, job_from: now })) sessionStorage.setItem(name, String(value))
  }, Date.now())
}

/** Prints what the job has cost so far, and holds its clicks and keys. The seconds depend on the machine and hold nothing. */
export async function endJob(page: Page, job: number, most: JobBound): Promise<void> {
  const now = Date.now()
  const [clicks = 0, keys = 0, from = 0] = await page.evaluate(() =>
    ['job_clicks', 'job_keys', 'job_from'].map((name) => Number(sessionStorage.getItem(name))),
  )
  console.log(`JOB ${job}: ${clicks} clicks, ${keys} keys, ${((now - from) / 1000).toFixed(1)} s`)
  expect(from, `job ${job} was started`).toBeGreaterThan(0)
  expect.soft(clicks, `clicks of job ${job}`).toBeLessThanOrEqual(most.clicks)
  expect.soft(keys, `keys of job ${job}`).toBeLessThanOrEqual(most.keys)
}

/** Chooses a file by the button that opens the browser's own dialog, which is one click. */
export async function chooseFile(page: Page, button: Locator, file: ChosenFile): Promise<void> {
  const asked = page.waitForEvent('filechooser')
  await button.click()
  await (await asked).setFiles([file])
}

/** Runs in the page. The counts are kept in the tab's own store, because a job may load several pages. */
function countInput(): void {
  if ('countsInput' in globalThis) return
  Object.assign(globalThis, { countsInput: true })
  const add = (name: string) => (event: Event) => {
    if (event.isTrusted) sessionStorage.setItem(name, String(Number(sessionStorage.getItem(name)) + 1))
  }
  addEventListener('pointerdown', add('job_clicks'), { capture: true })
  addEventListener('keydown', add('job_keys'), { capture: true })
}
