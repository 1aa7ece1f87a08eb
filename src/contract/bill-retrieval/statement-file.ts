/**
 * The file format of printed statements: newline-delimited JSON, one file per utility, one statement per line, every figure as the utility
 * printed it. `statementOfFile` converts such a line into the form of every provider.
 */
import { z } from 'zod'
import { CHARGE_LINES_MAX, METERS_MAX, type AccountCharge, type PrintedLine, type Statement } from './statement.ts'
import { money, fileCharge, fileMeter, metersOf, type FileCharge, type FileMeter } from './statement-meters.ts'

export const fileStatement = z.object({
  statement_id: z.string().min(1),
  utility: z.string(),
  account_number: z.string().min(1),
  kind: z.enum(['bill', 'adjustment']),
  statement_date: z.iso.date().nullable(),
  interval_start: z.iso.date().nullable(),
  interval_end: z.iso.date().nullable(),
  previous_balance: money.nullable(),
  outstanding_balance: money.nullable(),
  new_charges: money.nullable(),
  amount_due: money.nullable(),
  total_bill_amount: money.nullable(),
  charges: z.array(fileCharge).max(CHARGE_LINES_MAX),
  meters: z.array(fileMeter).max(METERS_MAX),
})
export type FileStatement = z.infer<typeof fileStatement>

/**
 * Returns the statement in the form of all providers. Nothing printed is lost: the sum of all charge lines equals the sum of the meters' charges
 * and the account's, to the cent. A late charge stays a line, because the files don't distinguish it from other charges.
 */
export function statementOfFile(file: FileStatement): Statement {
  const isAdjustment = file.kind === 'adjustment'
  const printedLines = [
    ...file.charges.map((charge) => lineOf(charge, null)),
    ...file.meters.flatMap((one) => one.charges.map((charge) => lineOf(charge, one))),
  ]
  return {
    statement_id: file.statement_id,
    file_id: file.statement_id,
    kind: file.kind,
    provider_name: file.utility,
    account_number: file.account_number,
    service_address: null,
    invoice_number: null,
    bill_date: file.statement_date,
    due_date: null,
    interval_start: file.interval_start,
    interval_end: file.interval_end,
    balance_forward: file.outstanding_balance,
    previous_balance: file.previous_balance,
    current_charges: file.new_charges,
    late_fee: '0.00',
    amount_due: file.amount_due,
    rebill_adjustment: isAdjustment,
    estimated_any: false,
    account_charges: file.charges.map(accountChargeOf).filter((charge) => charge.amount !== '0.00'),
    meters: file.meters.flatMap((one) => metersOf(one, { start: file.interval_start, end: file.interval_end })),
    printed_lines: printedLines,
  }
}

function lineOf(charge: FileCharge, of: FileMeter | null): PrintedLine {
  return {
    meter_number: of === null ? null : of.meter_number,
    commodity: of === null ? null : of.service,
    name: charge.name.slice(0, 500),
    amount: charge.amount,
    supplier: charge.supplier,
  }
}

/** The supplier's name is added to the charge's name, since an account's charge has no supplier field. */
function accountChargeOf(charge: FileCharge): AccountCharge {
  const named = charge.supplier === null ? charge.name : `${charge.supplier}: ${charge.name}`
  return { name: named.slice(0, 500), amount: charge.amount }
}
