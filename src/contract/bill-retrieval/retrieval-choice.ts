/** A user's choices before statements become bills: the account of each record, new accounts and missing meters. */
import { z } from 'zod'
import { facility } from '../clients/facility.ts'
import { states } from '../accounts/address.ts'
import { retrievalRecord } from './statement.ts'
import { vendor } from '../vendors/vendor.ts'

/** The sent part of a record: its file id, and a user's changes. A whole record may be sent as listed; its state keys are ignored. */
export const chosenRecordSchema = retrievalRecord
  .pick({
    statement_id: true,
    invoice_number: true,
    bill_date: true,
    due_date: true,
    interval_start: true,
    interval_end: true,
    meters: true,
    account_charges: true,
    balance_forward: true,
    current_charges: true,
    late_fee: true,
    amount_due: true,
    notes: true,
    rebill_adjustment: true,
    qc: true,
    parked: true,
  })
  .partial()
  .extend({
    file_id: retrievalRecord.shape.file_id,
    // A default would fill a gap: an unsent field keeps the statement's value.
    invoice_number: z.string().max(100).nullable().optional(),
    interval_start: z.iso.date().nullable().optional(),
    interval_end: z.iso.date().nullable().optional(),
    notes: z.string().max(10_000).nullable().optional(),
    /** The relation of a corrected statement to the bill of its period; by default, the same period replaces and any other adds. */
    rebill_mode: z.enum(['replace', 'add']).nullable().optional(),
    /** Creates the bill although a similar one exists (G-DUP-OVERRIDE). */
    override_reason: z.string().max(1_000).nullable().optional(),
  })
export type ChosenRecord = z.infer<typeof chosenRecordSchema>

export const newAccountAddress = z.strictObject({
  street_address_1: z.string().trim().min(1).max(255),
  city: z.string().trim().min(1).max(100),
  state: z.enum(states.map((state) => state.value)),
  zip: z.string().trim().min(1).max(20),
})

/** For all missing accounts of a utility: their vendor and their facility. The address is used if the statement prints none. */
export const newAccounts = z
  .strictObject({
    provider_name: z.string().min(1).max(500),
    vendor_id: z.int().positive().optional(),
    new_vendor: z.strictObject({ name: vendor.fields.name.schema, short_code: vendor.fields.short_code.schema }).optional(),
    facility_id: z.int().positive().optional(),
    new_facility: z
      .strictObject({
        name: facility.fields.name.schema,
        number: facility.fields.number.schema,
        division_id: facility.fields.division_id.schema,
      })
      .optional(),
    address: newAccountAddress.optional(),
  })
  .refine((one) => (one.vendor_id === undefined) !== (one.new_vendor === undefined), {
    error: 'Pick a vendor or name a new one',
    path: ['vendor_id'],
  })
  .refine((one) => (one.facility_id === undefined) !== (one.new_facility === undefined), {
    error: 'Pick a facility or name a new one',
    path: ['facility_id'],
  })
export type NewAccounts = z.infer<typeof newAccounts>

/**
 * The choice for a statement with a meter that the account does not have: leave the statement, add the meter, or create the bill without it and
 * flag it.
 */
export const missingMeters = ['leave', 'add', 'flag'] as const
