/** Plans a line of a bill of the demo: usage, charges and factors. */
import { daysBetween, type CalendarDate } from '#contract/kernel/date.ts'
import type { Cents } from '#contract/kernel/money.ts'
import type { Dice } from './dice.ts'
import type { AccountPlan, PlannedLine, ServicePlan } from './plan.ts'
import { seasonalDays } from './season.ts'

/** Yearly price increase, in hundredths of a percent. */
const YEARLY_RISE = 320
const TEN_THOUSAND = 10_000
const HOURS = 24
const NOISE = 0.03

const FUEL_SURCHARGE_SHARE = 0.09

export function planLine(
  account: AccountPlan,
  service: ServicePlan,
  before: number | null,
  from: CalendarDate,
  to: CalendarDate,
  years: number,
  dice: Dice,
): PlannedLine {
  const days = daysBetween(from, to)
  const noise = service.model === 'flat' ? 1 : dice.about(NOISE)
  const worth =
    service.model === 'flat' ? service.daily : service.daily * seasonalDays(service.model, account.facility.region, from, to) * noise
  const turns = Math.max(service.metered ? 1 : 0, Math.round(worth / service.multiplier))
  const usage = turns * service.multiplier
  const kilowatts =
    service.loadFactor === null ? 0 : Math.max(1, Math.round(usage / (HOURS * days * service.loadFactor * dice.about(0.03))))
  return {
    service,
    from,
    to,
    before,
    after: before === null ? null : before + turns,
    multiplier: service.multiplier,
    usage,
    values: chargesOf(service, usage, kilowatts, account.months, years),
    factors: factorsOf(service, kilowatts, dice),
    estimated: service.metered && service.reading !== null && dice.chance(0.012),
    schedule: service.schedule,
    rawUnit: null,
    stated: {},
  }
}

function chargesOf(service: ServicePlan, usage: number, kilowatts: number, months: number, years: number): PlannedLine['values'] {
  const risen = (amount: number): number => amount * (1 + YEARLY_RISE / TEN_THOUSAND) ** years
  const ofRate = (rate: number): Cents => Math.round((usage * Math.round(risen(rate))) / TEN_THOUSAND)
  const taxOf = (amount: Cents): Cents => Math.round((amount * service.tax) / TEN_THOUSAND)
  const utility = Math.round(risen(service.customer)) * months + ofRate(service.rate) + kilowatts * Math.round(risen(service.kilowatt))
  const supply = service.supplyRate === null ? null : ofRate(service.supplyRate)
  return [
    { name: 'Utility Charges', amount: utility },
    ...(service.tax > 0 ? [{ name: 'Utility Taxes', amount: taxOf(utility) }] : []),
    ...(supply === null ? [] : [{ name: 'Supply Charges', amount: supply }]),
    ...(supply === null || service.tax === 0 ? [] : [{ name: 'Supply Taxes', amount: taxOf(supply) }]),
    ...(service.recRate > 0 ? [{ name: 'REC Charge', amount: ofRate(service.recRate) }] : []),
    ...(service.extraField === null ? [] : [{ name: service.extraField, amount: Math.round(utility * FUEL_SURCHARGE_SHARE) }]),
  ]
}

function factorsOf(service: ServicePlan, kilowatts: number, dice: Dice): PlannedLine['factors'] {
  if (service.thermFactor !== null)
    return [{ name: 'Therm Factor', value: (service.thermFactor / TEN_THOUSAND + dice.whole(-40, 40) / TEN_THOUSAND).toFixed(4) }]
  if (service.loadFactor === null) return []
  return [
    { name: 'KW Actual', value: `${kilowatts}.0000` },
    { name: 'KW Billed', value: `${kilowatts}.0000` },
    { name: 'Power Factor', value: (dice.whole(915, 985) / 1_000).toFixed(4) },
  ]
}

/** Sewer is billed by the water of the same days. */
export function withSewer(account: AccountPlan, lines: readonly PlannedLine[], years: number): readonly PlannedLine[] {
  const [water] = lines
  if (water?.service.utility !== 'water') return lines
  return lines.map((line) =>
    line.service.utility === 'sewer'
      ? { ...line, usage: water.usage, estimated: water.estimated, values: chargesOf(line.service, water.usage, 0, account.months, years) }
      : line,
  )
}

/** Returns what the energy supplier bills for the same days and the same meter. */
export function supplyLine(account: AccountPlan, line: PlannedLine, years: number): PlannedLine {
  const rate = account.facility.region.electric.supply ?? 0
  const [charge] = chargesOf(
    { ...line.service, rate: Math.round(rate * 0.94), customer: 0, kilowatt: 0, supplyRate: null, recRate: 0, extraField: null },
    line.usage,
    0,
    1,
    years,
  )
  const amount = charge?.amount ?? 0
  const tax = Math.round((amount * line.service.tax) / TEN_THOUSAND)
  return { ...line, factors: [], values: [{ name: 'Supply Charges', amount }, ...(tax > 0 ? [{ name: 'Supply Taxes', amount: tax }] : [])] }
}
