/** The comparison in the same weather: a fit for each meter, and then sums of meters and months. Pure: facts in, decimal text out. */
import type { WeatherAnswer, WeatherFigures, WeatherMeter, WeatherMonth, WeatherReason } from '#contract/dashboard/dashboard-weather.ts'
import { monthsOfWindow, type MonthWindow } from '#contract/dashboard/date-range.ts'
import { daysInMonth, type CalendarMonth } from '#contract/kernel/date.ts'
import { decimalOfUnits, dividedBy } from '#contract/kernel/decimal.ts'
import { sumCents, wireOf } from '#contract/kernel/money.ts'
import { naturalOrder } from '#contract/kernel/natural-order.ts'
import { costAt, costsAt, hasPrice, type UnitPrice } from '#contract/weather/avoided-cost.ts'
import type { DegreeDayBook } from '#contract/weather/degree-day-book.ts'
import type { ServiceInfo } from './read-sums.ts'
import type { MeterName, MeterPeriod, StationOfFacility, WeatherMonthFact } from './read-weather.ts'
import { cellsOfMeter, fitOfMeter, fitText, periodPoint, reportPoint, type FittedMeter, type WeatherCell } from './weather-meters.ts'

export interface WeatherFacts {
  readonly facility: WeatherAnswer['facility']
  readonly station: StationOfFacility | null
  readonly book: DegreeDayBook
  readonly baseline: MonthWindow
  readonly report: MonthWindow
  readonly months: readonly WeatherMonthFact[]
  readonly periods: readonly MeterPeriod[]
  readonly services: ReadonlyMap<number, ServiceInfo>
  readonly names: ReadonlyMap<number, MeterName>
  readonly service_id: number | null
  readonly meter_id: number | null
}

export function composeWeather(facts: WeatherFacts): WeatherAnswer {
  const options = serviceOptions(facts)
  const chosen = facts.service_id === null ? options[0] : options.find(({ id }) => id === facts.service_id)
  const ofService = facts.months.filter((row) => row.utility_service_id === chosen?.id)
  const all = chosen ? metersOf(facts, chosen.id) : []
  const meters = facts.meter_id === null ? all : all.filter(({ service_id }) => service_id === facts.meter_id)
  const cells = [
    ...meters.flatMap((meter) => cellsOfMeter(meter, ofService, facts.book)),
    ...(facts.meter_id === null ? costsAlone(all, ofService) : []),
  ]
  const price = priceOf(ofService)
  return {
    facility: facts.facility,
    station: facts.station && { code: facts.station.code, name: facts.station.name, base_temperature: facts.station.base_temperature },
    service: chosen ?? null,
    service_options: options,
    meter_options: all.map(({ service_id }) => nameOf(facts, service_id)),
    baseline: { from: facts.baseline.from, to: facts.baseline.to },
    report: { from: facts.report.from, to: facts.report.to },
    normal_years: [...facts.book.years],
    unit_cost: hasPrice(price) ? dividedBy(wireOf(price.cents), decimalOfUnits(price.usage, MILLIONTHS), MILLIONTHS) : null,
    total: totalOf(facts, meters, cells, price),
    months: monthRows(facts, meters, cells, price),
    meters: meterRows(facts, meters, cells, price),
  }
}

const MILLIONTHS = 6

/** The utility services with usage, those that cost most first. */
function serviceOptions({ months, periods, services }: WeatherFacts): WeatherAnswer['service_options'] {
  const metered = new Set([...months.filter(({ usage }) => usage !== null), ...periods].map((row) => row.utility_service_id))
  const costOf = (id: number) => sumCents(months.filter((row) => row.utility_service_id === id).map(({ cents }) => cents))
  return [...metered]
    .flatMap((id) => services.get(id) ?? [])
    .toSorted((a, b) => costOf(b.id) - costOf(a.id) || naturalOrder(a.name, b.name))
    .map(({ id, name, code, unit_symbol }) => ({ id, name, service_code: code, unit_symbol }))
}

