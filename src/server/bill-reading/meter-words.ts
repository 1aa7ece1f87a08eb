/** Names that utilities give the fields of a meter. Headings combine a few words in any order, so the words decide and not the phrase. */
export type MeterColumn =
  | 'meter_number'
  | 'previous_read_date'
  | 'read_date'
  | 'period'
  | 'previous_reading'
  | 'meter_reading'
  /** 'Read on Feb 8: 12,345': only the date distinguishes the two readings. */
  | 'dated_reading'
  | 'multiplier'
  | 'usage'
  | 'charges'
  | 'delivery'
  | 'supply'
  | 'estimated'
  | 'ignored'

const previous = new Set(['previous', 'prior', 'last', 'beginning', 'begin', 'start', 'starting', 'opening', 'old'])
const current = new Set(['current', 'present', 'this', 'ending', 'end', 'closing', 'new', 'latest'])
const reading = new Set(['read', 'reading', 'index', 'register'])
const usage = new Set([
  'usage',
  'consumption',
  'used',
  'use',
  'billed',
  'kwh',
  'therm',
  'therms',
  'ccf',
  'hcf',
  'mcf',
  'gal',
  'gallons',
  'kgal',
  'kwhr',
  'kwhrs',
  'cf',
])
/** Words for the delivery and the supply of energy, whose charges a bill prints separately. */
const delivery = new Set(['delivery', 'distribution'])
const supply = new Set(['supply', 'generation'])
const known = new Set([
  ...delivery,
  ...supply,
  ...previous,
  ...current,
  ...reading,
  ...usage,
  'meter',
  'number',
  'id',
  'serial',
  'date',
  'from',
  'to',
  'through',
  'service',
  'period',
  'billing',
  'multiplier',
  'constant',
  'factor',
  'charge',
  'amount',
  'type',
  'code',
  'total',
  'energy',
  'water',
  'gas',
  'electric',
  'electricity',
  'sewer',
  'units',
  'you',
  'unit',
  'of',
  'on',
  'was',
  'in',
  'pressure',
  'day',
  'difference',
  'bill',
  'read/from',
  'estimated',
  'dates',
  'actual',
  'measured',
  'metered',
  'billable',
  'hundred',
  'cubic',
  'feet',
  'kilowatt',
  'register',
  'cost',
])

/**
 * Returns the field that a heading or a label names; null if it names none.
 * @param isHeading a heading of a table, where 'Previous' alone is a reading
 */
export function meterColumn(phrase: string, isHeading: boolean): MeterColumn | null {
  const words = phrase.split(' ')
  if (words.length > 5 || words.some((word) => !known.has(word))) return null
  const has = (set: ReadonlySet<string>): boolean => words.some((word) => set.has(word))
  const is = (word: string): boolean => words.includes(word)
  if (has(delivery) || has(supply)) return isHeading && !has(usage) ? (has(supply) ? 'supply' : 'delivery') : null
  if (is('day') || (isHeading && is('difference'))) return 'ignored'
  if (is('meter') && (is('number') || is('id') || is('serial'))) return 'meter_number'
  if (is('serial') || (isHeading && phrase === 'meter')) return 'meter_number'
  if (is('multiplier') || is('constant') || is('factor')) return 'multiplier'
  if (is('charge') || is('amount') || is('cost')) return isHeading ? 'charges' : null
  const dates = dateColumn(is, has(previous), has(current), has(reading), isHeading)
  if (dates !== null) return dates
  if (has(previous) && (isHeading || has(reading))) return 'previous_reading'
  if (has(current) && (isHeading || has(reading))) return 'meter_reading'
  if (has(usage)) return 'usage'
  if (!isHeading && /^(?:actual |estimated |meter )?(?:read|reading)(?: on)?$/.test(phrase)) return 'dated_reading'
  if (is('type') || is('code') || is('estimated')) return isHeading ? 'estimated' : null
  return null
}

function dateColumn(
  is: (word: string) => boolean,
  isPrevious: boolean,
  isCurrent: boolean,
  isReading: boolean,
  isHeading: boolean,
): MeterColumn | null {
  if (is('date')) {
    if (isPrevious || is('from')) return 'previous_read_date'
    if (isCurrent || is('to') || is('through')) return 'read_date'
    if (is('service')) return 'period'
    return isReading ? 'read_date' : null
  }
  if (is('period')) return isPrevious ? 'previous_read_date' : isCurrent ? 'read_date' : 'period'
  if (is('from') && !isReading)
    return isHeading || is('service') || is('period') ? (is('to') || is('through') ? 'period' : 'previous_read_date') : null
  if ((is('to') || is('through')) && !isReading) return isHeading || is('service') ? 'read_date' : null
  return null
}
