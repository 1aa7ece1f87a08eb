/** What a person may see of a client's reports, as a short text: a mailed link ends when it changes. */
import { createHash } from 'node:crypto'
import { covers, mayIn, reachOf, type Principal } from '../kernel/principal.ts'
import { isStaff } from './asked-report.ts'

const markLength = 22

export function rightsMark(principal: Principal, clientId: number, spansClients: boolean): string {
  const may = ['generated_report.read', 'bill.read', 'bill_notes.read', 'ledger_account.read'] as const
  const parts = reachOf(principal, 'bill.read').filter(({ clients }) => spansClients || covers(clients, clientId))
  const seen = {
    may: may.filter((permission) => mayIn(principal, permission, clientId)),
    staff: isStaff(principal),
    parts: parts.map(({ clients, narrowed }) => [spansClients ? clients : null, narrowed]),
  }
  return createHash('sha256').update(JSON.stringify(seen)).digest('base64url').slice(0, markLength)
}