/** The meters of the service with usage of their own, each with its fit. */
function metersOf(facts: WeatherFacts, utilityId: number): FittedMeter[] {
  const { months, periods, book } = facts
  const metered = [...months.filter(({ usage }) => usage !== null), ...periods].filter((row) => row.utility_service_id === utilityId)
  return [...new Set(metered.map(({ service_id }) => service_id))]
    .map((id) => fitOfMeter(id, facts.station !== null, periods, book))
    .toSorted((a, b) => naturalOrder(labelOf(facts, a), labelOf(facts, b)) || a.service_id - b.service_id)
}

function labelOf({ names }: WeatherFacts, { service_id }: FittedMeter): string {
  const name = names.get(service_id)
  return name?.meter_number ?? name?.account_number ?? ''
}

function nameOf({ names }: WeatherFacts, id: number): MeterName {
  return names.get(id) ?? { id, meter_number: null, account_number: null }
}

/** The months of a service that another meter counts, such as a supplier's: they add cost and no usage. */
function costsAlone(meters: readonly FittedMeter[], rows: readonly WeatherMonthFact[]): WeatherCell[] {
  const metered = new Set(meters.map(({ service_id }) => service_id))
  return rows
    .filter(({ service_id }) => !metered.has(service_id))
    .map(({ service_id, month, cents }) => ({ service_id, month, days: 0, cents, usage: null, weather: null, compared: null }))
}

/** One price for the service at the facility: what delivery and supply charge, over the usage that is counted once. */
function priceOf(rows: readonly WeatherMonthFact[]): UnitPrice {
  return { cents: sumCents(rows.map(({ cents }) => cents)), usage: rows.reduce((sum, { usage }) => sum + (usage ?? 0n), 0n) }
}

type Amounts = Omit<WeatherFigures, 'avoided_cost' | 'reason'>

function amountsOf(cells: readonly WeatherCell[]): Amounts & { readonly avoided: bigint | null } {
  const used = cells.flatMap(({ usage }) => usage ?? [])
  const compared = cells.flatMap(({ compared: one }) => one ?? [])
  const sum = (values: readonly bigint[]) => values.reduce((total, one) => total + one, 0n)
  const normal = compared.flatMap(({ normalized }) => normalized ?? [])
  const adjusted = sum(compared.map((one) => one.adjusted))
  const avoided = compared.length === 0 ? null : adjusted - sum(compared.map(({ usage }) => usage))
  return {
    usage: used.length === 0 ? null : unitsText(sum(used)),
    cost: wireOf(sumCents(cells.map(({ cents }) => cents))),
    compared_usage: compared.length === 0 ? null : unitsText(sum(compared.map(({ usage }) => usage))),
    adjusted_usage: compared.length === 0 ? null : unitsText(adjusted),
    avoided_usage: avoided === null ? null : unitsText(avoided),
    normalized_usage: compared.length === 0 || normal.length < compared.length ? null : unitsText(sum(normal)),
    avoided,
  }
}

function unitsText(millionths: bigint): string {
  return decimalOfUnits(millionths, MILLIONTHS)
}

function totalOf(facts: WeatherFacts, meters: readonly FittedMeter[], cells: readonly WeatherCell[], price: UnitPrice): WeatherFigures {
  const { avoided, ...amounts } = amountsOf(cells)
  const cost = avoided === null || !hasPrice(price) ? null : costAt(price, avoided)
  return { ...amounts, avoided_cost: cost === null ? null : wireOf(cost), reason: reasonOf(facts, meters, cells, price) }
}

/** Why figures of these cells are null, or why a part of their usage is not compared: the first of the reasons that hold. */
function reasonOf(
  facts: WeatherFacts,
  meters: readonly FittedMeter[],
  cells: readonly WeatherCell[],
  price: UnitPrice,
): WeatherReason | null {
  if (facts.station === null) return 'no_station'
  if (facts.book.isEmpty) return 'no_degree_days'
  if (!cells.some(({ usage }) => usage !== null)) return 'no_usage'
  const [only] = meters
  const faulty = meters.filter(({ fault }) => fault !== null)
  if (only && meters.length === 1 && only.fault !== null) return only.fault
  if (faulty.length > 0) return 'no_fit'
  if (cells.some(({ usage, compared }) => usage !== null && compared === null)) return 'days_without_weather'
  if (!hasPrice(price)) return 'no_price'
  return facts.book.years.length === 0 ? 'no_normal_year' : null
}

