/** Faults that keep ledger lines from being booked: charges without a ledger account, or with an inactive one. */
import type { LedgerLine } from './ledger-line.ts'
import type { LedgerAccountRow } from './ledger-lines.ts'

export const codingFaultCodes = ['no_account', 'inactive_account', 'no_lines', 'no_prior_balance_account'] as const
export type CodingFaultCode = (typeof codingFaultCodes)[number]

export interface CodingFault {
  readonly code: CodingFaultCode
  readonly message: string
  readonly bill_id: number
  /** Null if no service is at fault. */
  readonly service_id: number | null
  readonly line: LedgerLine
}

/** Returns the faults in the order of the lines. Reversing lines keep the accounts of the frozen lines that they reverse. */
export function codingFaults(lines: readonly LedgerLine[], accounts: ReadonlyMap<number, LedgerAccountRow>): CodingFault[] {
  return lines.flatMap((line) => {
    const found = line.reverses_id === null ? faultOf(line, accounts) : null
    return found === null ? [] : [{ ...found, bill_id: line.bill_id, service_id: line.service_id, line }]
  })
}

function faultOf(line: LedgerLine, accounts: ReadonlyMap<number, LedgerAccountRow>): Pick<CodingFault, 'code' | 'message'> | null {
  if (line.ledger_account_id !== null) {
    const account = accounts.get(line.ledger_account_id)
    if (account?.active) return null
    return {
      code: 'inactive_account',
      message: `Ledger account ${account?.name ?? line.ledger_account_id} is inactive: ${line.description}.`,
    }
  }
  switch (line.kind) {
    case 'expense':
      return line.service_id === null
        ? { code: 'no_lines', message: `A bill has charges and no service line: ${line.description}.` }
        : { code: 'no_account', message: `A service has no ledger account: ${line.description}.` }
    case 'prior_balance':
      return {
        code: 'no_prior_balance_account',
        message: `The ledger settings name no account for prior balances: ${line.description}.`,
      }
    // A late fee without an account is spread over the lines, and a ledger may add the payable itself.
    case 'late_fee':
    case 'payable':
      return null
  }
}
