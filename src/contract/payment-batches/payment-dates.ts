/** The dates of a vendor batch. */
import { addDays, type CalendarDate } from '../kernel/date.ts'

/** Days from the batch date to the due date of its bills. */
export const dueAfterDays = 14

/** Returns the initial due date of a batch with this date. */
export const dueDateOf = (batchDate: CalendarDate): CalendarDate => addDays(batchDate, dueAfterDays)
