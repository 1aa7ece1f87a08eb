/** Meaning of printed words: amounts, dates, numbers and account numbers in the formats of utilities. */
import { unitSymbol } from '#contract/bill-retrieval/printed-usage.ts'
import { parseMoney } from '#contract/kernel/money.ts'
import type { Token } from './page-lines.ts'
import { type Printed, dateAt, periodAt, isTight } from './printed-dates.ts'

export type Kind = 'money' | 'date' | 'period' | 'number' | 'identifier' | 'factor'

/** With more words than this between a label and a value, the value belongs to another label. */
const SKIP_MAX = 3

/** Returns the first value of this kind in these words. */
export function firstPrinted(kind: Kind, tokens: readonly Token[]): Printed | null {
  for (let start = 0; start < Math.min(tokens.length, SKIP_MAX + 1); start += 1) {
    const found = printedAt(kind, tokens.slice(start))
    if (found !== null) return { ...found, skipped: start }
  }
  return null
}

/** Returns all values of this kind in these words, from left to right. */
export function allPrinted(kind: Kind, tokens: readonly Token[]): Printed[] {
  const found: Printed[] = []
  for (let start = 0; start < tokens.length;) {
    const one = printedAt(kind, tokens.slice(start))
    if (one === null) {
      start += 1
      continue
    }
    found.push(one)
    start += Math.max(1, one.tokens.length)
  }
  return found
}

function printedAt(kind: Kind, tokens: readonly Token[]): Printed | null {
  switch (kind) {
    case 'money':
      return moneyAt(tokens)
    case 'date':
      return dateAt(tokens)
    case 'period':
      return periodAt(tokens)
    case 'number':
      return numberAt(tokens)
    case 'factor':
      return factorAt(tokens)
    case 'identifier':
      return identifierAt(tokens)
  }
}

/** '$1,234.50', '1,234.50 CR', '$ 12.00', '(12.00)', '1.234,50'; always with cents, since whole numbers are readings and years. */
function moneyAt(tokens: readonly Token[]): Printed | null {
  for (const count of [3, 2, 1]) {
    const part = tokens.slice(0, count)
    if (part.length < count) continue
    const value = moneyOf(part.map((token) => token.text).join(''))
    if (value !== null && isTight(part)) return { value, tokens: part, skipped: 0 }
  }
  return null
}

export function moneyOf(printed: string): string | null {
  let text = printed
    .replace(/^USD|USD$/i, '')
    .replace(/[:;|]$/, '')
    .replace(/[.,]$/, '')
  const isCredit = /CR$/i.test(text)
  text = text.replace(/CR$/i, '')
  // Letters in place of digits, as the recognition returns them inside an amount.
  if (/^[-($]*[\dOolIS,]+\.[\dOolIS]{2}\)?-?$/.test(text) && /\d/.test(text))
    text = text.replace(/[Oo]/g, '0').replace(/[lI]/g, '1').replace(/S/g, '5')
  if (/^-?\$?\d{1,3}(\.\d{3})*,\d{2}$/.test(text)) text = text.replaceAll('.', '').replace(',', '.')
  if (!/\.\d{2}\)?-?$/.test(text)) return null
  const value = parseMoney(text)
  return value === null ? null : isCredit && !value.startsWith('-') && value !== '0.00' ? `-${value}` : value
}

/** '12,345', '12345.678'; an attached unit or mark is left out. */
function numberAt(tokens: readonly Token[]): Printed | null {
  const [token] = tokens
  if (token === undefined || dateAt(tokens) !== null || token.text.includes('$')) return null
  const value = numberOf(token.text)
  return value === null ? null : { value, tokens: [token], skipped: 0 }
}

export function numberOf(printed: string): string | null {
  const match = /^[([]?(-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?)[)\].,;:*]*([A-Za-z]{0,8}\d?)$/.exec(printed)
  if (!match?.[1] || (match[2] !== '' && !isMark(match[2] ?? ''))) return null
  const plain = match[1].replaceAll(',', '')
  const trimmed = plain.includes('.') ? plain.replace(/\.?0+$/, '') : plain
  return trimmed.length > 15 ? null : trimmed.replace(/^(-?)0+(?=\d)/, '$1')
}

const isMark = (letters: string): boolean => /^(a|e|est|act)$/i.test(letters) || unitOf(letters) !== null

/** A multiplier: 'x 40', '40.0000', '1.0234'. */
function factorAt(tokens: readonly Token[]): Printed | null {
  const start = /^[x×*]$/i.test(tokens[0]?.text ?? '') ? 1 : 0
  const token = tokens[start]
  if (token === undefined) return null
  const value = numberOf(token.text.replace(/^[x×]/i, ''))
  return value === null || value.startsWith('-') ? null : { value, tokens: [token], skipped: 0 }
}

/** Letters, digits and separators with at least four digits; closely following words of digits belong to it. */
function identifierAt(tokens: readonly Token[]): Printed | null {
  const [first] = tokens
  if (first === undefined || !isIdentifier(first.text) || dateAt(tokens) !== null || isAmount(first.text)) return null
  const used = [first]
  for (const token of tokens.slice(1)) {
    const before = used.at(-1)
    // A comma behind a number ends it.
    if (
      before === undefined ||
      /[,;:)|]$/.test(before.text) ||
      !/^[\d-]+[A-Z]?$/.test(token.text) ||
      token.x - (before.x + before.width) > before.height * 0.8
    )
      break
    used.push(token)
  }
  const value = used.map((token) => token.text.replace(/^[#:(]+|[,;:.)|]+$/g, '')).join(' ')
  return value.replace(/\D/g, '').length < DIGITS_MIN ? null : { value, tokens: used, skipped: 0 }
}

/**
 * Six or more digits before the cents, without a comma or a sign, are a number with a decimal part, as some utilities format account
 * numbers.
 */
const isAmount = (text: string): boolean => moneyOf(text) !== null && !/^\d{6,}\.\d{2}$/.test(text)

const DIGITS_MIN = 3
const isIdentifier = (text: string): boolean =>
  /^[#:(]*[A-Za-z]{0,6}[-./]?\d[\dA-Za-z./-]*[,;:.)|]*$|^[#:(]*\d[\dA-Za-z./-]*[,;:.)|]*$/.test(text)

/** Returns our symbol of a unit's name; null if it is not a unit. */
export function unitOf(printed: string): string | null {
  const name = printed.replace(/[^A-Za-z]/g, '')
  const symbol = unitSymbol(name)
  return symbol === null || !units.test(name) ? null : symbol
}
const units = /^(kwh|mwh|therms?|ccf|hcf|mcf|cf|tgal|kgal|gal|gallons)$/i
