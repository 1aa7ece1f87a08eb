/** Setup for the tests of client batches: a client whose services are booked on one ledger account, its bills, and the calls of its batches. */
import type { BillDraft } from '#contract/bills/bill-draft.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { vi } from 'vitest'
import { createBills } from '../../src/server/bills/bills.ts'
import type { Tx } from '../../src/server/kernel/postgres/database.ts'
import { makePerson, type Answer, type Person, type TestApp } from './app.ts'
import { acting, makeGround, monthlyDraft, type Ground } from './bills.ts'
import { makeLedgerAccount } from './estate.ts'

export interface BatchWorld {
  readonly ground: Ground
  readonly admin: Person
  readonly at: string
  /** The ledger account of all services. */
  readonly expense: number
  /** Makes a bill of a month of 2025 that a batch may take: 150 and the month in dollars. */
  makeBill(month: number, change?: Partial<BillDraft>): Promise<number>
  /** Makes a batch with these values, and fails unless it is stored. */
  made(values: object): Promise<number>
  save(id: number, values: object): Promise<Answer>
}

export async function makeBatchWorld({ ask, database }: TestApp): Promise<BatchWorld> {
  const { db } = database
  const ground = await makeGround(db)
  const { clientId } = ground
  const at = `/clients/${clientId}/accounting_batches`
  await sql`update clients set accounting_batch_management = true, ledger_account_management = true where id = ${clientId}`.execute(db)
  const expense = await makeLedgerAccount(db, clientId, '6100 Utilities')
  await sql`update services set ledger_account_id = ${expense} where client_id = ${clientId}`.execute(db)
  const admin = await makePerson(db, 'super_admin')
  return {
    ground,
    admin,
    at,
    expense,
    makeBill: async (month, change = {}) => {
      const [bill] = await acting(database, (context) => createBills(context, clientId, [monthlyDraft(ground, month, change)]))
      if (bill?.kind !== 'created') throw new Error(`the bill was not made: ${JSON.stringify(bill)}`)
      await sql`update bills set open_errors = 0, open_blocking = 0, qc = false where client_id = ${clientId} and id = ${bill.id}`.execute(
        db,
      )
      return bill.id
    },
    made: async (values) => {
      const answer = await ask(admin, 'POST', at, { accounting_batch: values })
      const { id } = answer.body
      if (answer.status !== 200 || typeof id !== 'number') throw new Error(`the batch was not made: ${answer.text}`)
      return id
    },
    save: (id, values) => ask(admin, 'PATCH', `${at}/${id}`, { accounting_batch: values }),
  }
}

const WAIT_MS = 15_000

/** Returns true once a session of the database waits for a lock, and false if `ended` settles before. */
export async function waitsForLock(db: Tx, ended: Promise<unknown>): Promise<boolean> {
  let hasEnded = false
  const note = (): void => void (hasEnded = true)
  ended.then(note, note)
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await sleep(20)) {
    const { rows } =
      await sql`select 1 as one from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' limit 1`.execute(db)
    if (rows.length > 0) return true
    if (hasEnded) return false
  }
  throw new Error('no session waits for a lock')
}

/** A door that stays shut until it is opened. */
export function door(): { readonly opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

/** Holds the next file that is put into the store before its content is read; later ones are stored at once. */
export function whileWriting({ app }: Pick<TestApp, 'app'>): { readonly reached: Promise<void>; open(): void } {
  const [reached, leave] = [door(), door()]
  const { files } = app.machinery
  const put = files.put.bind(files)
  vi.spyOn(files, 'put').mockImplementationOnce(async (...given) => {
    reached.open()
    await leave.opened
    return put(...given)
  })
  return { reached: reached.opened, open: leave.open }
}
