import { addDays, addToMonth, firstDayOf, lastDayOf, monthOf, type CalendarDate } from '#contract/kernel/date.ts'

export interface DateRange {
  readonly label: string
  readonly from: CalendarDate
  readonly to: CalendarDate
}

/** The ranges that people ask for by name, both days included. Due dates lie ahead, so that there are days to come among them. */
export function dateRanges(today: CalendarDate): readonly DateRange[] {
  const month = monthOf(today)
  const before = addToMonth(month, -1)
  const year = Number(today.slice(0, 4))
  return [
    { label: 'Today', from: today, to: today },
    { label: 'Before today', from: '', to: addDays(today, -1) },
    { label: 'Last 7 days', from: addDays(today, -6), to: today },
    { label: 'Next 7 days', from: today, to: addDays(today, 6) },
    { label: 'Last 30 days', from: addDays(today, -29), to: today },
    { label: 'Next 30 days', from: today, to: addDays(today, 29) },
    { label: 'This month', from: firstDayOf(month), to: lastDayOf(month) },
    { label: 'Last month', from: firstDayOf(before), to: lastDayOf(before) },
    { label: 'This year', from: `${year}-01-01`, to: `${year}-12-31` },
    { label: 'Last year', from: `${year - 1}-01-01`, to: `${year - 1}-12-31` },
  ]
}
