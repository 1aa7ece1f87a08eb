/** The input of a report: the choices of its form, as stored and as sent over the wire. */
import { z } from 'zod'

/** Maximum records of one choice. */
export const reportIdsMax = 1_000
/** Maximum columns that can be chosen for a report. */
export const reportColumnsMax = 300

const ids = (label: string) => z.array(z.int().positive(), { error: `${label} must be a list of ids` }).max(reportIdsMax)
const day = (label: string) =>
  z.preprocess((value) => (value === '' ? null : value), z.iso.date({ error: `${label} must be a date, YYYY-MM-DD` }).nullable())

/** Calendarized: spread over the days of each line. Billed: all of it in the fiscal month of the line, else in the month of the bill. */
export const reportBases = [
  { value: 'calendarized', label: 'Calendarized by day' },
  { value: 'billed', label: 'Billed: by fiscal month, else by bill date' },
] as const
export type ReportBasis = (typeof reportBases)[number]['value']

export const accrualMethods = [
  { value: 'seasonal', label: 'Seasonal: the same months of up to three earlier years, at the last unit cost' },
  { value: 'last_bill', label: 'Last bill: its cost for each day' },
  { value: 'trailing', label: 'Trailing: the average of the last twelve months' },
] as const
export type AccrualMethod = (typeof accrualMethods)[number]['value']

const shape = z
  .strictObject({
    date_range: z.strictObject({ from: day('From').default(null), to: day('To').default(null) }).default({ from: null, to: null }),
    utility_service_ids: ids('Utility Services').default([]),
    /** Client batches and vendor batches. */
    accounting_batch_ids: ids('Client Batches').default([]),
    payment_batch_ids: ids('Vendor Batches').default([]),
    vendor_ids: ids('Vendors').default([]),
    division_ids: ids('Divisions').default([]),
    facility_ids: ids('Facilities').default([]),
    billable_account_ids: ids('Billable Accounts').default([]),
    supply_account_ids: ids('Supply Accounts').default([]),
    ledger_details: z.boolean({ error: 'Ledger Details must be true or false' }).default(false),
    /** The columns of a Universal Data Export in their order; an empty list means all of them. */
    utility_service_fields: z
      .array(z.strictObject({ name: z.string().min(1).max(200), checked: z.boolean() }), { error: 'Fields must be a list' })
      .max(reportColumnsMax)
      .default([]),
    basis: z.enum(['calendarized', 'billed'], { error: 'Basis must be calendarized or billed' }).default('calendarized'),
    accrual_method: z
      .enum(['seasonal', 'last_bill', 'trailing'], { error: 'Accrual Method must be seasonal, last_bill or trailing' })
      .default('seasonal'),
    /** Every client whose bills are in the user's reach; only for provider staff's own reports. */
    all_clients: z.boolean({ error: 'All Clients must be true or false' }).default(false),
  })
  .refine(({ date_range: { from, to } }) => from === null || to === null || from <= to, {
    path: ['date_range', 'to'],
    error: 'To must not be before From',
  })
export type ReportFormData = z.infer<typeof shape>

/** A single utility service may be sent as `utility_service_id`, which is a list of one. */
export const reportFormData: z.ZodType<ReportFormData> = z.preprocess((value) => {
  if (typeof value !== 'object' || value === null || !('utility_service_id' in value)) return value
  const { utility_service_id: one, ...rest } = value
  return one === null || one === '' ? rest : { utility_service_ids: [one], ...rest }
}, shape)
export const noReportFormData: ReportFormData = reportFormData.parse({})
