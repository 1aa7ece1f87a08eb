/**
 * Turns a bill into lines of the client's general ledger, in whole cents. Debits are positive. All lines of a bill sum to zero: the expense plus
 * the cleared earlier balance equals the amount owed to the vendor.
 */
import { absolute, tenThousandthsOf, unitsOf, USAGE_SCALE } from '../kernel/decimal.ts'
import { allocate, type Cents, centsOf, centsOrZero, sumCents } from '../kernel/money.ts'
import { amountDue, type BillCharges, chargeSplit, type ChargeSplit, type LineCharges, lineCharge, linesTotal } from './bill-totals.ts'

/** How account-level charges are spread over the lines. */
export type SpreadBy = 'cost' | 'usage'

export interface LedgerShare {
  readonly ledger_account_id: number
  readonly share_ratio: string
}

/** The weight of a line. */
interface SpreadLine {
  readonly usage: string | null
  readonly unit_id: number | null
}

export interface LedgerLine extends LineCharges, SpreadLine {
  /**
   * The ledger accounts that the service's charges are booked on. One account is one share of 1. Empty if the service has none yet: the amount
   * is then booked on no account, which the audit gl_incomplete holds back.
   */
  readonly ledger_shares: readonly LedgerShare[]
}

export interface LedgerBill extends BillCharges {
  readonly amount_due: string
  readonly service_bills: readonly LedgerLine[]
}

export interface LedgerSettings {
  readonly spread_by: SpreadBy
  /** The ledger account for late fees; null spreads them over the lines like other account-level charges. */
  readonly late_fee_ledger_account_id: number | null
  readonly prior_balance_ledger_account_id: number | null
  readonly payable_ledger_account_id: number | null
}

export interface LedgerEntry {
  readonly kind: 'expense' | 'late_fee' | 'prior_balance' | 'payable'
  /** Position of the service line in the bill; null for entries without one. */
  readonly line: number | null
  readonly ledger_account_id: number | null
  readonly amount: Cents
}

const WHOLE: readonly number[] = [1]

/**
 * Returns the ledger lines of a bill: the expense of each service line over its shares, the late fee if it has its own account, the earlier
 * balance, and one payable credit. Amounts of zero are left out, except the payable. If the stated amount due differs from its parts, the
 * difference goes to the prior-balance account with the balance: it is no expense of this bill, and the lines still sum to zero.
 */
export function ledgerEntries(bill: LedgerBill, settings: LedgerSettings): LedgerEntry[] {
  const ownLateFee = settings.late_fee_ledger_account_id === null ? 0 : centsOrZero(bill.late_fee)
  const residual = centsOrZero(bill.current_charges) + centsOrZero(bill.late_fee) - ownLateFee - linesTotal(bill)
  const costs = lineCosts(bill.service_bills, residual, settings.spread_by)
  const clearing = centsOrZero(bill.balance_forward) + centsOf(bill.amount_due) - centsOf(amountDue(bill))
  const entries: LedgerEntry[] = [
    ...costs.flatMap((cost, line) => expenseEntries(cost, line, bill.service_bills[line]?.ledger_shares ?? [])),
    // A bill with only account-level charges has no line to book them on.
    ...(costs.length === 0 ? expenseEntries(residual, null, []) : []),
    { kind: 'late_fee', line: null, ledger_account_id: settings.late_fee_ledger_account_id, amount: ownLateFee },
    { kind: 'prior_balance', line: null, ledger_account_id: settings.prior_balance_ledger_account_id, amount: clearing },
  ]
  const payable: LedgerEntry = {
    kind: 'payable',
    line: null,
    ledger_account_id: settings.payable_ledger_account_id,
    amount: negated(centsOf(bill.amount_due)),
  }
  return [...entries.filter((entry) => entry.amount !== 0), payable]
}

/** Returns the cents of each line with its share of the account-level charges; their total is current charges plus late fee. */
export function lineCosts(lines: readonly (LineCharges & SpreadLine)[], residual: Cents, by: SpreadBy = 'cost'): Cents[] {
  const parts = spreadResidual(
    residual,
    lines.map((line) => ({ charge: lineCharge(line), usage: line.usage, unit_id: line.unit_id })),
    by,
  )
  return lines.map((line, place) => lineCharge(line) + (parts[place] ?? 0))
}

/** Like `lineCosts`, by charge category; account-level charges count as other. */
export function lineCostSplits(lines: readonly (LineCharges & SpreadLine)[], residual: Cents, by: SpreadBy = 'cost'): ChargeSplit[] {
  const parts = spreadResidual(
    residual,
    lines.map((line) => ({ charge: lineCharge(line), usage: line.usage, unit_id: line.unit_id })),
    by,
  )
  return lines.map((line, place) => {
    const split = chargeSplit(line)
    return { ...split, other: split.other + (parts[place] ?? 0) }
  })
}

/**
 * Spreads account-level charges over the lines in proportion to their charges; by usage if all charges are zero (or if the client asks for it
 * and there is usage), provided all lines have the same unit, since a kilowatt-hour cannot be weighed against a gallon. Evenly if there is
 * neither. Empty without lines.
 */
export function spreadResidual(
  residual: Cents,
  lines: readonly (SpreadLine & { readonly charge: Cents })[],
  by: SpreadBy = 'cost',
): Cents[] {
  const [first] = lines
  if (first === undefined) return []
  const byCost = lines.map((line) => BigInt(Math.abs(line.charge)))
  const isOneUnit = first.unit_id !== null && lines.every((line) => line.unit_id === first.unit_id)
  const byUsage = lines.map((line) => (isOneUnit && line.usage ? unitsOf(absolute(line.usage), USAGE_SCALE) : 0n))
  const preferred = by === 'cost' ? [byCost, byUsage] : [byUsage, byCost]
  const weights = preferred.find((candidates) => candidates.some((weight) => weight > 0n)) ?? byCost
  return allocate(residual, weights)
}

/** Splits an amount by share ratios, in ten-thousandths, rounded to the cent by largest remainder. */
export function splitByRatios(cents: Cents, ratios: readonly string[]): Cents[] {
  return allocate(cents, ratios.map(tenThousandthsOf))
}

/** Returns the amount owed for a set of ledger lines, positive: the negated payable lines. */
export function payableTotal(entries: readonly LedgerEntry[]): Cents {
  return negated(sumCents(entries.filter((entry) => entry.kind === 'payable').map((entry) => entry.amount)))
}

function expenseEntries(cost: Cents, line: number | null, shares: readonly LedgerShare[]): LedgerEntry[] {
  const ratios = shares.map((share) => tenThousandthsOf(share.share_ratio))
  const parts = allocate(cost, ratios.length === 0 ? WHOLE : ratios)
  return parts.map((amount, place) => ({ kind: 'expense', line, ledger_account_id: shares[place]?.ledger_account_id ?? null, amount }))
}

function negated(cents: Cents): Cents {
  return cents === 0 ? 0 : -cents
}
