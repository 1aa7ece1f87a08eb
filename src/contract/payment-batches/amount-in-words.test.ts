import fc from 'fast-check'
import { expect, it } from 'vitest'
import { amountInWords } from './amount-in-words.ts'

it('an amount is written out in words', () => {
  expect(amountInWords('1234.50')).toBe('One thousand two hundred thirty-four and 50/100 dollars')
  expect(amountInWords('0.00')).toBe('Zero and 00/100 dollars')
  expect(amountInWords('19.05')).toBe('Nineteen and 05/100 dollars')
  expect(amountInWords('80.00')).toBe('Eighty and 00/100 dollars')
  expect(amountInWords('-1000001.99')).toBe('Minus one million one and 99/100 dollars')
  expect(amountInWords('99999999.99')).toBe(
    'Ninety-nine million nine hundred ninety-nine thousand nine hundred ninety-nine and 99/100 dollars',
  )
})

const ones =
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ')
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

/** Converts the words back into a number by adding them up. */
function readBack(words: string): string {
  const [dollars = '', cents = ''] = words.toLowerCase().replace(' dollars', '').split(' and ')
  let total = 0
  let group = 0
  for (const word of dollars.split(/[ -]/)) {
    if (ones.includes(word)) group += ones.indexOf(word) + 1
    else if (tens.includes(word)) group += (tens.indexOf(word) + 2) * 10
    else if (word === 'hundred') group *= 100
    else if (word === 'thousand' || word === 'million' || word === 'billion') {
      total += group * { thousand: 1_000, million: 1_000_000, billion: 1_000_000_000 }[word]
      group = 0
    }
  }
  return `${total + group}.${cents.slice(0, 2)}`
}

it('the words of an amount read back as the amount', () => {
  const property = fc.property(fc.integer({ min: 0, max: 99_999_999_999 }), (cents) => {
    const amount = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
    expect(readBack(amountInWords(amount))).toBe(amount)
  })
  fc.assert(property, { numRuns: 300 })
})
