/**
 * The fields of a bill and of its lines that people type. The draft, the body of a save, the form, the stored columns, the locks and the trail
 * follow from these lists: a new field is added here, in a migration, and where the form shows it.
 */
import { longText, text } from '../kernel/entity.ts'
import {
  requiredDay,
  optionalText,
  requiredMoney,
  lateFee,
  monthSchema,
  optionalDay,
  notesMax,
  flag,
  link,
  mode,
  service,
  optionalDecimal,
} from './bill-field-kinds.ts'

/** Fields that rows of lists contain too, with labels of their own (bill.ts). */
const listedFields = {
  date: requiredDay('Date', 'header', { label: 'Bill Date' }),
  due_date: requiredDay('Due Date', 'header', { isSilent: true }),
  invoice_number: optionalText('Invoice Number', text('Invoice Number', 100).schema, 'header', { isSilent: true }),
  balance_forward: requiredMoney('Balance Forward', 'charges'),
  current_charges: requiredMoney('Current Charges', 'charges'),
  late_fee: lateFee,
  amount_due: requiredMoney('Amount Due', 'amount_due'),
  fiscal_month: optionalText('Fiscal Month', monthSchema('Fiscal Month'), 'fiscal_month'),
  next_read_date: optionalDay('Next Read Date', 'header'),
  notes: optionalText('Notes', longText('Notes').schema, 'notes', { isSilent: true, max: notesMax }),
  qc: flag('QC', 'hold', true),
  parked: flag('Parked', 'hold', true),
  rebill_adjustment: flag('Rebill or Adjustment', 'rebill'),
}

/** Fields that only the page and the form of one bill contain. */
export const pageFields = {
  /** The bill that this one corrects; `replace` makes that one void, `add` counts both. */
  rebill_of_id: link('Corrected Bill', 'rebill'),
  rebill_mode: mode,
}

/** The fields of the form. */
export const formFields = {
  ...listedFields,
  ...pageFields,
  /** The bill of the group account, which pays for this one. If missing, the matching one, as soon as it exists. */
  group_bill_id: link('Group Bill', 'header'),
  /** The previous bill; if missing, the latest earlier one of the account. */
  bill_id: link('Previous Bill', 'header', true),
}

/** All fields of a bill that a save may change, without its account. */
export const headFields = {
  ...formFields,
  /** True if a user chose `group_bill_id`, even null: no later save links the bill otherwise. */
  group_bill_chosen: flag('Group Bill Chosen', 'header'),
}

/** The fields that every bill prints at its head: summaries, imported files and the reader of documents have these. */
export const printedHeads = ['invoice_number', 'date', 'due_date', 'balance_forward', 'current_charges', 'late_fee', 'amount_due'] as const
export type PrintedHead = (typeof printedHeads)[number]

/** The fields of the head that audits look at. */
export const auditedHeads = [...printedHeads, 'rebill_adjustment', 'rebill_mode', 'rebill_of_id'] as const
export type AuditedHead = (typeof auditedHeads)[number]

/** The fields of a service line. */
export const lineFields = {
  service_id: service,
  previous_read_date: optionalDay('Previous Read Date', 'lines'),
  read_date: optionalDay('Read Date', 'lines'),
  next_read_date: optionalDay('Next Read Date', 'lines'),
  fiscal_month: optionalText('Fiscal Month', monthSchema('Fiscal Month'), 'fiscal_month'),
  previous_reading: optionalDecimal('Previous Reading', 2),
  meter_reading: optionalDecimal('Meter Reading', 2, { label: 'Reading' }),
  /** If missing, the meter's multiplier, or else 1. */
  multiplier: optionalDecimal('Multiplier', 4, { whole: 9 }),
  /** If missing, derived from the readings if there are both. */
  usage: optionalDecimal('Usage', 3),
  /** If missing, the service's own unit, unless `raw_unit` says that none of ours fits. */
  unit_id: link('Unit', 'lines'),
  raw_unit: optionalText('Unit', text('Unit', 40).schema, 'lines', { label: 'Printed Unit' }),
  rate_schedule: optionalText('Rate Schedule', text('Rate Schedule', 500).schema, 'lines', { isSilent: true, max: 500 }),
  estimated: flag('Estimated', 'lines'),
  notes: optionalText('Notes', longText('Notes').schema, 'lines', { isSilent: true, max: notesMax }),
  supply_bill_id: link('Supply Bill', 'line_set'),
}

/** The lists of named values of a line: their label, and the decimal places and whole digits of a value. */
export const lineLists = {
  service_bill_entry_fields: { label: 'Charges', scale: 2, whole: 8 },
  service_bill_usage_factors: { label: 'Usage Factors', scale: 4, whole: 12 },
  service_bill_additional_entry_fields: { label: 'Charges', scale: 4, whole: 12 },
} as const
export type LineList = keyof typeof lineLists
export const lineListNames = ['service_bill_entry_fields', 'service_bill_usage_factors', 'service_bill_additional_entry_fields'] as const
