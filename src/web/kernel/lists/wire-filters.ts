import { isCalendarDate } from '#contract/kernel/date.ts'
import type { GridFilters } from '../../ui/grid/grid-types.ts'

/**
 * Converts filters to wire format: a date MM/DD/YYYY under a key with gteq or lteq becomes YYYY-MM-DD. Everything else is sent unchanged; the
 * server reports what it cannot read.
 */
export function wireFilters(filters: GridFilters): Record<string, string> {
  return Object.fromEntries(Object.entries(filters).map(([key, value]) => [key, /gteq|lteq/.test(key) ? wireDate(value) : value]))
}

function wireDate(value: string): string {
  const us = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(value.trim())
  const iso = us ? `${us[3]}-${us[1]?.padStart(2, '0')}-${us[2]?.padStart(2, '0')}` : value
  return us && !isCalendarDate(iso) ? value : iso
}
