/** Faults that exclude a bill from every kind of batch, as SQL over `bills`. */
import { sql, type RawBuilder } from 'kysely'
import type { Condition } from '../kernel/lists/list.ts'
import { anyLinkedErrors } from './bill-status-sql.ts'

type BatchFault = 'void' | 'parked' | 'incomplete' | 'header_math' | 'open_errors'

/** Returns the condition that a bill of this client has the fault. Over several clients, `clientId` is the bill's own. */
export function batchFault(fault: BatchFault, clientId: number | RawBuilder<number>): Condition {
  switch (fault) {
    case 'void':
      return sql<boolean>`bills.superseded_by_id is not null`
    case 'parked':
      return sql<boolean>`bills.parked`
    case 'incomplete':
      return sql<boolean>`cardinality(bills.missing_fields) > 0`
    case 'header_math':
      return sql<boolean>`exists (select 1 from bill_findings finding where finding.client_id = ${clientId} and finding.bill_id = bills.id
        and finding.code = 'header_math' and finding.resolved_at is null)`
    case 'open_errors':
      return sql<boolean>`(bills.open_errors > 0 or bills.open_blocking > 0 or ${anyLinkedErrors})`
  }
}
