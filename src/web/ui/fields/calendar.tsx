import { DatePicker } from '@mantine/dates'
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/dates/styles.layer.css'
import { KitProvider } from '../kit-provider.tsx'

// Bills fall due on any day, so weekends look like other days.
const noWeekend: [] = []

export type CalendarProps = {
  /** 'YYYY-MM-DD' or null. */
  value: string | null
  today: string
  min?: string | undefined
  max?: string | undefined
  onChoose: (date: string) => void
}

/** A month to choose a day from; its code loads when it is first opened. */
export function Calendar({ value, today, min, max, onChoose }: CalendarProps) {
  return (
    <KitProvider>
      <DatePicker
        size="xs"
        value={value}
        defaultDate={value ?? today}
        {...(min ? { minDate: min } : {})}
        {...(max ? { maxDate: max } : {})}
        highlightToday
        hideOutsideDates
        weekendDays={noWeekend}
        firstDayOfWeek={0}
        onChange={(date) => date && onChoose(date)}
        ariaLabels={{ nextMonth: 'Next month', previousMonth: 'Previous month' }}
      />
    </KitProvider>
  )
}
