import { minus, parseDecimal, plus, times } from '#contract/kernel/decimal.ts'

/** Digits kept inside a sum such as 120+35.5 before the field's own scale applies. */
const WORKING_SCALE = 8

/**
 * Evaluates the text typed into a number field: a plain number, or a sum, difference or product such as `120+35.5*2`. Returns wire text with
 * exactly `scale` decimals, or null if the text cannot be read or has more decimals than the field keeps. Exact: no floats are involved.
 */
export function evaluate(typed: string, scale: number): string | null {
  const text = typed.replaceAll('−', '-').replace(/\s+/g, '').replace(/^=/, '')
  const parts = text.match(/^[+-]?[\d.,]+(?:[+\-*×][+-]?[\d.,]+)+$/) ? splitTerms(text) : null
  if (!parts) return parseDecimal(typed.trim().replaceAll('−', '-'), scale)
  let sum = '0'
  for (const { sign, factors } of parts) {
    const value = productOf(factors)
    if (value === null) return null
    sum = sign === '-' ? minus(sum, value) : plus(sum, value)
  }
  return parseDecimal(sum, scale)
}

type Term = { sign: '+' | '-'; factors: readonly string[] }

/** Splits '120+35.5*2' into terms of factors; a sign straight after * belongs to its factor. */
function splitTerms(text: string): readonly Term[] {
  const terms = text.match(/[+-]*[\d.,]+(?:[*×][+-]?[\d.,]+)*/g) ?? []
  return terms.map((term) => {
    const signs = /^[+-]*/.exec(term)?.[0] ?? ''
    const isMinus = signs.replaceAll('+', '').length % 2 === 1
    return { sign: isMinus ? '-' : '+', factors: term.slice(signs.length).split(/[*×]/) }
  })
}

function productOf(factors: readonly string[]): string | null {
  let product = '1'
  for (const factor of factors) {
    const value = parseDecimal(factor, WORKING_SCALE)
    if (value === null) return null
    product = times(product, value)
  }
  return product
}
