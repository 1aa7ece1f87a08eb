/** Dates of meters that print none of their own: the only period that the bill prints is theirs. */
import { daysBetween } from '#contract/kernel/date.ts'
import { placeOf, textOf, type Sheet } from './page-lines.ts'
import { allPrinted } from './printed-values.ts'
import type { Printed } from './printed-dates.ts'
import type { MeterValue, MeterValues } from './read-meters.ts'

const TRUST = 0.6
/** The usual number of days of a bill; a plan or a contract runs longer. */
const DAYS = { from: 5, until: 100 } as const

/** Adds the dates of both readings to meters that have neither. */
export function addPeriod(meters: readonly MeterValues[], sheets: readonly Sheet[]): void {
  const without = meters.filter((meter) => !meter.has('previous_read_date') && !meter.has('read_date'))
  if (without.length === 0) return
  const periods = sheets.flatMap((sheet) =>
    sheet.lines.flatMap((line) => allPrinted('period', line.tokens).flatMap((period) => (isUsual(period) ? [{ sheet, period }] : []))),
  )
  const [first] = periods
  if (first === undefined || periods.some(({ period }) => period.value !== first.period.value || period.until !== first.period.until))
    return
  for (const meter of without) {
    meter.set('previous_read_date', valueOf('previous_read_date', first.period.value, first))
    meter.set('read_date', valueOf('read_date', first.period.until ?? '', first))
  }
}

function isUsual({ value, until }: Printed): boolean {
  const days = until === undefined ? 0 : daysBetween(value, until)
  return days >= DAYS.from && days <= DAYS.until
}

function valueOf(field: MeterValue['field'], value: string, { sheet, period }: { sheet: Sheet; period: Printed }): MeterValue {
  const trust = Math.min(1, ...period.tokens.map((token) => token.confidence))
  return {
    field,
    value,
    printed: textOf(period.tokens),
    confidence: TRUST * (0.6 + 0.4 * trust),
    place: placeOf(period.tokens, sheet),
    phrase: '',
  }
}
