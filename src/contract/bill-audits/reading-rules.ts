/** Rules 4 to 7: readings, multiplier, and the resulting usage. */
import { derivedUsage } from '../bill-figures/bill-totals.ts'
import { absolute, approximately, compareDecimals, formatDecimal, minus, plus, times, USAGE_SCALE, usageOf } from '../kernel/decimal.ts'
import type { LineAudit } from './line-context.ts'
import type { AuditLine, Verdict } from './input.ts'
import type { AuditSettings } from './settings.ts'

/** Notes of a line that say the meter was changed. */
const METER_CHANGE_NOTE = /\bnew meter\b|\bmeter\s+(was\s+|has been\s+)?(changed?|exchanged?|replaced?|replacement|swap(ped)?|reset)\b/i

/** 4. A line starts with the end reading of the previous one, unless the notes mention a new meter. */
export function readingBreak({ line, last, inAnyUnit, settings }: LineAudit): Verdict[] {
  const { previous_reading } = line
  const expected = inAnyUnit.at(-1)?.meter_reading ?? last?.meter_reading
  if (!previous_reading || !expected || hasMeterChange(line)) return []
  const continues = (reading: string | null | undefined): boolean =>
    Boolean(reading) && compareDecimals(absolute(minus(previous_reading, reading ?? '0')), settings.reading_tolerance) <= 0
  // A meter with a register for each unit continues at the reading of this unit's register.
  if (continues(expected) || continues(last?.meter_reading)) return []
  const apart = minus(previous_reading, expected)
  return [
    {
      severity: 'E',
      field: 'previous_reading',
      expected,
      actual: previous_reading,
      limit: settings.reading_tolerance,
      message: `The previous reading ${shown(previous_reading)} is not the last reading ${shown(expected)}: ${shown(apart)} apart`,
    },
  ]
}

/** 5. A meter counts up. Near the end of its dial it may roll over to zero. */
export function readingRegress({ line, settings }: LineAudit): Verdict[] {
  const { previous_reading, meter_reading } = line
  if (!previous_reading || !meter_reading || compareDecimals(meter_reading, previous_reading) >= 0 || hasMeterChange(line)) return []
  const found = { field: 'meter_reading', expected: `at least ${previous_reading}`, actual: meter_reading }
  const turned = rolloverUsage(line, settings)
  if (turned !== null) {
    return [
      {
        ...found,
        severity: 'W',
        message: `The reading fell from ${shown(previous_reading)} to ${shown(meter_reading)}: rollover? Over the turn the usage is ${shown(turned)}`,
      },
    ]
  }
  return [{ ...found, severity: 'E', message: `The reading fell from ${shown(previous_reading)} to ${shown(meter_reading)}` }]
}

/**
 * 6. The multiplier belongs to the meter: it must equal the service's, or without one the previous bill's. A line with the service's own
 * multiplier is right whatever the last bill had; that one was flagged then.
 */
export function multiplierChange({ line, service, last, settings }: LineAudit): Verdict[] {
  const { multiplier } = line
  if (!multiplier) return []
  const isOther = (expected: string): boolean => compareDecimals(absolute(minus(multiplier, expected)), settings.multiplier_tolerance) > 0
  const found = { severity: 'E', field: 'multiplier', actual: multiplier, limit: settings.multiplier_tolerance } as const
  if (service?.meter_multiplier) {
    if (!isOther(service.meter_multiplier)) return []
    return [
      {
        ...found,
        expected: service.meter_multiplier,
        message: `The multiplier ${shown(multiplier)} is not the meter's ${shown(service.meter_multiplier)}`,
      },
    ]
  }
  if (last?.multiplier && isOther(last.multiplier) && !hasMeterChange(line)) {
    return [
      {
        ...found,
        expected: last.multiplier,
        message: `The multiplier ${shown(multiplier)} was ${shown(last.multiplier)} on the last bill`,
      },
    ]
  }
  return []
}

/** 7. Usage is the difference of the readings times the multiplier; factors are not applied. After a rollover it is counted across zero. */
export function usageMath({ line, settings }: LineAudit): Verdict[] {
  if (!line.usage) return []
  const expected = rolloverUsage(line, settings) ?? derivedUsage(line)
  if (expected === null) return []
  const apart = minus(line.usage, expected)
  const byPercent = times(absolute(expected), String(settings.usage_math_percent / 100))
  const limit = compareDecimals(byPercent, settings.usage_math_units) > 0 ? byPercent : settings.usage_math_units
  if (compareDecimals(absolute(apart), limit) <= 0) return []
  return [
    {
      severity: 'E',
      field: 'usage',
      expected,
      actual: line.usage,
      limit,
      message: `The usage ${shown(line.usage)} is not (${shown(line.meter_reading)} − ${shown(line.previous_reading)}) × ${shown(line.multiplier ?? '1')} = ${shown(expected)}: ${shown(apart)} apart`,
    },
  ]
}

/** Returns the usage across a rollover if a falling reading looks like one, else null. The dial has as many digits as the reading. */
function rolloverUsage(line: AuditLine, settings: AuditSettings): string | null {
  const { previous_reading, meter_reading } = line
  if (!previous_reading || !meter_reading || compareDecimals(meter_reading, previous_reading) >= 0 || meter_reading.startsWith('-'))
    return null
  const dial = `1${'0'.repeat((previous_reading.split('.')[0] ?? '').length)}`
  const share = (part: string): number => (approximately(part) / approximately(dial)) * 100
  const counted = plus(minus(dial, previous_reading), meter_reading)
  if (share(previous_reading) <= settings.rollover_from_percent || share(counted) > settings.rollover_max_percent) return null
  return usageOf(counted, '0', line.multiplier)
}

function hasMeterChange(line: AuditLine): boolean {
  return line.notes !== null && METER_CHANGE_NOTE.test(line.notes)
}

/** Three decimals at most, without trailing zeros. */
function shown(value: string | null): string {
  return formatDecimal(value, USAGE_SCALE).replace(/\.?0+$/, '')
}
