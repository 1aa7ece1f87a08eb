/** The choices of the comparison in the same weather are in its address; this file reads and changes them, and loads the answer. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { baselineFault, dashboardWeatherCalls, type WeatherQuery } from '#contract/dashboard/dashboard-weather.ts'
import { customRangeFaults } from '#contract/dashboard/date-range.ts'
import { useSearchText, withSearch } from '../kernel/navigation.tsx'
import { apiQuery } from '../kernel/query.ts'

/** '' is the default of the call. */
export interface WeatherChoices {
  readonly service: string
  readonly meter: string
  readonly baseline_month: string
  readonly from_month: string
  readonly to_month: string
}

/** Unknown values of the address fall back to the defaults. */
export function useWeatherChoices(): WeatherChoices {
  const { service = '', meter = '', baseline_month = '', from_month = '', to_month = '' } = useSearchText()
  const isRange = customRangeFaults(from_month, to_month).length === 0
  const isId = (text: string) => /^[1-9]\d{0,15}$/.test(text)
  return {
    service: isId(service) ? service : '',
    meter: isId(meter) ? meter : '',
    baseline_month: baselineFault(baseline_month, isRange ? from_month : undefined) === null ? baseline_month : '',
    from_month: isRange ? from_month : '',
    to_month: isRange ? to_month : '',
  }
}

export function weatherHref(clientId: number, facilityId: number, choices: Partial<WeatherChoices> = {}): string {
  return withSearch(`/clients/${clientId}/facilities/${facilityId}/weather`, { ...choices })
}

export function useWeather(clientId: number, facilityId: number, choices: WeatherChoices) {
  const query: WeatherQuery = {
    service: choices.service || undefined,
    meter: choices.meter || undefined,
    baseline_month: choices.baseline_month || undefined,
    from_month: choices.from_month || undefined,
    to_month: choices.to_month || undefined,
  }
  return useQuery({
    ...apiQuery(dashboardWeatherCalls.weather, { params: { client_id: clientId, facility_id: facilityId }, query }),
    placeholderData: keepPreviousData,
  })
}
