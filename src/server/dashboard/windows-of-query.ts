import type { DashboardQuery } from '#contract/dashboard/dashboard.ts'
import { isOn } from '#contract/dashboard/dashboard.ts'
import { DEFAULT_DATE_RANGE, windowsOf, type ComparedWindows } from '#contract/dashboard/date-range.ts'
import { today } from '../kernel/clock.ts'

/** The windows that a query asks for, as seen on its day. */
export function windowsOfQuery(query: DashboardQuery): ComparedWindows {
  return windowsOf(query.date_range_type ?? DEFAULT_DATE_RANGE, query.as_of ?? today(), isOn(query.compare_to_last_year))
}
