import { dividedBy, isZero, minus, parseDecimal, plus, times } from '#contract/kernel/decimal.ts'

/** Decimals of a number inside a calculation, before the field's own scale applies. */
const WORKING_SCALE = 8
/** Characters of a calculation. */
const LONGEST = 200

/**
 * Evaluates the text typed into a number field: a plain number, or a calculation with + − × ÷ and brackets, such as `(120+35.5)*2/3`. Returns
 * wire text with exactly `scale` decimals, or null if the text cannot be read or has more decimals than the field keeps. A quotient that does
 * not end is rounded half up to the field's scale, once, at the end: until then it is kept as a fraction. Exact: no floats are involved.
 */
export function evaluate(typed: string, scale: number): string | null {
  if (typed.length > LONGEST) return null
  const text = typed.replaceAll('−', '-').replaceAll('×', '*').replaceAll('÷', '/').replace(/\s+/g, '').replace(/^=/, '')
  // A number in brackets alone means a negative one to accountants, and to others not.
  if (!/^[+-]?[\d.,(].*[+\-*/].*[\d.,)]$/.test(text)) return parseDecimal(typed.trim().replaceAll('−', '-'), scale)
  const reader = { tokens: text.match(/[\d.,]+|[-+*/()]|./g) ?? [], at: 0 }
  const value = sumOf(reader)
  if (value === null || reader.at < reader.tokens.length) return null
  return value.of === '1' ? parseDecimal(value.count, scale) : dividedBy(value.count, value.of, scale)
}

/** A fraction of two decimals. */
interface Fraction {
  readonly count: string
  readonly of: string
}

interface Reader {
  readonly tokens: readonly string[]
  at: number
}

/** Returns the token here if it is one of these, and goes on. */
function take(reader: Reader, wanted: string): string | null {
  const token = reader.tokens[reader.at]
  if (token === undefined || !wanted.includes(token)) return null
  reader.at += 1
  return token
}

function sumOf(reader: Reader): Fraction | null {
  let sum = productOf(reader)
  for (let sign = take(reader, '+-'); sum !== null && sign !== null; sign = take(reader, '+-')) {
    const term = productOf(reader)
    if (term === null) return null
    const [left, right] = [times(sum.count, term.of), times(term.count, sum.of)]
    sum = { count: sign === '+' ? plus(left, right) : minus(left, right), of: times(sum.of, term.of) }
  }
  return sum
}

function productOf(reader: Reader): Fraction | null {
  let product = signedOf(reader)
  for (let sign = take(reader, '*/'); product !== null && sign !== null; sign = take(reader, '*/')) {
    const factor = signedOf(reader)
    if (factor === null || (sign === '/' && isZero(factor.count))) return null
    const [count, of] = sign === '*' ? [factor.count, factor.of] : [factor.of, factor.count]
    product = { count: times(product.count, count), of: times(product.of, of) }
  }
  return product
}

/** Reads a number or a calculation in brackets, with its signs. */
function signedOf(reader: Reader): Fraction | null {
  const sign = take(reader, '+-')
  if (sign !== null) {
    const value = signedOf(reader)
    return value && (sign === '+' ? value : { count: minus('0', value.count), of: value.of })
  }
  if (take(reader, '(')) {
    const value = sumOf(reader)
    return take(reader, ')') ? value : null
  }
  const number = parseDecimal(reader.tokens[reader.at] ?? '', WORKING_SCALE)
  reader.at += 1
  return number === null ? null : { count: number, of: '1' }
}
