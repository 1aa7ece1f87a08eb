/** Two bulk changes of accounts of the first client: one corrected how often waste is billed, one was a mistake and was undone. */
import { addDays, type CalendarDate } from '#contract/kernel/date.ts'
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import type { People } from './make-people.ts'
import { idOf } from './plan-bills.ts'
import type { AccountKind } from './building-catalog.ts'
import type { EstatePlan } from './plan.ts'
import { insertNumbered, insertRows, type Row } from './store-rows.ts'

const CORRECTED_DAYS = 12
const MISTAKEN_DAYS = 33
const MISTAKEN_COUNT = 4
const biWeekly = 1
const monthly = 2

export interface Desk {
  readonly ids: ReadonlyMap<object, number>
  readonly people: People
  readonly today: CalendarDate
}

export async function makeBulkChanges(tx: Tx, plan: EstatePlan, { ids, people, today }: Desk): Promise<void> {
  const [client] = plan.clients
  if (!client) return
  const ofKind = (kind: AccountKind): number[] =>
    plan.accounts.filter((account) => account.client === client && account.kind === kind).map((account) => idOf(ids, account))
  const own = { client_id: idOf(ids, client), user_id: people.reviewer }
  const correction = { ...own, items: ofKind('waste'), key: 'billing_period', from: biWeekly, to: monthly }
  const mistake = { ...own, items: ofKind('telecom').slice(0, MISTAKEN_COUNT), key: 'active', from: true, to: false }
  await makeAct(tx, {
    ...mistake,
    at: `${addDays(today, -MISTAKEN_DAYS)}T18:20:00.000Z`,
    undoneAt: `${addDays(today, -MISTAKEN_DAYS)}T18:34:00.000Z`,
  })
  await makeAct(tx, { ...correction, at: `${addDays(today, -CORRECTED_DAYS)}T15:05:00.000Z`, undoneAt: null })
}

interface Act {
  readonly client_id: number
  readonly user_id: number
  readonly items: readonly number[]
  readonly key: string
  readonly from: unknown
  readonly to: unknown
  readonly at: string
  readonly undoneAt: string | null
}

/** As the act and its undo leave it: each adds a version and a trail row to every record. */
async function makeAct(tx: Tx, { client_id, user_id, items, key, from, to, at, undoneAt }: Act): Promise<void> {
  const [bulk_change_id] = await insertNumbered(tx, 'bulk_changes', [
    {
      client_id,
      user_id,
      kind: 'billable_account',
      changes: { [key]: to },
      item_count: items.length,
      created_at: at,
      undone_at: undoneAt,
      undone_by: undoneAt === null ? null : user_id,
    },
  ])
  const changes = { [key]: { from, to } }
  await insertRows(
    tx,
    'bulk_change_items',
    items.map((item_id) => ({ client_id, bulk_change_id, item_id, version_before: 0, lock_version: 1, changes })),
  )
  const trail = (object_changes: Row, created_at: string) =>
    items.map((item_id) => ({ client_id, user_id, event: 'update', item_type: 'billable_account', item_id, object_changes, created_at }))
  await insertNumbered(tx, 'audit_records', trail(changes, at))
  if (undoneAt !== null) await insertNumbered(tx, 'audit_records', trail({ [key]: { from: to, to: from } }, undoneAt))
  await sql`update billable_accounts set lock_version = ${undoneAt === null ? 1 : 2}, updated_at = ${undoneAt ?? at}::timestamptz
    where client_id = ${client_id} and id = any(${[...items]}::bigint[])`.execute(tx)
}