/** The months, with avoided costs that add up to the one of the total. */
function monthRows(facts: WeatherFacts, meters: readonly FittedMeter[], cells: readonly WeatherCell[], price: UnitPrice): WeatherMonth[] {
  const months = monthsOfWindow(facts.report)
  const groups = months.map((month) => cells.filter((cell) => cell.month === month))
  const costs = spreadCosts(groups, price)
  const compared = meters.filter(({ fault }) => fault === null)
  return months.map((month, place) => {
    const own = groups[place] ?? []
    const { avoided: _avoided, ...amounts } = amountsOf(own)
    return {
      month,
      ...amounts,
      avoided_cost: costs[place] ?? null,
      reason: reasonOf(facts, meters, own, price),
      coverage: coverageOf(month, compared, own),
      ...weatherTexts(facts.book, month),
    }
  })
}

function meterRows(facts: WeatherFacts, meters: readonly FittedMeter[], cells: readonly WeatherCell[], price: UnitPrice): WeatherMeter[] {
  const groups = meters.map(({ service_id }) => cells.filter((cell) => cell.service_id === service_id))
  const costs = spreadCosts(groups, price)
  return meters.map((meter, place) => {
    const own = groups[place] ?? []
    const { avoided: _avoided, ...amounts } = amountsOf(own)
    const { meter_number, account_number } = nameOf(facts, meter.service_id)
    return {
      service_id: meter.service_id,
      meter_number,
      account_number,
      fit: meter.fit && fitText(meter.fit),
      periods_left_out: meter.left_out,
      baseline_points: meter.periods.map(periodPoint),
      report_points: own.flatMap((cell) => reportPoint(cell) ?? []),
      ...amounts,
      avoided_cost: costs[place] ?? null,
      reason: reasonOf(facts, [meter], own, price),
    }
  })
}

/** Avoided costs of groups that add up to that of all of them; null for a group of which nothing is compared. */
function spreadCosts(groups: readonly (readonly WeatherCell[])[], price: UnitPrice): (string | null)[] {
  if (!hasPrice(price)) return groups.map(() => null)
  const avoided = groups.map((cells) => amountsOf(cells).avoided)
  const costs = costsAt(
    price,
    avoided.map((one) => one ?? 0n),
  )
  return avoided.map((one, place) => (one === null ? null : wireOf(costs[place] ?? 0)))
}

const COVERAGE_DECIMALS = 4

function coverageOf(month: CalendarMonth, meters: readonly FittedMeter[], cells: readonly WeatherCell[]): string | null {
  if (meters.length === 0) return null
  const ids = new Set(meters.map(({ service_id }) => service_id))
  const covered = cells.filter(({ service_id }) => ids.has(service_id)).reduce((sum, { days }) => sum + days, 0)
  return dividedBy(String(covered), String(meters.length * daysInMonth(month)), COVERAGE_DECIMALS)
}

const EVERY_DAY = 0x7f_ff_ff_ff
const HUNDREDTHS = 2

function weatherTexts(
  book: DegreeDayBook,
  month: CalendarMonth,
): Pick<WeatherMonth, 'heating' | 'cooling' | 'normal_heating' | 'normal_cooling'> {
  const text = (value: number | undefined) => (value === undefined ? null : decimalOfUnits(BigInt(value), HUNDREDTHS))
  const [own, normal] = [book.ofMask(month, EVERY_DAY), book.normal(month, daysInMonth(month))]
  return {
    heating: text(own?.heating),
    cooling: text(own?.cooling),
    normal_heating: text(normal?.heating),
    normal_cooling: text(normal?.cooling),
  }
}
