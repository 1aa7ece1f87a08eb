/** A service line as it is answered. */
import { z } from 'zod'
import { lineFields } from './bill-fields.ts'
import { schemasOf } from '../kernel/record.ts'

export const id = z.int()
export const text = z.string().nullable()
export const decimal = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/)
  .nullable()

/** The six flags of a line's fields: true if an open finding refers to that field. The bill's flag is true if any line's is. */
export const fieldFlagShape = {
  previous_read_date_flag: z.boolean(),
  number_of_days_flag: z.boolean(),
  previous_reading_flag: z.boolean(),
  multiplier_flag: z.boolean(),
  usage_flag: z.boolean(),
  estimated_flag: z.boolean(),
}

const entryValue = z.object({ id, name: z.string(), value: decimal })

export const serviceBill = z.object({
  id,
  bill_id: id,
  position: z.int(),
  service_utility_service_name: text,
  service_meter_number: z.string(),
  service_name_1: text,
  service_name_2: text,
  metered: z.boolean(),
  ...schemasOf(lineFields, 'answered'),
  number_of_days: z.int().nullable(),
  standard_usage: decimal,
  standard_unit_symbol: text,
  unit_symbol: text,
  unit_options: z.array(z.object({ id, symbol: z.string() })),
  /** Absent without the right to read bill_notes. */
  notes: text.optional(),
  service_bill_entry_fields: z.array(entryValue.extend({ category: z.enum(['utility', 'supply', 'other']), is_tax: z.boolean() })),
  service_bill_usage_factors: z.array(entryValue.extend({ adjustment_factor: z.boolean() })),
  service_bill_additional_entry_fields: z.array(entryValue),
  /** Total of the line, two decimals. */
  charge: z.string(),
  ...fieldFlagShape,
})
export type ServiceBill = z.infer<typeof serviceBill>
