/** The bills behind a figure of a report's preview. */
import { z } from 'zod'

/** Filters of the list of bills, as its address has them. */
const filters = z.record(z.string(), z.string())
export type BillFilters = z.infer<typeof filters>

/** What of the found bills comes to the figure: their number, or a sum; `charged` is current charges and late fees. */
const sums = z.enum(['count', 'counted', 'amount_due', 'charged'])

export const figureBills = z.object({ column: z.string(), client_id: z.int(), filters, comes_to: sums })
export type FigureBills = z.infer<typeof figureBills>
export const controlBills = filters
