/** Runs the whole program as a process, kills it while it creates bills from a file, and starts it again. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { makePerson, type Person } from '../../../test/support/app.ts'
import { makeGround, type Ground } from '../../../test/support/bills.ts'
import { testDatabase } from '../../../test/support/cluster.ts'
import { programOn, START_MS } from '../../../test/support/launch.ts'
import { lastBillsAgree } from '../../../test/support/last-bills.ts'

const database = await testDatabase()
const { db } = database
lastBillsAgree(db)
const KILLS = Number(process.env.KILL_ROUNDS ?? 1)
const BILLS = 300
const LONGEST_MS = 1_500

const program = await programOn(database.url)

it('makes every bill of the file once, whenever it is killed: the next start ends the import', { timeout: 300_000 }, async () => {
  const person = await makePerson(db, 'super_admin')
  let url = await program.launch()
  for (let kill = 0; kill < KILLS; kill += 1) {
    const at = await makeGround(db)
    const importId = await sendFile(url, person, at)
    await sleep(Math.random() * LONGEST_MS)
    await program.end('SIGKILL')
    const made = await countOf(at)
    expect([0, BILLS], 'all or nothing was stored').toContain(made)
    // The claim's heartbeat ends with the process; the wait for it to expire is not under test.
    await sql`update tasks set heartbeat_at = now() - interval '1 hour' where state = 'running'`.execute(db)
    url = await program.launch()
    await vi.waitFor(
      async () => expect((await sql`select state from imports where id = ${importId}`.execute(db)).rows).toEqual([{ state: 'committed' }]),
      { timeout: START_MS * 2, interval: 200 },
    )
    const { rows } = await sql`select count(*)::int as bills, count(distinct invoice_number)::int as invoices,
      (select count(*)::int from service_bills line where line.client_id = ${at.clientId}) as lines,
      (select count(*)::int from audit_records where client_id = ${at.clientId} and item_type = 'bill' and event = 'create') as trail,
      (select sum(cost)::text from service_month_facts where client_id = ${at.clientId}) as cost from bills where client_id = ${at.clientId}`.execute(
      db,
    )
    expect(rows).toEqual([{ bills: BILLS, invoices: BILLS, lines: BILLS, trail: BILLS, cost: `${BILLS * 10}.00` }])
  }
  await program.end('SIGTERM')
})

async function countOf({ clientId }: Ground): Promise<number> {
  return (await sql`select from bills where client_id = ${clientId}`.execute(db)).rows.length
}

/** Sends bills of one day each, so that none repeats another. */
async function sendFile(url: string, person: Person, { clientId }: Ground): Promise<number> {
  const day = (at: number) => new Date(Date.UTC(2024, 0, 1 + at)).toISOString().slice(0, 10)
  const lines = Array.from(
    { length: BILLS },
    (_, at) => `0001234${clientId},${day(at)},2026-12-31,I-${at},0.00,10.00,10.00,E-1,${day(at)},${day(at + 1)},${at + 1},10.00`,
  )
  const header =
    'account_number,date,due_date,invoice_number,balance_forward,current_charges,amount_due,m1_meter_number,m1_previous_read_date,m1_read_date,m1_usage,m1_utility_charges'
  const form = new FormData()
  form.append('file', new File([`${header}\n${lines.join('\n')}\n`], 'bills.csv', { type: 'text/csv' }))
  form.append('mode', 'all')
  const answer = await fetch(`${url}/api/v5/clients/${clientId}/bills/import`, { method: 'POST', headers: person.headers, body: form })
  const body: unknown = await answer.json()
  expect(answer.status, JSON.stringify(body)).toBe(200)
  return z.object({ import_id: z.int() }).parse(body).import_id
}
