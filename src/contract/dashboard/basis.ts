/** The bases of a dashboard: to which month the cost and the usage of a bill belong. */
export const dashboardBases = ['calendarized', 'billed', 'fiscal'] as const
export type DashboardBasis = (typeof dashboardBases)[number]
export const DEFAULT_BASIS = 'calendarized' satisfies DashboardBasis

export const basisLabels: Readonly<Record<DashboardBasis, string>> = {
  calendarized: 'Calendarized',
  billed: 'Billed by bill date',
  fiscal: 'Billed by fiscal month',
}

/** True where a bill counts whole in one month; false where it is spread over the days that it covers. */
export function isWholeBills(basis: DashboardBasis): boolean {
  return basis !== 'calendarized'
}
