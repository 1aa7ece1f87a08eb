/** Pages are stored as they are read: a crash, a failure or a division loses no other page. */
import { readdirSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { testDatabase } from '../../../test/support/cluster.ts'
import { makeAccount, makeGround, makeService, type Ground } from '../../../test/support/bills.ts'
import { programOn } from '../../../test/support/launch.ts'
import { billPdf, mixedPdf, paperBill, scanPdf, uploadFile } from '../../../test/support/scan-files.ts'
import { leaveDesk, takeDesk } from './reader-desks.ts'
import { withDocument } from './reader.ts'

/** Recognition has a low priority, and the machine may be busy. */
const MINUTE = 60_000
const PATIENCE = 2 * MINUTE
/** Less than recognising a whole page takes, and far more than a page of text takes. */
const testApp = await startTestApp({ READ_PAGE_SECONDS: '1' })
const patient = await startTestApp({}, await testDatabase())
const { ask, database } = testApp
const { db } = database

let at: Ground
let staff: Person
beforeAll(async () => {
  at = await makeGround(db)
  staff = await makePerson(db, 'super_admin')
  await sql`update vendors set name = ${paperBill.vendor} where id = ${at.vendorId}`.execute(db)
  const account = await makeAccount(db, at, paperBill.account_number)
  await makeService(db, at.clientId, account, 'electric', paperBill.meter_number)
  await testApp.listen()
})

const path = (rest = ''): string => `/clients/${at.clientId}/bill_scans${rest}`
const take = async (name: string, bytes: Buffer): Promise<number> => {
  const signed = await uploadFile(testApp, staff, { name, type: 'application/pdf', bytes })
  const answer = await ask(staff, 'POST', path(), { signed_ids: [signed] })
  const { ids }: { ids: number[] } = JSON.parse(answer.text)
  return ids[0] ?? 0
}
interface Row {
  readonly state: string
  readonly pages: number | null
  readonly pages_read: number
  readonly pages_failed: number
  readonly amount_due: string | null
  readonly read_at: string | null
}
const row = async (id: number, from = db): Promise<Row | undefined> =>
  (
    await sql<Row>`select state, pages, pages_read, pages_failed, amount_due::text, read_at::text from bill_scans where id = ${id}`.execute(
      from,
    )
  ).rows[0]
const settled = async (id: number, from = db): Promise<void> => {
  await expect.poll(async () => (await row(id, from))?.state, { timeout: PATIENCE }).toBe('read')
}
const pagesOf = async (id: number, from = db) =>
  (
    await sql<{
      page: number
      state: string
      error: string | null
      read_at: string
    }>`select page, state, error, read_at::text from bill_scan_pages where scan_id = ${id} order by page`.execute(from)
  ).rows

describe('the pages of a document', () => {
  test(
    'one that costs more than its processor seconds is one failed page; the others are kept, and propose the bill',
    { timeout: 3 * MINUTE },
    async () => {
      const id = await take('Mixed.pdf', await mixedPdf(paperBill))
      await settled(id)
      expect(await row(id)).toMatchObject({ pages: 3, pages_read: 2, pages_failed: 1, amount_due: '128.40' })
      expect((await pagesOf(id)).map(({ state }) => state)).toEqual(['read', 'failed', 'read'])
      expect((await pagesOf(id))[1]?.error).toBe('Page 2 took more than 1 second of a processor to read.')
      const { body } = await ask(staff, 'GET', path(`/${id}`))
      expect(body).toMatchObject({
        bill_scan: { pages: 3, pages_read: 2, pages_failed: 1 },
        page_faults: ['Page 2 took more than 1 second of a processor to read.'],
      })
    },
  )

  test(
    'are not read again when it is divided: the parts keep the words of their pages, under their own numbers',
    { timeout: 3 * MINUTE },
    async () => {
      const second = { ...paperBill, invoice_number: 'INV-88214', amount_due: '77.10' }
      const whole = await take('Stack.pdf', await billPdf([paperBill, second], 1))
      await settled(whole)
      // Changed in the store only, not in the file.
      await sql`update bill_scan_pages set content = replace(content::text, '$77.10', '$66.55')::jsonb where scan_id = ${whole}`.execute(db)
      const answer = await ask(staff, 'POST', path(`/${whole}/split`), { starts: [1, 3] })
      const { ids }: { ids: number[] } = JSON.parse(answer.text)
      const other = ids[1] ?? 0
      await settled(other)
      await settled(whole)
      expect(await row(other)).toMatchObject({ pages: 2, pages_read: 2, amount_due: '66.55' })
      expect((await pagesOf(other)).map(({ page }) => page)).toEqual([1, 2])
      expect((await ask(staff, 'GET', path(`/${other}`))).body['reading']).toMatchObject({ pages: [{ page: 1 }, { page: 2 }] })
    },
  )

  test('what took long by the clock alone has not cost anything', { timeout: 3 * MINUTE }, async () => {
    const signal = new AbortController().signal
    const limit = 5
    const bytes = await scanPdf(['Amount Due 12.34'])
    const desk = await takeDesk('slow', 512)
    const words = await withDocument({ desk, purse: { limit, left: limit }, bytes, seconds: limit, signal }, async (document) => {
      expect(document.pages).toBe(1)
      expect(await document.readPage(1, { recognise: false, seconds: limit })).toBeNull()
      const reading = document.readPage(1, { recognise: true, seconds: limit })
      const child = readerProcess()
      // Enough time to begin the page, and not to finish it.
      await new Promise((resolve) => setTimeout(resolve, 150))
      process.kill(child, 'SIGSTOP')
      await new Promise((resolve) => setTimeout(resolve, (limit + 1) * 1_000))
      process.kill(child, 'SIGCONT')
      return reading
    })
    leaveDesk(desk)
    expect(words?.source).toBe('ocr')
  })
})

test(
  'a process that is killed in the middle of a scan: the next goes on at the page after those that were kept',
  { timeout: 4 * MINUTE },
  async () => {
    const alone = await testDatabase()
    const program = await programOn(alone.url, 'api-process.ts')
    const url = await program.launch()
    const place = await makeGround(alone.db)
    const person = await makePerson(alone.db, 'super_admin')
    const form = new FormData()
    const lines = ['First page of five', 'Second page of five', 'Third page of five', 'Fourth page of five', 'Fifth page of five']
    form.append('file', new File([new Uint8Array(await scanPdf(lines))], 'Scan.pdf', { type: 'application/pdf' }))
    const answer = await fetch(`${url}/api/v5/clients/${place.clientId}/bill_scans/upload`, {
      method: 'POST',
      headers: person.headers,
      body: form,
    })
    const { id }: { id: number } = JSON.parse(await answer.text())
    const kept = async () => (await pagesOf(id, alone.db)).filter(({ state }) => state === 'read')
    await expect.poll(async () => (await kept()).length, { timeout: PATIENCE, interval: 50 }).toBeGreaterThan(0)
    await program.end('SIGKILL')
    const before = await kept()
    expect(before.length).toBeLessThan(5)
    // As it will be when the run has had no heartbeat for a while.
    await sql`update bill_scans set heartbeat_at = now() - interval '1 minute' where state = 'reading'`.execute(alone.db)
    await program.launch()
    await settled(id, alone.db)
    const after = await pagesOf(id, alone.db)
    expect(after).toHaveLength(5)
    expect(after.slice(0, before.length)).toEqual(before)
    await program.end('SIGKILL')
  },
)

test(
  'a document with words of its own is read while a scan is, and a short scan does not wait for the end of a stack',
  { timeout: 4 * MINUTE },
  async () => {
    const other = patient.database.db
    const place = await makeGround(other)
    const person = await makePerson(other, 'super_admin')
    const drop = async (name: string, bytes: Buffer): Promise<number> => {
      const signed = await uploadFile(patient, person, { name, type: 'application/pdf', bytes })
      const answer = await patient.ask(person, 'POST', `/clients/${place.clientId}/bill_scans`, { signed_ids: [signed] })
      const { ids }: { ids: number[] } = JSON.parse(answer.text)
      return ids[0] ?? 0
    }
    const files = { short: await scanPdf(['One page only']), text: await billPdf([paperBill]) }
    const stack = await drop('Stack.pdf', await scanPdf(Array.from({ length: 20 }, (_, page) => `Page number ${page + 1}`)))
    await expect.poll(async () => (await row(stack, other))?.pages_read, { timeout: PATIENCE, interval: 20 }).toBeGreaterThan(0)
    // No further page of the stack can be stored while its row is locked, however fast the machine is.
    const short = await other.transaction().execute(async (tx) => {
      await sql`select 1 from bill_scans where id = ${stack} for update`.execute(tx)
      const text = await drop('Text.pdf', files.text)
      await settled(text, other)
      expect(await row(stack, other)).toMatchObject({ state: 'reading' })
      return drop('Short.pdf', files.short)
    })
    for (const id of [short, stack]) await settled(id, other)
    const { rows } = await sql<{ id: number }>`select id from bill_scans where id in (${short}, ${stack}) order by read_at`.execute(other)
    expect(rows.map(({ id }) => id)).toEqual([short, stack])
  },
)

/** Returns the process that reads for this one: the youngest of its children that runs the reader. */
function readerProcess(): number {
  const ours = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      const parent = /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1]
      return Number(parent) === process.pid && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('reader-process')
    } catch {
      // It has ended meanwhile.
      return false
    }
  })
  return Math.max(...ours.map(Number))
}
