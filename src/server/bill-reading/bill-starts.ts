/** Where a new bill seems to begin in one scan of several: 'Page 1 of 3', or another account, invoice or date than on the pages before. */
import { nothingKnown, readHeads } from './read-heads.ts'
import { textOf, type Sheet } from './page-lines.ts'

/** @returns numbers of pages, the first page always among them. */
export function billStarts(sheets: readonly Sheet[]): number[] {
  const starts: number[] = []
  let open: Mark = { account: null, invoice: null, date: null }
  for (const sheet of sheets) {
    const counted = pageCount(sheet)
    const mark = markOf(sheet)
    const isOther = differs(open.account, mark.account) || differs(open.invoice, mark.invoice) || differs(open.date, mark.date)
    const begins = starts.length === 0 || (counted === null ? isOther && mark.account !== null : counted === 1)
    if (begins) {
      starts.push(sheet.page)
      open = mark
    } else {
      open = { account: open.account ?? mark.account, invoice: open.invoice ?? mark.invoice, date: open.date ?? mark.date }
    }
  }
  return starts
}

interface Mark {
  readonly account: string | null
  readonly invoice: string | null
  readonly date: string | null
}

const differs = (a: string | null, b: string | null): boolean => a !== null && b !== null && a !== b

/** Values below this are guesses: a page of charges is no new bill because of one. */
const SURE = 0.75

function markOf(sheet: Sheet): Mark {
  const found = readHeads([sheet], nothingKnown)
  const best = (field: 'account_number' | 'invoice_number' | 'date'): string | null => {
    const [one] = found.get(field) ?? []
    return one === undefined || one.score < SURE ? null : one.value.replace(/[^A-Za-z0-9]/g, '')
  }
  return { account: best('account_number'), invoice: best('invoice_number'), date: best('date') }
}

function pageCount(sheet: Sheet): number | null {
  for (const line of sheet.lines) {
    const match = /\bpage:? (\d{1,3}) of (\d{1,3})\b/i.exec(textOf(line.tokens))
    if (match?.[1] !== undefined) return Number(match[1])
  }
  return null
}
