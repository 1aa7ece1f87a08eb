/**
 * A point before three digits may be a comma that was recognised as a point: '12.345' is about twelve, or twelve thousand. The sum of a
 * meter does not decide it, because all its figures lose their commas alike. Only a figure with a single possible meaning decides, or what
 * is known of the meter from earlier bills.
 */
import { compareDecimals, usageOf } from '#contract/kernel/decimal.ts'
import type { MeterValue, MeterValues } from './read-meters.ts'

/** Known values of a meter from earlier bills. */
export interface KnownMeter {
  readonly last_reading: string | null
  readonly usual_usage: string | null
}

const counted = ['previous_reading', 'meter_reading', 'usage'] as const

const isAmbiguous = ({ printed }: MeterValue): boolean => /(?<![\d.,])[1-9]\d{0,2}\.\d{3}(?![\d.,])/.test(printed)
const asThousands = (value: MeterValue): string => grouped(value.printed) ?? value.value

function grouped(printed: string): string | null {
  const match = /(?<![\d.,])([1-9]\d{0,2})\.(\d{3})(?![\d.,])/.exec(printed)
  return match?.[1] === undefined || match[2] === undefined ? null : match[1] + match[2]
}

/** Returns true if each figure of the meter has only one possible meaning, because the others would not add up with the other meaning. */
export function fitsSeparators(meter: MeterValues): boolean {
  return meaningsOf(meter).length === 1
}

interface Meaning {
  readonly previous_reading: string
  readonly meter_reading: string
  readonly usage: string
}

/** Returns all meanings of the printed figures that add up, the printed one first. */
function meaningsOf(meter: MeterValues): Meaning[] {
  const [before, after, usage] = counted.map((field) => meter.get(field))
  if (before === undefined || after === undefined || usage === undefined) return []
  const choices = (value: MeterValue): string[] => (isAmbiguous(value) ? [value.value, asThousands(value)] : [value.value])
  const factor = meter.get('multiplier')?.value ?? '1'
  return choices(before).flatMap((previous_reading) =>
    choices(after).flatMap((meter_reading) =>
      choices(usage).flatMap((used): Meaning[] =>
        compareDecimals(usageOf(meter_reading, previous_reading, factor), used) === 0
          ? [{ previous_reading, meter_reading, usage: used }]
          : [],
      ),
    ),
  )
}

/** Two usages within this factor of each other are of similar size. */
const SIZE = 12
const DECIDED = 0.9

/** Chooses the one meaning that continues the meter's last reading, or is close to its usual usage. Changes the meter in place. */
export function decideSeparators(meter: MeterValues, known: KnownMeter): void {
  const meanings = meaningsOf(meter)
  if (meanings.length < 2) return
  const [best, other] = meanings.filter((meaning) => isKnown(meaning, known))
  if (best === undefined || other !== undefined) return
  for (const field of counted) {
    const value = meter.get(field)
    if (value !== undefined) meter.set(field, { ...value, value: best[field], confidence: DECIDED })
  }
}

function isKnown(meaning: Meaning, { last_reading, usual_usage }: KnownMeter): boolean {
  if (last_reading !== null) return compareDecimals(last_reading, meaning.previous_reading) === 0
  if (usual_usage === null) return false
  const [usual, used] = [Number(usual_usage), Number(meaning.usage)]
  return usual > 0 && used > usual / SIZE && used < usual * SIZE
}
