/**
 * Every write is attributed: each writing call of the table is made once, and must leave its version of the audit log in the transaction of
 * the write. Exceptions are named here, with the reason.
 */
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { auditItemTypes } from '#contract/audit-log/audit-item-types.ts'
import { auditLogCalls } from '#contract/audit-log/audit-log.ts'
import { calls } from '#contract/calls.ts'
import type { Call } from '#contract/kernel/call.ts'
import { setProviders } from '../src/server/bill-retrieval/bill-retrieval.ts'
import { makePeople, makeStrangers } from './every-call/principals.ts'
import { readTable, type Row } from './every-call/rows.ts'
import { workIsOver } from './every-call/trace.ts'
import { askOnce, type Walk } from './every-call/walker.ts'
import { makeWorld, quietProvider } from './every-call/world.ts'
import { makePerson, startTestApp } from './support/app.ts'

const started = await startTestApp()
const { db } = started.database
let walk: Walk

beforeAll(async () => {
  setProviders(started.app.machinery, [quietProvider])
  const world = await makeWorld(db)
  const people = await makePeople(world)
  walk = {
    app: started.app,
    world,
    people,

    strangers: await makeStrangers(db, started.app),
    address: await started.listen(),
  }
})

const taste = 'how a person likes to see lists and be told of work; it changes no record'
const work = 'it starts or stops work of one’s own, whose every write is written down when it is done'
const upload = 'bytes that no record has taken yet; taking them is written down'
/** Calls that leave no version, by name or by the group before the dot, and the reason. */
const silent: Readonly<Record<string, string>> = {
  list_layouts: taste,
  saved_views: taste,
  notifications: taste,
  'users.preferences': taste,
  tasks: work,
  uploads: upload,
  imports: work,
  'bill_retrieval.fetch': work,
  'accounting_batches.generate_upload_file': work,
  'accounting_batches.generate_invoice_pdf': work,
  'accounting_batches.generate_invoice_csv': work,
  'payment_batches.voucher_csv': work,
  'payment_batches.voucher_pdf': work,
  'vendor_payments.generate_payments_pdf': work,
  'report_schedules.send_now': work,
  'site_surveys.generate_pdf': work,
  'site_surveys.field_sheet_pdf': work,
  'bills.retrieval_import': work,
  'users.access_report': work,
  'users.resend_confirmation_email': 'sends a mail, which the list of mails shows; the account changes when its link is followed',
  'webhooks.test': 'sends a message, which the log of deliveries shows',
  'webhook_deliveries.send': 'sends a message again, which the log of deliveries shows',
  'auth.request_password': 'its answer must not differ by whether there is such a person; the mail that goes out is listed',
  'auth.confirm': 'asked here with a link that confirms nothing, since a good one is used up by one asker; that one is written down',
  'auth.begin_second_factor': 'makes a secret that guards nothing before a code confirms it, which is written down',
  'users.begin_second_factor': 'makes a secret that guards nothing before a code confirms it, which is written down',
  'auth.sign_out': 'only ends a sign-in, which the list of sign-ins shows',
}
const known = new Map(calls.map((call) => [call.name, call]))
const writes = readTable().flatMap((row) => {
  const call = known.get(row.callName)
  const isWrite = call && (call.effect === 'write' || call.name === 'auth.sign_in')
  return isWrite ? [{ ...row, call }] : []
})

/** Named like an export of a list, but it finalizes what it exports. */
const finalizing = 'global_batches.accounting_export'

function reasonOf({ name }: Call): string | undefined {
  if (name === finalizing) return undefined
  return silent[name] ?? silent[name.split('.')[0] ?? ''] ?? (/\.(export|export_all|\w+_export|import)$/.test(name) ? work : undefined)
}

interface Version {
  readonly id: number
  readonly event: string
  readonly item_type: string
  readonly transaction: string
}

const newest = async (): Promise<number> =>
  (await sql<{ id: number }>`select coalesce(max(id), 0) as id from audit_records`.execute(db)).rows[0]?.id ?? 0
