/** Rules 28 to 30: demand in kilowatts, and its relation to the kilowatt-hours. */
import { addMonths } from '../kernel/date.ts'
import { approximately, compareDecimals } from '../kernel/decimal.ts'
import type { LineAudit } from './line-context.ts'
import { factorOf } from './history.ts'
import type { Verdict } from './input.ts'
import type { HistoryLine } from './history-input.ts'
import { rate, signedPercent } from './words.ts'

const KW_BILLED = 'KW Billed'
const KW_ACTUAL = 'KW Actual'
const DEMAND = 'Demand'
const POWER_FACTOR = 'Power Factor'
const ENERGY_UNIT = 'kWh'
const HOURS_A_DAY = 24
const MONTHS_A_YEAR = 12

/** 28. Billed demand far above the year's, below the metered demand, or set by a ratchet. */
export function demand({ line, earlier, settings }: LineAudit): Verdict[] {
  const billedText = factorOf(line, KW_BILLED, DEMAND)
  if (billedText === null) return []
  const billed = approximately(billedText)
  const actualText = factorOf(line, KW_ACTUAL)
  const verdicts: Verdict[] = []
  const year = lastYear(earlier, line.read_date).flatMap((one) => (one.kw_billed ? approximately(one.kw_billed) : []))
  const most = Math.max(0, ...year)
  if (year.length >= settings.demand_min_points && billed > (most * settings.demand_high_percent) / 100) {
    verdicts.push({
      severity: 'W',
      field: KW_BILLED,
      expected: `${rate(most)} kW`,
      actual: `${rate(billed)} kW`,
      limit: `${settings.demand_high_percent}%`,
      message: `Billed ${rate(billed)} kW against at most ${rate(most)} kW in 12 months, ${signedPercent((billed / most - 1) * 100)}, limit ${settings.demand_high_percent - 100}%`,
    })
  }
  if (actualText !== null && compareDecimals(billedText, actualText) < 0) {
    verdicts.push({
      severity: 'W',
      field: KW_BILLED,
      expected: `at least ${actualText}`,
      actual: billedText,
      message: `Billed ${rate(billed)} kW are less than the metered ${rate(approximately(actualText))} kW`,
    })
  }
  const before = earlier.slice(1 - settings.ratchet_bills)
  const isHeld = actualText !== null && compareDecimals(billedText, actualText) > 0 && before.length === settings.ratchet_bills - 1
  if (isHeld && before.every((one) => one.kw_billed !== null && compareDecimals(one.kw_billed, billedText) === 0)) {
    verdicts.push({
      severity: 'I',
      field: KW_BILLED,
      actual: billedText,
      message: `Billed ${rate(billed)} kW for ${settings.ratchet_bills} bills in a row, above what was metered: a ratchet`,
    })
  }
  return verdicts
}

/** 29. More energy than the demand allows in the time is impossible; very little is worth noting. */
export function loadFactor({ line, service, usage, days, settings }: LineAudit): Verdict[] {
  const kilowatts = factorOf(line, KW_ACTUAL, KW_BILLED, DEMAND)
  if (service?.standard_unit !== ENERGY_UNIT || kilowatts === null || usage === null || usage <= 0 || days === null || days <= 0) return []
  const possible = approximately(kilowatts) * HOURS_A_DAY * days
  const percent = (usage / possible) * 100
  const arithmetic = `${rate(usage)} kWh ÷ (${rate(approximately(kilowatts))} kW × 24 × ${days}) = ${rate(percent)}%`
  const found = { field: 'usage', actual: `${rate(percent)}%` }
  if (percent > settings.load_factor_high_percent)
    return [{ ...found, severity: 'E', limit: `${settings.load_factor_high_percent}%`, message: `Impossible load factor: ${arithmetic}` }]
  if (percent >= settings.load_factor_low_percent) return []
  return [{ ...found, severity: 'I', limit: `${settings.load_factor_low_percent}%`, message: `Low load factor: ${arithmetic}` }]
}

/** 30. A power factor is at most one; a low one costs extra. */
export function powerFactor({ line, settings }: LineAudit): Verdict[] {
  const factor = factorOf(line, POWER_FACTOR)
  if (factor === null) return []
  const found = { field: POWER_FACTOR, actual: factor }
  if (compareDecimals(factor, '1') > 0)
    return [
      {
        ...found,
        severity: 'E',
        limit: '1',
        message: `The power factor ${rate(approximately(factor))} is above 1; a percentage is written as a share`,
      },
    ]
  if (compareDecimals(factor, settings.power_factor_min) >= 0) return []
  return [
    {
      ...found,
      severity: 'W',
      limit: settings.power_factor_min,
      message: `The power factor ${rate(approximately(factor))} is below ${settings.power_factor_min}: a penalty is likely`,
    },
  ]
}

function lastYear(earlier: readonly HistoryLine[], readDate: string | null): readonly HistoryLine[] {
  if (!readDate) return earlier.slice(-MONTHS_A_YEAR)
  const since = addMonths(readDate, -MONTHS_A_YEAR)
  return earlier.filter((one) => one.read_date !== null && one.read_date >= since)
}
