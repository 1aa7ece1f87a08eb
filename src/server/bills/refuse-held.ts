/** Bills that others refer to: if they were deleted, the remaining ones would change unnoticed. */
import { formatDate } from '#contract/kernel/date.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { refused } from '../kernel/problem.ts'

interface Held {
  readonly held: number
  readonly holder: number
  readonly account_number: string
  readonly date: string
  readonly how: 'line' | 'supply' | 'rebill'
}

const howWords = {
  line: 'shows a line of it',
  supply: 'names it as its supply bill',
  rebill: 'corrects it',
} as const

/**
 * Throws refused if a remaining bill shows a line of one of these, or names one: it would change unnoticed, so it must be changed first.
 */
export async function refuseHeld({ tx }: Context, clientId: number, ids: readonly number[], nameOf: (id: number) => string): Promise<void> {
  const { rows } = await sql<Held>`
    select held.id as held, holder.id as holder, holder.account_number, holder.date, held.how from (
      select line.bill_id as id, shown.bill_id as holder, 'line' as how from service_bills line
        join bill_linked_service_bills shown on shown.client_id = ${clientId} and shown.service_bill_id = line.id
        where line.client_id = ${clientId} and line.bill_id = any(${ids}::bigint[])
      union all select supply_bill_id, bill_id, 'supply' from service_bills where client_id = ${clientId} and supply_bill_id = any(${ids}::bigint[])
      union all select rebill_of_id, id, 'rebill' from bills where client_id = ${clientId} and rebill_of_id = any(${ids}::bigint[])) held
    join bills holder on holder.client_id = ${clientId} and holder.id = held.holder
    where not held.holder = any(${ids}::bigint[]) order by held.id, held.holder limit 1`.execute(tx)
  const [first] = rows
  if (!first) return
  const day = formatDate(first.date)
  throw refused(
    `${nameOf(first.held)} is held by the bill of ${first.account_number} of ${day}, which ${howWords[first.how]}.`,
    first.holder,
  )
}
