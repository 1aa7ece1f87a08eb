/** News in a service's list: unknown statements, and known ones that it has changed. */
import { formatDate } from '#contract/kernel/date.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import type { StatementState, StatementSummary } from '#contract/bill-retrieval/statement.ts'
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import type { BillRetrievalProvider } from './provider.ts'

interface News {
  /** Not stored yet, or not a bill yet and different from the stored one. */
  readonly wanted: readonly StatementSummary[]
  /** Bills were made from their former version: a user has to check them. */
  readonly changed: readonly { readonly statement_id: string; readonly reason: string }[]
}

/** Returns the entries of a page of the list that are new or differ from what is stored. */
export async function newsOf(tx: Tx, clientId: number, provider: BillRetrievalProvider, items: readonly StatementSummary[]): Promise<News> {
  const { rows } =
    await sql<Known>`select statement_id, kind, account_number, state, reason, raw ->> 'bill_date' as bill_date, raw ->> 'amount_due' as amount_due
    from retrieval_statements where client_id = ${clientId} and provider = ${provider.id} and statement_id = any(${items.map((item) => item.statement_id)}::text[])`.execute(
      tx,
    )
  const known = new Map(rows.map((row) => [row.statement_id, row]))
  const wanted = items.filter((item) => {
    const here = known.get(item.statement_id)
    return !here || (here.state !== 'created' && !isSame(here, item))
  })
  const changed = items.flatMap((item) => {
    const here = known.get(item.statement_id)
    const reason = `The service has changed this statement since its bill was made: ${changesSaid(item)}.`
    return here?.state === 'created' && !isSame(here, item) && here.reason !== reason ? [{ statement_id: item.statement_id, reason }] : []
  })
  return { wanted, changed }
}

type Known = Pick<StatementSummary, 'statement_id' | 'kind' | 'account_number' | 'bill_date' | 'amount_due'> & {
  readonly state: StatementState
  readonly reason: string | null
}

function isSame(here: Known, item: StatementSummary): boolean {
  return (
    here.kind === item.kind &&
    here.account_number === item.account_number &&
    here.bill_date === item.bill_date &&
    here.amount_due === item.amount_due
  )
}

function changesSaid({ bill_date: date, amount_due: amount, account_number: number }: StatementSummary): string {
  const of = date === null ? '' : ` of ${formatDate(date)}`
  return amount === null ? `account ${number}${of}, without an amount` : `account ${number}${of}, amount due ${formatMoney(amount)}`
}

/** Records the changes of statements that are bills already. */
export async function noteChanged(tx: Tx, clientId: number, provider: BillRetrievalProvider, changed: News['changed']): Promise<void> {
  if (changed.length === 0) return
  await sql`update retrieval_statements stored set reason = changed.reason, lock_version = stored.lock_version + 1, updated_at = now()
    from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as changed(statement_id text, reason text)
    where stored.client_id = ${clientId} and stored.provider = ${provider.id} and stored.statement_id = changed.statement_id and stored.state = 'created'`.execute(
    tx,
  )
}
