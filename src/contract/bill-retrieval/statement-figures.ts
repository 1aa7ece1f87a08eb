/**
 * Determines the charges of a statement for its period. It prints them up to three times: as its new charges, line by line, and as the amount
 * due minus the outstanding balance. If they disagree, the value of two of them counts, or else the amount due minus the outstanding balance;
 * the other one is reported. An amount counts once, however often it is printed.
 */
import { centsOf, wireOf, type Cents } from '../kernel/money.ts'
import type { AccountCharge, Meter } from './statement.ts'
import { type PricedStatement, countedLines, linesSum, hasAmounts, shown } from './counted-lines.ts'

export interface Charged {
  readonly current_charges: string
  /** The charged ones; repetitions stay only among the printed lines. */
  readonly meters: Meter[]
  readonly account_charges: AccountCharge[]
  /** Remarks for the user, in sentences. */
  readonly remarks: string[]
}

export function chargedOf(statement: PricedStatement): Charged {
  const decided = decide(statement)
  const lines = countedLines(statement, decided.cents)
  const counted = linesSum(lines)
  const isExplained = !hasAmounts(lines) || counted === decided.cents
  return {
    current_charges: wireOf(decided.cents),
    meters: lines.meters,
    account_charges: lines.account_charges,
    remarks: [
      ...decided.remarks,
      ...lines.remarks,
      ...(isExplained
        ? []
        : [`The printed charges add up to ${shown(counted)}, the statement's current charges are ${shown(decided.cents)}.`]),
    ],
  }
}

interface Figures {
  readonly due: Cents
  readonly late: Cents
  /** Null if 0.00 replaces a figure that the source does not have. */
  readonly printed: Cents | null
  /** Null if no line has an amount. */
  readonly lines: Cents | null
  /** The amount due minus the outstanding balance; null if no balance is printed. */
  readonly rest: Cents | null
  readonly previous: Cents | null
}

function figuresOf(statement: PricedStatement): Figures {
  const due = centsOf(statement.amount_due)
  const late = centsOf(statement.late_fee)
  const lines = hasAmounts(statement) ? linesSum(statement) : null
  const printed = centsOf(statement.current_charges)
  return {
    due,
    late,
    lines,
    printed: printed === 0 && lines !== null && lines !== 0 ? null : printed,
    rest: statement.balance_forward === null ? null : due - late - centsOf(statement.balance_forward),
    previous: statement.previous_balance === null || statement.kind === 'adjustment' ? null : centsOf(statement.previous_balance),
  }
}

interface Decided {
  readonly cents: Cents
  readonly remarks: readonly string[]
}

function decide(statement: PricedStatement): Decided {
  const figures = figuresOf(statement)
  const { due, late, printed, lines, rest, previous } = figures
  if (rest === null) return { cents: printed ?? lines ?? 0, remarks: [] }
  if (printed === rest) return { cents: rest, remarks: [] }
  if (lines === rest)
    return { cents: rest, remarks: printed === null ? [] : [`${newCharges(printed)}; the lines and ${restInWords(figures)}.`] }
  if (printed !== null && printed !== 0 && printed === lines)
    return { cents: printed, remarks: [`The lines and the new charges are ${shown(printed)}, but ${restInWords(figures)}.`] }
  const unpaid = previous === null ? null : due - late - previous
  if (previous !== null && unpaid !== null && unpaid !== 0 && (unpaid === printed || unpaid === lines)) {
    const which = unpaid === printed ? 'new charges' : 'lines'
    return {
      cents: unpaid,
      remarks: [
        `The amount due is the previous balance of ${shown(previous)} and the ${which} of ${shown(unpaid)}: the previous balance counts as outstanding, although the statement says ${shown(due - late - rest)}.`,
        ...(printed === null || unpaid === printed ? [] : [`${newCharges(printed)}.`]),
      ],
    }
  }
  if (printed === null && lines === null) return { cents: rest, remarks: [] }
  const others = [
    ...(printed === null ? [] : [`new charges of ${shown(printed)}`]),
    ...(lines === null ? [] : [`lines of ${shown(lines)}`]),
  ]
  return { cents: rest, remarks: [`The statement prints ${others.join(' and ')}; ${restInWords(figures)}, which is taken.`] }
}

function newCharges(printed: Cents): string {
  return `The statement prints new charges of ${shown(printed)}`
}

function restInWords({ due, late, rest }: Figures): string {
  const balance = due - late - (rest ?? 0)
  return `the amount due less the outstanding balance of ${shown(balance)} is ${shown(rest ?? 0)}`
}
