/** Answers what a facility would have used in the same weather, against a baseline year. */
import { BASELINE_MONTHS, baselineFault, type WeatherAnswer, type WeatherQuery } from '#contract/dashboard/dashboard-weather.ts'
import { monthWindow, type MonthWindow } from '#contract/dashboard/date-range.ts'
import { addToMonth, monthOf } from '#contract/kernel/date.ts'
import { degreeDayBook } from '#contract/weather/degree-day-book.ts'
import { today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { mayIn } from '../kernel/principal.ts'
import { invalid } from '../kernel/problem.ts'
import { composeWeather } from './compose-weather.ts'
import { scopedPart } from './dashboard-scope.ts'
import { readServices } from './read-sums.ts'
import { readDegreeDays, readMeterMonths, readMeterNames, readMeterPeriods, readStation } from './read-weather.ts'

/** Throws what `scopedPart` throws; 422 where the baseline reaches into the report. */
export async function weatherOf(context: Context, clientId: number, facilityId: number, query: WeatherQuery): Promise<WeatherAnswer> {
  const part = await scopedPart(context, clientId, { scope_type: 'facility', scope_id: String(facilityId) })
  const { baseline, report } = windowsOf(query)
  const { tx } = context
  const station = await readStation(tx, clientId, facilityId)
  const [degreeDays, months, periods, services] = await Promise.all([
    station ? readDegreeDays(tx, station.id, report) : [],
    readMeterMonths(tx, part, report),
    readMeterPeriods(tx, part, baseline),
    readServices(tx),
  ])
  const serviceIds = [...new Set([...months, ...periods].map(({ service_id }) => service_id))]
  return composeWeather({
    facility: { id: part.id, name: part.name },
    station,
    book: degreeDayBook(degreeDays),
    baseline,
    report,
    months,
    periods,
    services: new Map(services.map((service) => [service.id, service])),
    names: await readMeterNames(tx, clientId, serviceIds, {
      billable: mayIn(context.principal, 'billable_account.read', clientId),
      supply: mayIn(context.principal, 'supply_account.read', clientId),
    }),
    service_id: query.service === undefined ? null : Number(query.service),
    meter_id: query.meter === undefined ? null : Number(query.meter),
  })
}

function windowsOf({ baseline_month, from_month, to_month }: WeatherQuery): { baseline: MonthWindow; report: MonthWindow } {
  const last = addToMonth(monthOf(today()), -1)
  const report = from_month && to_month ? monthWindow(from_month, to_month) : monthWindow(addToMonth(last, 1 - BASELINE_MONTHS), last)
  const fault = baselineFault(baseline_month, report.first_month)
  if (fault !== null) throw invalid({ baseline_month: [fault] })
  const first = baseline_month || addToMonth(report.first_month, -BASELINE_MONTHS)
  return { report, baseline: monthWindow(first, addToMonth(first, BASELINE_MONTHS - 1)) }
}
