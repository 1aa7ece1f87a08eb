/**
 * Enters a bill as a clerk does, and counts what that costs by the keystroke-level model: K for a key, M for a value that is looked up on the
 * paper, R for the time that the console keeps the clerk waiting.
 */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Seconds for a key, and for a value that is looked up on the paper. */
const [KEY_S, LOOK_S] = [0.2, 1.35]
/** More stops than any bill of these tests has. */
const MOST_STOPS = 200

/** The values of the paper for each field that is typed, by the end of the field's name. `=` is a key and not a value of the paper. */
export interface Paper {
  /** The digits that are typed into the search of the account, without the separators of the paper. */
  readonly account: string
  readonly head: Readonly<Record<string, string>>
  /** By id of the service. */
  readonly lines: Readonly<Record<number, Readonly<Record<string, string>>>>
}

export interface Entered {
  readonly keys: number
  readonly looks: number
  readonly waited: number
  readonly seconds: number
}

/** Types one bill, from the search of its account to the search of the next one. Only keys are pressed, and each is recorded in the page. */
export async function enterBill(page: Page, paper: Paper): Promise<Entered> {
  const clerk = await clerkAt(page)
  await page.keyboard.type(paper.account)
  await clerk.waitFor('option')
  await page.keyboard.press('Enter')
  await clerk.waitFor('date')
  const left = new Map(valuesOf(paper))
  const typed = left.size
  let marks = 0
  for (let stop = 0; left.size > 0; stop++) {
    if (stop > MOST_STOPS) throw new Error(`No key leads to ${[...left.keys()].join(', ')}`)
    const { here, passed, shown } = await placeOf(page)
    const value = left.get(here)
    if (value !== undefined) {
      left.delete(here)
      if (value === '=') marks += 1
      // A date that was proposed as printed on the paper is compared and not typed.
      if (!isShown(shown, value)) await page.keyboard.type(value)
    }
    // Tab reaches what Enter passes.
    if (left.size > 0) await page.keyboard.press(passed.some((name) => left.has(name)) ? 'Tab' : 'Enter')
  }
  await page.keyboard.press('Control+Shift+Enter')
  await clerk.waitFor('search')
  return clerk.costs(1 + typed - marks)
}

/** Whether a date field shows the day that would be typed as `mmdd`. */
function isShown(shown: string, typed: string): boolean {
  return /^\d\d\/\d\d\/\d{4}$/.test(shown) && shown.slice(0, 5).replace('/', '') === typed
}

function valuesOf({ head, lines }: Paper): [string, string][] {
  const ofLines = Object.entries(lines).flatMap(([service, values]) =>
    Object.entries(values).map(([name, value]): [string, string] => [`lines.n${service}.${name}`, value]),
  )
  return [...Object.entries(head), ...ofLines]
}

/** Counts each key that is pressed, with Ctrl and Shift, and notes when the last one was pressed. */
async function recordKeys(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { dataset } = document.body
    dataset['keys'] = '0'
    if (dataset['recorded']) return
    dataset['recorded'] = 'yes'
    document.addEventListener(
      'keydown',
      () => {
        dataset['keys'] = String(Number(dataset['keys']) + 1)
        dataset['last'] = String(performance.now())
      },
      { capture: true },
    )
    document.addEventListener('pointerdown', () => (dataset['mouse'] = 'used'), { capture: true })
  })
}

/** What a clerk waits for: an option, the first field of a bill or of a group's sheet, the next search, a bill that is stored. */
type Sight = 'option' | 'date' | 'sheet' | 'search' | 'stored'

/**
 * Counts the keys from now on. Waits as the clerk does, and adds the seconds up, from the last key to the frame in which the next key can be
 * pressed.
 */
export async function clerkAt(page: Page) {
  await recordKeys(page)
  let waited = 0
  return {
    waitFor: async (what: Sight) => {
      const ready = await page.waitForFunction(sinceLastKey, what).catch(async (error: unknown) => {
        const said = await page
          .locator('[role="alert"], [aria-invalid="true"]')
          .evaluateAll((all) => all.map((one) => one.getAttribute('name') ?? one.textContent))
        throw new Error(`The console does not go on to ${what}. It says: ${said.join('; ')}`, { cause: error })
      })
      waited += Number(await ready.jsonValue()) / 1000
    },
    /** The cost so far, with the values that were looked up. */
    costs: async (looks: number): Promise<Entered> => {
      const keys = Number(await page.evaluate(() => document.body.dataset['keys']))
      return { keys, looks, waited, seconds: keys * KEY_S + looks * LOOK_S + waited }
    },
  }
}

/** Runs in the page: the time since the last key (ms) once the sight is there, else false. */
function sinceLastKey(sought: Sight): number | false {
  const focused = document.activeElement
  const isThere = {
    option: () => document.querySelector('[role="listbox"] [role="option"]') !== null,
    date: () => focused?.getAttribute('name') === 'date',
    sheet: () => focused?.getAttribute('name') === 'date' && focused.closest('[aria-label="Summary bill"]') !== null,
    search: () => focused?.getAttribute('role') === 'combobox' && document.querySelector('form[aria-label="Bill form"]') === null,
    stored: () => /\/bills\/\d+$/.test(location.pathname),
  }[sought]
  return isThere() && performance.now() - Number(document.body.dataset['last'])
}

/** Returns the focused field's name and text, and the names of those that Enter passes on its way to the next one. */
async function placeOf(page: Page): Promise<{ here: string; shown: string; passed: string[] }> {
  const place = await page.evaluate(() => {
    const shown = 'input:not([type="hidden"], [type="file"], :disabled), select:not(:disabled), textarea:not(:disabled)'
    const fields = [...document.querySelectorAll('form[aria-label="Bill form"] :is(' + shown + ')')].filter((one) => one.checkVisibility())
    const at = fields.findIndex((one) => one === document.activeElement)
    const ahead = fields.slice(at + 1)
    const stop = ahead.findIndex((one) => !one.closest('[data-passed]'))
    const names = ahead.slice(0, stop === -1 ? ahead.length : stop).map((one) => one.getAttribute('name') ?? '')
    const here = document.activeElement
    return [at, fields[at]?.getAttribute('name') ?? '', names, here instanceof HTMLInputElement ? here.value : ''] as const
  })
  expect(place[0], 'the focus is in a field of the form').toBeGreaterThanOrEqual(0)
  const bare = (name: string) => name.replace(/\.service_bill_(entry|additional_entry)_fields\.|\.service_bill_usage_factors\./, '.')
  return { here: bare(place[1]), shown: place[3], passed: place[2].map(bare) }
}

/** A row of the table: what the bill took before Enter passed what is known, and the goal in seconds. */
export interface Pace {
  readonly bill: string
  readonly before: { readonly keys: number; readonly looks: number; readonly seconds: number }
  readonly goal: number | null
}

export function paceTable(rows: readonly (Pace & { readonly now: Entered })[]): string {
  const head = ['bill', 'keys', 'M', 'R s', 'total s', 'before: keys', 'M', 'total s', 'goal s']
  const cells = rows.map(({ bill, before, goal, now }) => [
    bill,
    String(now.keys),
    String(now.looks),
    now.waited.toFixed(2),
    now.seconds.toFixed(1),
    String(before.keys),
    String(before.looks),
    before.seconds.toFixed(1),
    goal === null ? '' : `${goal} ${now.seconds <= goal ? 'holds' : 'NO'}`,
  ])
  const line = (texts: readonly string[]) => `| ${texts.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...cells.map(line)].join('\n')
}
