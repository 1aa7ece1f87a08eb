/** Arithmetic decides about meters found by headings and labels, and adds those that these have missed. */
import type { ReadPlace } from '#contract/bill-reading/bill-reading.ts'
import { placeOf, textOf, type Line, type Sheet, type Token } from './page-lines.ts'
import { plainWord } from './plain-words.ts'
import { allPrinted } from './printed-values.ts'
import type { Printed } from './printed-dates.ts'
import type { MeterValue, MeterValues } from './read-meters.ts'
import { addsUp } from './judge-meters.ts'
import { isTurnable, type Solved } from './solve-rows.ts'

const ADDS_UP = 0.85
/** Confidence of figures that add up both ways. */
const TURNABLE = 0.5
const BESIDE = 0.7
const ABOVE_LINES_MAX = 2

/** Returns the meters in the order of the pages; figures that add up take precedence over headings. */
export function withSolved(meters: readonly MeterValues[], solved: readonly Solved[]): MeterValues[] {
  const left = [...meters]
  const made = solved.map((one): MeterValues => {
    const place = left.findIndex((meter) => isOf(meter, one))
    const [known] = place < 0 ? [] : left.splice(place, 1)
    return settled(known ?? new Map(), one)
  })
  // An entry without a count or a number of its own beside meters that add up was not a meter.
  const others = left.filter((meter) => made.length === 0 || isNamedOrCounted(meter, made))
  return [...made, ...others]
}

const numberOf = (meter: MeterValues): string | undefined => meter.get('meter_number')?.value

function isNamedOrCounted(meter: MeterValues, made: readonly MeterValues[]): boolean {
  const number = numberOf(meter)
  if (number !== undefined && made.some((one) => numberOf(one) === number)) return meter.has('usage')
  return meter.has('usage') || (number !== undefined && meter.has('read_date'))
}

/** Returns true if the meter was read from these figures. */
function isOf(meter: MeterValues, { sheet, previous, present, usage }: Solved): boolean {
  const places = [previous, present, usage].map((printed) => JSON.stringify(placeOf(printed.tokens, sheet)))
  return (['previous_reading', 'meter_reading', 'usage'] as const).some((field) => {
    const place = meter.get(field)?.place
    return place !== undefined && place !== null && places.includes(JSON.stringify(place))
  })
}

function settled(meter: MeterValues, solved: Solved): MeterValues {
  const { sheet, tokens, previous, present, usage, multiplier } = solved
  const set = (field: MeterValue['field'], printed: Printed, value = printed.value, trust = ADDS_UP): void => {
    const phrase = meter.get(field)?.value === value ? (meter.get(field)?.phrase ?? '') : ''
    const confidence = trust * (0.6 + 0.4 * Math.min(1, ...printed.tokens.map((token) => token.confidence)))
    meter.set(field, { field, value, printed: textOf(printed.tokens), confidence, place: placeOf(printed.tokens, sheet), phrase })
  }
  if (!addsUp(meter)) {
    const trust =
      isTurnable(solved) && meter.get('usage')?.value !== plain(usage) && meter.get('previous_reading')?.value !== plain(previous)
        ? TURNABLE
        : ADDS_UP
    set('previous_reading', previous, plain(previous), trust)
    set('meter_reading', present, plain(present), trust)
    if (!isBeside(meter.get('usage')?.place, placeOf(usage.tokens, sheet))) meter.delete('unit')
    set('usage', usage, plain(usage), trust)
    if (multiplier !== null) set('multiplier', multiplier)
    else if (meter.has('multiplier') && meter.get('multiplier')?.value !== '1') meter.delete('multiplier')
  }
  const days = [...new Map(allPrinted('date', tokens).map((day) => [day.value, day])).values()].toSorted((a, b) =>
    a.value.localeCompare(b.value),
  )
  const [from, until] = days
  if (days.length === 2 && from !== undefined && until !== undefined) {
    // In one row both dates are the meter's; in several rows one may be the bill's.
    const trust = sheet.lines.some((line) => line.tokens.includes(from.tokens[0] ?? none) && line.tokens.includes(until.tokens[0] ?? none))
      ? ADDS_UP
      : BESIDE
    set('previous_read_date', from, from.value, trust)
    set('read_date', until, until.value, trust)
  }
  const number = numberBeside(solved)
  if (number !== null && !meter.has('meter_number')) set('meter_number', number, number.value, BESIDE)
  const amounts = allPrinted('money', tokens).filter((amount) => !overlaps(amount, [previous, present, usage]))
  const [charges] = amounts
  if (amounts.length === 1 && charges !== undefined && !meter.has('utility_charges')) set('utility_charges', charges, charges.value, BESIDE)
  return meter
}

/** Returns true if an earlier usage is on the line of the one that adds up; otherwise its unit belonged to another figure. */
const isBeside = (known: ReadPlace | null | undefined, usage: ReadPlace | null): boolean =>
  known === undefined || known === null || usage === null || (known.page === usage.page && Math.abs(known.y - usage.y) <= usage.height)

const none: Token = { text: '', x: 0, y: 0, width: 0, height: 0, confidence: 0 }
const plain = ({ value }: Printed): string => value.replace(/^-/, '')
const overlaps = (one: Printed, others: readonly (Printed | null)[]): boolean =>
  others.some((other) => other !== null && other.tokens.some((token) => one.tokens.includes(token)))

const names = new Set(['meter', 'serial', 'service', 'register'])
const DIGITS_MIN = 4

/** Returns the number among the figures or in the lines directly above them, preferably one after a word for a meter. */
function numberBeside({ sheet, tokens, previous, present, usage, multiplier }: Solved): Printed | null {
  const own = numbersOf(tokens).filter((number) => !overlaps(number, [previous, present, usage, multiplier]))
  const first = sheet.lines.findIndex((line) => line.tokens.some((token) => tokens.includes(token)))
  const upper = sheet.lines.slice(Math.max(0, first - ABOVE_LINES_MAX), Math.max(0, first)).toReversed()
  const named = [...own.filter((number) => isNamed(number, sheet.lines)), ...upper.flatMap((line) => namedOn(line, sheet))]
  return named[0] ?? own[0] ?? null
}

const namedOn = (line: Line, sheet: Sheet): Printed[] => numbersOf(line.tokens).filter((number) => isNamed(number, sheet.lines))

const numbersOf = (tokens: readonly Token[]): Printed[] =>
  allPrinted('identifier', tokens).filter((number) => number.value.replace(/\D/g, '').length >= DIGITS_MIN)

/** Returns true if a word for a meter is within three words before it. */
function isNamed({ tokens }: Printed, lines: readonly Line[]): boolean {
  const [first] = tokens
  const line = first === undefined ? undefined : lines.find((one) => one.tokens.includes(first))
  if (line === undefined || first === undefined) return false
  const place = line.tokens.indexOf(first)
  const before = line.tokens.slice(Math.max(0, place - 3), place).flatMap((token) => plainWord(token.text).split(' '))
  return before.some((word) => names.has(word)) && !before.includes('account')
}
