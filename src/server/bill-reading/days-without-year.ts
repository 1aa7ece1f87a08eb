/** Dates that a bill prints without their year, 'Feb 8', '08-FEB' or '02/08': the year is the one nearest to the bill's own date. */
import { daysBetween } from '#contract/kernel/date.ts'
import type { Line, Sheet, Token } from './page-lines.ts'
import { dateOf } from './printed-dates.ts'

/** Returns the same sheets; words that are a date without a year get their full date. */
export function withYears(sheets: readonly Sheet[], billDate: string): Sheet[] {
  return sheets.map((sheet) => ({ ...sheet, lines: sheet.lines.map((line) => datedLine(line, billDate)) }))
}

function datedLine(line: Line, billDate: string): Line {
  const dated = new Map<Token, Token>()
  for (const [place, token] of line.tokens.entries()) {
    const day = dayAt(line.tokens.slice(place, place + 3), billDate)
    if (day !== null) dated.set(token, { ...token, day })
  }
  if (dated.size === 0) return line
  const known = (token: Token): Token => dated.get(token) ?? token
  return { ...line, tokens: line.tokens.map(known), cells: line.cells.map((cell) => ({ ...cell, tokens: cell.tokens.map(known) })) }
}

type Day = NonNullable<Token['day']>

const bare = (text: string): string => text.replace(/^\(/, '').replace(/[,;:)]+$/, '')

function dayAt([first, second, third]: readonly Token[], billDate: string): Day | null {
  if (first === undefined) return null
  const glued = /^(\d{1,2}\/\d{1,2})[-–](\d{1,2}\/\d{1,2})$/.exec(bare(first.text))
  if (glued) {
    const [value, until] = [nearest(glued[1] ?? '', billDate), nearest(glued[2] ?? '', billDate)]
    return value === null || until === null || until <= value ? null : { value, until, words: 1 }
  }
  if (/^\d{1,2}\/\d{1,2}$/.test(bare(first.text))) return dayOf(bare(first.text), 1, billDate)
  const dayFirst = /^(\d{1,2})-?([A-Za-z]{3})$/.exec(bare(first.text))
  if (dayFirst && !/^\d{4}$/.test(second?.text ?? '')) return dayOf(`${dayFirst[2] ?? ''} ${dayFirst[1] ?? ''}`, 1, billDate)
  if (second === undefined || !/^[A-Za-z]{3,9}\.?$/.test(first.text) || !/^\d{1,2}$/.test(bare(second.text))) return null
  // A year that follows makes it a complete date.
  if (third !== undefined && dateOf([first, second, third].map((token) => token.text).join(' ')) !== null) return null
  return dayOf(`${first.text} ${bare(second.text)}`, 2, billDate)
}

function dayOf(text: string, words: number, billDate: string): Day | null {
  const value = nearest(text, billDate)
  return value === null ? null : { value, words }
}

/** @param text '02/08' or 'Feb 8' */
function nearest(text: string, billDate: string): string | null {
  const year = Number(billDate.slice(0, 4))
  const dates = [year - 1, year, year + 1].flatMap((one) => dateOf(text.includes('/') ? `${text}/${one}` : `${text}, ${one}`) ?? [])
  const [best] = dates.toSorted((a, b) => Math.abs(daysBetween(a, billDate)) - Math.abs(daysBetween(b, billDate)))
  return best ?? null
}
