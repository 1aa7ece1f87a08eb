/** Writes an amount in words, for checks and vouchers. */
import { centsOf } from '../kernel/money.ts'

const small = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
] as const
const tens = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'] as const
const scales = ['', 'thousand', 'million', 'billion'] as const

/** '1234.50' becomes 'One thousand two hundred thirty-four and 50/100 dollars'. Accepts amounts below a trillion dollars. */
export function amountInWords(amount: string): string {
  const cents = centsOf(amount)
  const size = Math.abs(cents)
  const words = `${cents < 0 ? 'minus ' : ''}${wholeInWords(Math.floor(size / 100))} and ${String(size % 100).padStart(2, '0')}/100 dollars`
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function wholeInWords(whole: number): string {
  if (whole === 0) return small[0]
  return scales
    .flatMap((scale, place) => {
      const group = Math.floor(whole / 1_000 ** place) % 1_000
      return group === 0 ? [] : [`${hundredsInWords(group)} ${scale}`.trim()]
    })
    .toReversed()
    .join(' ')
}

function hundredsInWords(group: number): string {
  const hundreds = Math.floor(group / 100)
  const rest = group % 100
  return [...(hundreds > 0 ? [`${small[hundreds]} hundred`] : []), ...(rest > 0 ? [belowHundred(rest)] : [])].join(' ')
}

function belowHundred(rest: number): string {
  if (rest < 20) return small[rest] ?? ''
  const ones = rest % 10
  return ones === 0 ? (tens[rest / 10] ?? '') : `${tens[Math.floor(rest / 10)]}-${small[ones]}`
}
