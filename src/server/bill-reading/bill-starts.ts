/**
 * Detects where a new bill begins in a scan of several: 'Page 1 of 3', another vendor in the page head, another account, invoice or date
 * than on the pages before, or a page that resembles the first page of the last bill and does not name its account.
 */
import { likeness, signatureOf } from './fixed-words.ts'
import { nothingKnown, readHeads } from './read-heads.ts'
import { lettersAndDigits } from './same-value.ts'
import { textOf, type Sheet } from './page-lines.ts'

/**
 * @param vendorNames names that the document prints somewhere
 * @returns page numbers, always including the first page.
 */
export function billStarts(sheets: readonly Sheet[], vendorNames: readonly string[] = []): number[] {
  const names = vendorNames.map((name) => lettersAndDigits(name).toLowerCase()).filter((name) => name !== '')
  const starts: number[] = []
  let open: Page | null = null
  for (const sheet of sheets) {
    const page = pageOf(sheet, names)
    if (open === null || begins(open, page)) {
      starts.push(sheet.page)
      open = page
    } else open = joined(open, page)
  }
  return starts
}

interface Page {
  readonly counted: number | null
  readonly vendor: string | null
  readonly marks: Readonly<Record<Mark, string | null>>
  /** Letters and digits of the page. */
  readonly text: string
  readonly signature: readonly string[]
}

const marks = ['account_number', 'invoice_number', 'date', 'due_date'] as const
type Mark = (typeof marks)[number]

function begins(open: Page, page: Page): boolean {
  if (page.counted !== null) return page.counted === 1
  if (page.vendor !== null && open.vendor !== null) {
    const isOther = page.vendor !== open.vendor
    if (isOther) return true
  }
  const others = marks.filter((mark) => differs(open.marks[mark], page.marks[mark])).length
  if (others > 1 || (others === 1 && page.marks.account_number !== null)) return true
  const account = open.marks.account_number
  const isSameAccount = account !== null && page.text.includes(account.toLowerCase())
  return !isSameAccount && page.signature.length >= PHRASES_MIN && likeness(open.signature, page.signature) >= LIKE_MIN
}

/** Keeps the look of a bill's first page, and adds values from its other pages that the first one lacks. */
function joined(open: Page, page: Page): Page {
  const known = (mark: Mark): string | null => open.marks[mark] ?? page.marks[mark]
  return {
    ...open,
    vendor: open.vendor ?? page.vendor,
    marks: {
      account_number: known('account_number'),
      invoice_number: known('invoice_number'),
      date: known('date'),
      due_date: known('due_date'),
    },
  }
}

/** Two first pages of one layout share at least this part of their words, and have at least this many phrases of bills. */
const LIKE_MIN = 0.6
const PHRASES_MIN = 3

const differs = (a: string | null, b: string | null): boolean => a !== null && b !== null && a !== b

/** Values below this are guesses: a page of charges does not start a new bill because of one. */
const LIKELY = 0.5
/** The sender's name is in the upper part of the page, down to this fraction. */
const HEAD = 0.3

function pageOf(sheet: Sheet, names: readonly string[]): Page {
  const found = readHeads([sheet], nothingKnown)
  const best = (field: Mark): string | null => {
    const [one] = found.get(field) ?? []
    return one === undefined || one.score < LIKELY ? null : one.value.replace(/[^A-Za-z0-9]/g, '')
  }
  const head = compactOf(sheet, (y) => y < sheet.height * HEAD)
  const [vendor] = names.filter((name) => head.includes(name)).toSorted((a, b) => b.length - a.length)
  return {
    counted: pageCount(sheet),
    vendor: vendor ?? null,
    marks: {
      account_number: best('account_number'),
      invoice_number: best('invoice_number'),
      date: best('date'),
      due_date: best('due_date'),
    },
    text: compactOf(sheet, () => true),
    signature: signatureOf([sheet]),
  }
}

const compactOf = (sheet: Sheet, isIn: (y: number) => boolean): string =>
  lettersAndDigits(
    sheet.lines
      .filter((line) => isIn(line.y))
      .map((line) => textOf(line.tokens))
      .join(''),
  ).toLowerCase()

function pageCount(sheet: Sheet): number | null {
  for (const line of sheet.lines) {
    const match = /\bpage:? (\d{1,3}) of (\d{1,3})\b/i.exec(textOf(line.tokens))
    if (match?.[1] !== undefined) return Number(match[1])
  }
  return null
}