const versionsAfter = async (id: number): Promise<readonly Version[]> =>
  (await sql<Version>`select id, event, item_type, xmin::text as transaction from audit_records where id > ${id} order by id`.execute(db))
    .rows
/**
 * Every write raises the version of the lists that it changes. Background work may raise the same version a moment later, so the raising
 * transactions are recorded.
 */
const raisedIn = async (transaction: string): Promise<boolean> =>
  (await sql`select from raised_versions where transaction = ${transaction}`.execute(db)).rows.length > 0
beforeAll(async () => {
  await sql`create table raised_versions (transaction text)`.execute(db)
  await sql`create function note_raised() returns trigger language plpgsql as
    $$ begin insert into raised_versions values (pg_current_xact_id()::xid::text); return null; end $$`.execute(db)
  await sql`create trigger note_raised after insert or update on data_versions for each row execute function note_raised()`.execute(db)
})

describe('every create, update and destroy, and every login, writes an audit version [AUDIT-CONST-003]', () => {
  test.for(writes)('$name', async (row: Row & { call: Call }) => {
    // Background work of another call would raise versions meanwhile.
    await workIsOver(db, sql`true`)
    // A feature that is enabled already could not be enabled by a call.
    await sql`update clients set user_management = false where id = ${walk.world.places.own.clientId}`.execute(db)
    const before = await newest()
    const answer = await askOnce(walk, row, row.call)
    if (!answer) return
    expect(answer.status, answer.text).toBeLessThan(400)
    const versions = await versionsAfter(before)
    if (reasonOf(row.call) !== undefined) {
      expect(versions, 'it is written down after all: take it out of the list').toEqual([])
      return
    }
    expect(versions.length, 'versions that it left').toBeGreaterThan(0)
    for (const { event, transaction } of versions)
      if (['create', 'update', 'destroy'].includes(event)) expect(await raisedIn(transaction), 'in the transaction of the write').toBe(true)
  })

  test('the kinds of events are told apart by what was done', async () => {
    const { rows } = await sql<{ event: string }>`select distinct event from audit_records order by event`.execute(db)
    expect(rows.map(({ event }) => event)).toEqual(expect.arrayContaining(['create', 'destroy', 'login', 'update']))
  })

  test('every kind of item that was written down is known, and the audit log filters by each and says it in words', async () => {
    const { rows: written } = await sql<{
      item_type: string
      total: number
    }>`select item_type, count(*)::int as total from audit_records group by item_type`.execute(db)
    const totals = new Map(written.map(({ item_type, total }) => [item_type, total]))
    expect([...totals.keys()].filter((item) => !auditItemTypes.some((known) => known === item))).toEqual([])
    const staff = await makePerson(db, 'super_admin')
    for (const item of auditItemTypes) {
      const { status, body } = await started.ask(staff, 'GET', `/audit_log?item_type=${item}&per=1000`)
      const { audit_log: found, total } = auditLogCalls.list.schemas.reply.parse(body)
      expect([status, total, found.length], item).toEqual([200, totals.get(item) ?? 0, Math.min(1_000, totals.get(item) ?? 0)])
      for (const { item_type, item_label, changes, event } of found) {
        expect(item_type).toBe(item)
        expect(item_label, item).toMatch(/^[A-Z][A-Za-z /]+$/)
        if (event === 'update') expect(changes.length, `${item} says what changed`).toBeGreaterThan(0)
        for (const { label } of changes) expect(label, `${item} ${label}`).not.toMatch(/_/)
      }
    }
    console.info(
      `Audit log: ${auditItemTypes.length} kinds of items, ${totals.size} of them written by the calls, ${written.reduce((sum, one) => sum + one.total, 0)} versions`,
    )
  })

  test('nobody stands on the list of the silent without a call', () => {
    const names = calls.flatMap(({ name }) => [name, name.split('.')[0] ?? ''])
    expect(Object.keys(silent).filter((name) => !names.includes(name))).toEqual([])
  })
})
