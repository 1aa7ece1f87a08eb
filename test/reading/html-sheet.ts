/** Bills as a billing department's own web pages, printed to PDF by a real Chromium: nothing of how `paper.ts` draws is in them. */
import type { Browser } from 'playwright-core'
import type { ReadBillField, ReadMeterField } from '#contract/bill-reading/bill-reading.ts'
import { centsOf, wireOf } from '#contract/kernel/money.ts'
import { seededRandom } from '../../src/server/kernel/seeded-random.ts'
import { startChromium } from '../support/chromium.ts'
import type { Layout } from './layout.ts'
import { grouped, type SampleBill, type SampleKind } from './sample-bill.ts'

export interface Sheet {
  readonly name: string
  readonly kind: SampleKind
  readonly omits: readonly (ReadBillField | ReadMeterField)[]
  readonly css: string
  /** The body of the page. @param chance whole numbers from a seed, for what is printed beside the values that count. */
  html(bill: SampleBill, chance: Chance): string
  readonly supplyOf?: Layout['supplyOf']
}

export type Chance = (from: number, to: number) => number

/** A layout that Chromium prints on letter paper. */
export function sheetLayout({ name, kind, omits, css, html, supplyOf }: Sheet): Layout {
  return {
    name,
    kind,
    omits,
    ...(supplyOf === undefined ? {} : { supplyOf }),
    draw: (bill) => {
      const random = seededRandom(`${name} ${bill.account_number} ${bill.date}`)
      const chance: Chance = (from, to) => from + Math.floor(random() * (to - from + 1))
      return print(`<!doctype html><html><head><style>${base}${css}</style></head><body>${html(bill, chance)}</body></html>`)
    },
  }
}

const base = `@page{size:Letter;margin:0.4in}*{box-sizing:border-box}body{margin:0 8px;font:9pt 'Liberation Sans'}
table{border-collapse:collapse}td,th{vertical-align:top}.r{text-align:right}.page2{break-before:page}`

let browser: Promise<Browser> | undefined

async function print(html: string): Promise<Uint8Array> {
  browser ??= startChromium()
  const page = await (await browser).newPage()
  try {
    await page.setContent(html)
    return new Uint8Array(await page.pdf({ preferCSSPageSize: true, printBackground: true }))
  } finally {
    await page.close()
  }
}

/** Ends the Chromium that printed; the next print starts another. */
export async function closePrinter(): Promise<void> {
  const open = browser
  browser = undefined
  await (await open)?.close()
}

/** '$1,234.50'; a negative amount as `minus` has it, with `#` for the amount. */
export function dollars(amount: string, minus = '-#', sign = '$'): string {
  const text = `${sign}${grouped(amount.replace('-', ''))}`
  return amount.startsWith('-') ? minus.replace('#', text) : text
}

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

/** A date by a pattern: `MMMM` February, `MMM` Feb, `MM` 02, `M` 2, `DD` 08, `D` 8, `YYYY` 2024, `YY` 24. */
export function dated(date: string, pattern: string): string {
  const [year = '', month = '', day = ''] = date.split('-')
  const name = months[Number(month) - 1] ?? ''
  const parts: Readonly<Record<string, string>> = {
    MMMM: name,
    MMM: name.slice(0, 3),
    MM: month,
    M: String(Number(month)),
    DD: day,
    D: String(Number(day)),
    YYYY: year,
    YY: year.slice(2),
  }
  return pattern.replaceAll(/M{1,4}|D{1,2}|Y{4}|Y{2}/g, (part) => parts[part] ?? part)
}

/** Amounts of so many lines that make the total. */
export function split(total: string, lines: number, chance: Chance): string[] {
  let left = centsOf(total)
  const amounts: string[] = []
  for (let line = lines; line > 1; line -= 1) {
    const part = Math.floor((left * chance(5, Math.floor(160 / line))) / 100)
    amounts.push(wireOf(part))
    left -= part
  }
  return [...amounts, wireOf(left)]
}

/** Bars of past use with the number above and the month below each. */
export function bars(chance: Chance, most: number, count = 12): string {
  const bar = (place: number): string => {
    const height = chance(20, 100)
    const label = months[place % 12]?.slice(0, count > 12 ? 1 : 3) ?? ''
    return `<div style="flex:1;text-align:center;font-size:6pt"><div>${Math.round((height * most) / 100)}</div><div style="height:${height / 2}px;background:#58a;margin:0 2px"></div>${label}</div>`
  }
  return `<div style="display:flex;align-items:flex-end">${Array.from({ length: count }, (_, place) => bar(place)).join('')}</div>`
}
