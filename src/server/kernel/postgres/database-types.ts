import pg from 'pg'

type Parser = (text: string) => unknown

const TEXT_ARRAY: number = 1009
const parseTextArray: (text: string) => string[] = pg.types.getTypeParser(TEXT_ARRAY)

const own = new Map<number, Parser>([
  [20, parseId],
  [1016, (text) => parseTextArray(text).map(parseId)],
  [1082, asText],
  [1182, parseTextArray],
  [1114, asText],
  [1115, parseTextArray],
  [1184, parseInstant],
  [1185, (text) => parseTextArray(text).map(parseInstant)],
  [1186, asText],
  [1231, parseTextArray],
  [1700, asText],
])

/**
 * Conversion of column text to values by pg: bigint is a number (ids and counts); date, numeric, interval and timestamp stay text;
 * timestamptz is ISO text in UTC with milliseconds (`2026-11-21T11:10:50.123Z`); arrays follow the same rules. A calendar date that became
 * a Date would shift by the server's zone, and money that became a float would lose cents.
 */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    const parser = format === 'binary' ? undefined : own.get(oid)
    return parser ?? pg.types.getTypeParser(oid, format)
  },
}

function asText(text: string): string {
  return text
}

function parseId(text: string): number {
  const id = Number(text)
  if (!Number.isSafeInteger(id)) throw new RangeError(`the bigint ${text} does not fit a safe integer`)
  return id
}

const UTC_INSTANT = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?\+00$/

function parseInstant(text: string): string {
  const match = UTC_INSTANT.exec(text)
  if (match) return `${match[1]}T${match[2]}.${(match[3] ?? '').padEnd(3, '0').slice(0, 3)}Z`
  // A session in another zone, a year beyond four digits, or infinity: rare enough for the slow path.
  const instant = Date.parse(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'))
  return Number.isNaN(instant) ? text : new Date(instant).toISOString()
}
