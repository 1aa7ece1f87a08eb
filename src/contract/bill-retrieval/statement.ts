/**
 * The data from bill-retrieval services. A provider returns statements (one utility's bill as facts), which become the third-party bill record
 * of the specification (`recordOf`) and then a bill draft (map-statement.ts). Amounts are US dollars as text with two decimals; dates are
 * calendar dates; names are snake_case from the provider's wire to the field.
 */
import { z } from 'zod'

/** The commodities of meters in the words of statements. Irrigation and sanitation differ here until a service is chosen. */
export const commodities = ['electric', 'natural_gas', 'water', 'sewer', 'irrigation', 'sanitation'] as const
export type Commodity = (typeof commodities)[number]

export const statementKinds = ['bill', 'adjustment', 'notice'] as const
export type StatementKind = (typeof statementKinds)[number]

/** Our state of a fetched statement (retrieval_statements.state). */
export const statementStates = ['new', 'matched', 'needs_account', 'needs_meter', 'duplicate', 'created', 'ignored'] as const
export type StatementState = (typeof statementStates)[number]

/** A statement is refused above these counts: the largest real one has 12 meters and about 200 charge lines. */
export const METERS_MAX = 200
export const CHARGE_LINES_MAX = 5_000

const money = z.string().regex(/^-?\d{1,12}\.\d{2}$/, 'must be an amount with two decimals')
const quantity = z.string().regex(/^-?\d{1,15}(\.\d{1,9})?$/, 'must be a decimal number')
const day = z.iso.date()
const name = z.string().max(500)
const absentable = <T extends z.ZodType>(schema: T) => schema.nullable().default(null)

/** One charge line as printed, with its place on the statement; it is kept as evidence for the sums. */
export const printedLine = z.object({
  /** Null on a line of the account as a whole. */
  meter_number: absentable(z.string().max(100)),
  commodity: absentable(z.enum(commodities)),
  name,
  amount: money,
  /** A third party that sold the energy. */
  supplier: absentable(name),
})
export type PrintedLine = z.infer<typeof printedLine>

/** One meter in one period. A meter that was billed for two periods at once appears twice. */
export const meter = z.object({
  /** Empty if the statement gives none. */
  meter_number: z.string().max(100),
  commodity: z.enum(commodities),
  previous_read_date: absentable(day),
  read_date: absentable(day),
  previous_reading: absentable(quantity),
  meter_reading: absentable(quantity),
  multiplier: absentable(quantity),
  /** Null if the statement shows none although the meter has a number. */
  usage: absentable(quantity),
  /** Our symbol (kWh, CCF, …), or null if the statement's unit has no meaning. */
  unit: absentable(z.string().max(40)),
  estimated: z.boolean().default(false),
  rate_schedule: absentable(name),
  utility_charges: money.default('0.00'),
  utility_taxes: money.default('0.00'),
  supply_charges: money.default('0.00'),
  supply_taxes: money.default('0.00'),
  other_charge: money.default('0.00'),
  rec_charge: money.default('0.00'),
  therm_factor: absentable(quantity),
  adjustment_factor: absentable(quantity),
  demand: absentable(quantity),
  kw_actual: absentable(quantity),
  kw_billed: absentable(quantity),
  power_factor: absentable(quantity),
  /** The reason a figure differs from the printed one: spread over periods, added up over registers. */
  notes: absentable(z.string().max(2_000)),
})
export type Meter = z.infer<typeof meter>

/** A charge of the account as a whole, without a service. */
export const accountCharge = z.object({ name, amount: money })
export type AccountCharge = z.infer<typeof accountCharge>

const statementHead = {
  statement_id: z.string().min(1).max(300),
  /** The provider's name for the PDF, or the statement's id if it has none. */
  file_id: z.string().min(1).max(300),
  kind: z.enum(statementKinds),
  /** The provider's name for the utility. */
  provider_name: name,
  account_number: z.string().min(1).max(100),
  /** Null if none is printed; `interval_end` is used instead. */
  bill_date: absentable(day),
  amount_due: absentable(money),
}

/** A statement in a list: enough to choose from, without meters. */
export const statementSummary = z.object(statementHead)
export type StatementSummary = z.infer<typeof statementSummary>

export const statement = z.object({
  ...statementHead,
  service_address: absentable(name),
  invoice_number: absentable(z.string().max(100)),
  due_date: absentable(day),
  /** The service period of the whole account. */
  interval_start: absentable(day),
  interval_end: absentable(day),
  /** The printed balance of earlier statements that is still owed; null if the statement does not give it. */
  balance_forward: absentable(money),
  /** The amount due of the previous statement, whether paid since or not. */
  previous_balance: absentable(money),
  /** The new charges as printed; null, like `amount_due`, on a statement that prints no amounts. */
  current_charges: absentable(money),
  late_fee: money.default('0.00'),
  rebill_adjustment: z.boolean().default(false),
  estimated_any: z.boolean().default(false),
  account_charges: z.array(accountCharge).max(CHARGE_LINES_MAX).default([]),
  meters: z.array(meter).max(METERS_MAX).default([]),
  printed_lines: z.array(printedLine).max(CHARGE_LINES_MAX).default([]),
})
export type Statement = z.infer<typeof statement>
/** The form that a provider may send: everything with a default may be left out. */
export type StatementInput = z.input<typeof statement>

/** The third-party bill record of the specification: listed on the import page, and sent back to create a bill. */
export const retrievalRecord = z.object({
  statement_id: statementHead.statement_id,
  file_id: statementHead.file_id,
  kind: statementHead.kind,
  /** The client's short code. */
  client: name,
  provider_name: statementHead.provider_name,
  account_number: statementHead.account_number,
  invoice_number: absentable(z.string().max(100)),
  bill_date: day,
  due_date: day,
  interval_start: absentable(day),
  interval_end: absentable(day),
  /** The specification has room for three; statements have up to twelve, so all of them are included. */
  meters: z.array(meter).max(METERS_MAX),
  account_charges: z.array(accountCharge).max(CHARGE_LINES_MAX),
  balance_forward: money,
  current_charges: money,
  late_fee: money,
  amount_due: money,
  notes: absentable(z.string().max(10_000)),
  rebill_adjustment: z.boolean(),
  qc: z.boolean(),
  parked: z.boolean(),
  /** The PDF's file name. */
  attachment: name,
  /** Values that were assumed because they were not printed. */
  assumed: z.array(z.enum(['bill_date', 'due_date'])),
})
export type RetrievalRecord = z.infer<typeof retrievalRecord>

/** The reason a statement cannot become a bill, in words for the user. */
export interface Cannot {
  readonly cannot: string
}

/**
 * {client short code}_{bill date YYYYMMDD}_{last 6 of the account number}.pdf. Characters that are problematic for file systems or mail programs
 * become a hyphen, because account numbers contain spaces and slashes.
 */
export function statementFilename(clientCode: string, billDate: string, accountNumber: string): string {
  const lastSix = accountNumber.trim().slice(-6)
  return `${safePart(clientCode)}_${billDate.replaceAll('-', '')}_${safePart(lastSix)}.pdf`
}

function safePart(text: string): string {
  return text.replace(/[^A-Za-z0-9.-]+/g, '-')
}
