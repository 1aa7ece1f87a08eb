import type { DashboardQuery } from '#contract/dashboard/dashboard.ts'
import { isOn } from '#contract/dashboard/dashboard.ts'
import { customWindows, DEFAULT_DATE_RANGE, windowsOf, type ComparedWindows } from '#contract/dashboard/date-range.ts'
import { today } from '../kernel/clock.ts'

/** The windows that a query asks for: its own months, or a range as seen on its day. */
export function windowsOfQuery(query: DashboardQuery): ComparedWindows {
  const { from_month, to_month } = query
  if (from_month && to_month) return customWindows(from_month, to_month)
  return windowsOf(query.date_range_type ?? DEFAULT_DATE_RANGE, query.as_of ?? today(), isOn(query.compare_to_last_year))
}
