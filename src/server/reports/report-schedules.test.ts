/** Tests scheduled reports over HTTP and SMTP: due times, subscribers and their rights, mailed links, runs that fail. */
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { makeFiguresWorld } from '../../../test/oracles/figures-world.ts'
import { makePerson, startTestApp, type Answer, type Person } from '../../../test/support/app.ts'
import { makeClient } from '../../../test/support/estate.ts'
import { testDatabase } from '../../../test/support/cluster.ts'
import { programOn } from '../../../test/support/launch.ts'
import { startPostbox } from '../../../test/support/smtp.ts'
import { setClock } from '../kernel/clock.ts'
import { startDueReports } from './schedule-runs.ts'

const postbox = await startPostbox()
const first = await startTestApp({ SMTP_URL: postbox.url })
/** Another node on the same database and the same files. */
const second = await startTestApp({ SMTP_URL: postbox.url, DATA_DIR: first.dataFolder }, first.database)
const {
  ask,
  database: { db },
} = first
let client: number
let division: number
let admin: Person
let reader: Person
let narrow: Person
let globalExport: number
let trialBalance: number
let monthEnd: number

beforeAll(async () => {
  const ground = await makeFiguresWorld(db)
  client = ground.clientId
  await sql`update bills set division_id = (select division_id from facilities where facilities.client_id = bills.client_id and facilities.id = account.facility_id),
      facility_id = account.facility_id, vendor_id = account.vendor_id, account_number = account.account_number
    from (select client_id, id, null::bigint as supply_id, facility_id, vendor_id, account_number from billable_accounts
      union all select client_id, null, id, facility_id, vendor_id, account_number from supply_accounts) account
    where bills.client_id = account.client_id and (bills.billable_account_id = account.id or bills.supply_account_id = account.supply_id)`.execute(
    db,
  )
  const { rows } = await sql<{ id: number }>`select id from divisions where client_id = ${client} order by id`.execute(db)
  division = rows[0]?.id ?? 0
  admin = await makePerson(db, 'client_admin', { clients: [client] })
  reader = await makePerson(db, 'read_only_user', { clients: [client] })
  narrow = await makePerson(db, 'client_user', { clients: [client], division: [[client, division]] })
  const known = await sql<{ id: number; name: string }>`select id, name from reports`.execute(db)
  const named = (name: string) => known.rows.find((one) => one.name === name)?.id ?? 0
  globalExport = named('Global Data Export')
  trialBalance = named('Trial Balance Report')
  monthEnd = named('Month End Report')
})
afterEach(() => setClock())

const path = () => `/clients/${client}/report_schedules`
const year = { date_range: { from: '2024-01-01', to: '2024-12-31' } }
let count = 0
const draftOf = (draft: object = {}) => ({
  name: `Lines ${(count += 1)}`,
  report_id: globalExport,
  form_data: year,
  formats: ['csv'],
  frequency: 'daily',
  subscriber_ids: [admin.id],
  ...draft,
})
const save = (draft: object = {}, who = admin): Promise<Answer> => ask(who, 'POST', path(), { report_schedule: draftOf(draft) })
async function saved(draft: object = {}, who = admin): Promise<number> {
  const answer = await save(draft, who)
  expect(answer.status, answer.text).toBe(200)
  return Number(answer.body['id'])
}
const change = (id: number, values: object, who = admin) => ask(who, 'PATCH', `${path()}/${id}`, { report_schedule: values })

const shown = z.object({
  next_run_at: z.string().nullable(),
  last_result: z.string().nullable(),
  paused: z.boolean(),
  paused_reason: z.string().nullable(),
  subscriber_ids: z.array(z.int()),
})
const read = async (id: number, who = admin) => shown.parse((await ask(who, 'GET', `${path()}/${id}`)).body['report_schedule'])

const delivery = z.object({
  subscriber: z.string(),
  state: z.string(),
  error: z.string().nullable(),
  mail: z.string().nullable(),
  due_at: z.string(),
  by_hand: z.boolean(),
})
async function deliveriesOf(id: number, who = admin) {
  const { body } = await ask(who, 'GET', `${path()}/${id}/deliveries?per=50&q[s]=id asc`)
  return z.array(delivery).parse(body['report_deliveries'])
}

const machines = [first.app.machinery, second.app.machinery]
const look = () => Promise.all([...machines, ...machines].map((machinery) => startDueReports(machinery, new AbortController().signal)))

/** Makes it due and waits for the end of all that follows. */
async function runDue(id: number, { ago = '1 minute', at = '', who = admin } = {}) {
  const due = at === '' ? sql`now() - ${ago}::interval` : sql`${at}::timestamptz`
  await sql`update report_schedules set next_run_at = ${due} where id = ${id}`.execute(db)
  await look()
  // The program's own look, once a minute, may have been first and still be at it.
  await vi.waitFor(async () => {
    const { rows } = await sql`select from report_schedules where id = ${id} and next_run_at <= now()`.execute(db)
    expect(rows).toEqual([])
  })
  return ended(id, who)
}
async function ended(id: number, who = admin) {
  await vi.waitFor(
    async () => {
      const { rows } = await sql<{ open: number }>`select count(*)::int as open from report_deliveries left join mails on mails.id = mail_id
        where report_schedule_id = ${id} and (report_deliveries.state = 'waiting' or mails.state = 'waiting')`.execute(db)
      expect(rows[0]?.open).toBe(0)
    },
    { timeout: 30_000, interval: 50 },
  )
  return deliveriesOf(id, who)
}
const mailsTo = ({ email }: Person, says: string) => postbox.received.filter(({ to, text }) => to.includes(email) && text.includes(says))
const linkTo = (who: Person, says: string) => /https?:\/\/\S+(\/report_links\/\S+)/.exec(mailsTo(who, says).at(-1)?.text ?? '')?.[1] ?? ''

async function rowsAt(link: string): Promise<Record<string, string>[]> {
  const file = await ask(null, 'GET', link)
  expect(file.status, file.text).toBe(200)
  return z.array(z.record(z.string(), z.string())).parse(parse(file.text, { columns: true }))
}
const nameOf = async (id: number) =>
  z.object({ name: z.string() }).parse((await ask(admin, 'GET', `${path()}/${id}`)).body['report_schedule']).name

describe('a run', () => {
  it('mails each subscriber once, with two programs at work, and makes up for many missed ones by one', async () => {
    // A person who gets the other messages of reports by mail gets this one only once.
    const wish = { notifications: { reports: { in_app: true, mail: true } } }
    await sql`update users set preferences = ${JSON.stringify(wish)}::jsonb where id = ${reader.id}`.execute(db)
    const id = await saved({ subscriber_ids: [admin.id, reader.id, narrow.id], name: 'Once for each' })
    const made = await runDue(id, { ago: '3 days' })
    await look()
    await look()
    expect(made.map(({ state, mail }) => [state, mail])).toEqual(Array.from({ length: 3 }, () => ['sent', 'Sent']))
    expect(new Set(made.map(({ due_at }) => due_at)).size).toBe(1)
    for (const who of [admin, reader, narrow]) expect(mailsTo(who, 'report_links')).toHaveLength(1)
    const { rows } = await sql`select from mails where to_address = ${reader.email}`.execute(db)
    expect(rows).toHaveLength(1)
    const { next_run_at: next, last_result: result } = await read(id)
    expect(Date.parse(next ?? '')).toBeGreaterThan(Date.now())
    expect(result).toBe('3 sent')
    const { body } = await ask(reader, 'GET', `/clients/${client}/generated_reports?q[name_eq]=Once for each`)
    expect(body).toMatchObject({ total: 1, generated_reports: [{ assignable_type: 'User', state: 'done' }] })
  })

  it('holds for each subscriber what they themselves may see', async () => {
    const id = await saved({ subscriber_ids: [reader.id, narrow.id], name: 'By reach', shared: true })
    await runDue(id)
    const says = 'Global Data Export'
    const [all, some] = [await rowsAt(linkTo(reader, says)), await rowsAt(linkTo(narrow, says))]
    const { rows } = await sql<{ name: string }>`select name from divisions where client_id = ${client} and id = ${division}`.execute(db)
    expect(some.length).toBeGreaterThan(0)
    expect(new Set(some.map((row) => row['Division']))).toEqual(new Set([rows[0]?.name]))
    expect(all.length).toBeGreaterThan(some.length)
    // A narrowed subscriber sees what came for them, and nobody else's.
    expect(await deliveriesOf(id, narrow)).toHaveLength(1)
    expect(await deliveriesOf(id)).toHaveLength(2)
  })

  it('skips by name who has left and who may not see the report any more, and tells the owner once', async () => {
    const [left, narrowed] = [
      await makePerson(db, 'client_manager', { clients: [client] }),
      await makePerson(db, 'client_manager', { clients: [client] }),
    ]
    const id = await saved({ report_id: trialBalance, subscriber_ids: [admin.id, left.id, narrowed.id], name: 'Closing balance' })
    await sql`update users set status = 'in_active' where id = ${left.id}`.execute(db)
    await sql`insert into user_role_divisions (user_role_id, client_id, division_id) select id, ${client}, ${division} from user_roles where user_id = ${narrowed.id}`.execute(
      db,
    )
    const made = await runDue(id)
    expect(made.map(({ subscriber, state, error }) => [subscriber, state, error])).toEqual([
      [admin.email, 'sent', null],
      [left.email, 'skipped', 'This person has no active account any more.'],
      [narrowed.email, 'skipped', 'The rights of this person do not reach the report any more.'],
    ])
    await look()
    await look()
    const { text } = await postbox.mailTo(admin.email, /did not reach|has ended/)
    expect(text).toContain(left.email)
    expect(text).toContain('do not reach the report any more')
    const { rows } = await sql`select from mails where to_address = ${admin.email} and subject like '%Closing balance%not reach%'`.execute(
      db,
    )
    expect(rows).toHaveLength(1)
    for (const who of [left, narrowed]) expect(mailsTo(who, 'Trial Balance')).toEqual([])
  })

  it('that fails says why in the list', async () => {
    const id = await saved({ report_id: trialBalance, name: 'Broken' })
    await sql`update reports set name = 'Another version' where id = ${trialBalance}`.execute(db)
    const made = await runDue(id).finally(() =>
      sql`update reports set name = 'Trial Balance Report' where id = ${trialBalance}`.execute(db),
    )
    expect(made).toMatchObject([{ state: 'failed', error: 'Report not found.' }])
    expect((await read(id)).last_result).toBe('1 failed')
    await look()
    await postbox.mailTo(admin.email, /Report not found/)
  })

  it('whose mail is refused by the server has failed for this subscriber, and the owner is told', async () => {
    const gone = await makePerson(db, 'client_manager', { clients: [client] })
    postbox.refuse(gone.email, { code: 550, words: '5.1.1 No such mailbox' })
    const id = await saved({ subscriber_ids: [reader.id, gone.id], name: 'Bounced' })
    const made = await runDue(id)
    expect(made.map(({ subscriber, state, mail }) => [subscriber, state, mail])).toEqual([
      [reader.email, 'sent', 'Sent'],
      [gone.email, 'failed', 'Not sent'],
    ])
    expect(made[1]?.error).toMatch(/was not delivered: .*No such mailbox/)
    expect((await read(id)).last_result).toBe('1 sent, 1 failed')
    await look()
    await look()
    const { text } = await postbox.mailTo(admin.email, /No such mailbox/)
    expect(text).toContain(`${gone.email}: failed.`)
    expect(text).not.toContain(reader.email)
  })

  it('that is late has the dates of the day on which it was due, in the zone of its schedule', async () => {
    const day = async (zone: string, dates: string, form_data: object) => {
      const id = await saved({ name: `Late ${zone} ${dates}`, zone, dates, form_data, report_id: monthEnd })
      // Due at 23:00 of October 31 in New York, which is November 1 in London.
      await runDue(id, { at: '2024-11-01T03:00:00Z' })
      const { rows } = await sql<{ run_on: string; range: { from: string | null; to: string | null } }>`
        select delivery.run_on::text, report.form_data -> 'date_range' as range from report_deliveries delivery
        join generated_reports report on report.client_id = ${client} and report.report_delivery_id = delivery.id
        where delivery.client_id = ${client} and delivery.report_schedule_id = ${id}`.execute(db)
      const found = await rowsAt(linkTo(admin, 'Month End Report'))
      return [rows[0]?.run_on, rows[0]?.range.to, [...new Set(found.map((row) => row['Month']))]]
    }
    expect(await day('America/New_York', 'last_month', {})).toEqual(['2024-10-31', '2024-09-30', ['2024-09']])
    expect(await day('Europe/London', 'last_month', {})).toEqual(['2024-11-01', '2024-10-31', ['2024-10']])
    // Without dates the report takes the last complete month before that day.
    expect(await day('America/New_York', 'as_chosen', {})).toEqual(['2024-10-31', null, ['2024-09']])
  })

  it('started by two at once is made once; a paused one is made only so', async () => {
    const id = await saved({ paused: true, name: 'By hand' })
    expect(await runNothing(id)).toEqual([])
    const answers = await Promise.all([first, second].map((node) => node.ask(admin, 'POST', `${path()}/${id}/send_now`)))
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409])
    expect(await ended(id)).toMatchObject([{ state: 'sent', by_hand: true }])
    expect(mailsTo(admin, 'Global Data Export').length).toBeGreaterThan(0)
    expect((await read(id)).next_run_at).toBeNull()
  })

  it('of somebody who may not make reports any more stops, unless it is shared', async () => {
    const owner = await makePerson(db, 'client_manager', { clients: [client] })
    const [own, shared] = [
      await saved({ subscriber_ids: [reader.id], name: 'Own' }, owner),
      await saved({ subscriber_ids: [reader.id], shared: true, name: 'Ours' }, owner),
    ]
    await sql`update users set status = 'in_active' where id = ${owner.id}`.execute(db)
    expect(await runDue(own, { who: reader })).toEqual([])
    expect(await read(own, reader)).toMatchObject({
      paused: true,
      paused_reason: 'Its owner may not make reports any more.',
      next_run_at: null,
    })
    expect(await runDue(shared)).toMatchObject([{ state: 'sent' }])
  })

  it('keeps the newest 24 reports of a subscriber', async () => {
    const id = await saved({ subscriber_ids: [reader.id], name: 'Kept' })
    await sql`with old as (insert into report_deliveries (client_id, report_schedule_id, due_at, run_on, user_id, subscriber, state, told_at)
        select ${client}, ${id}, now() - make_interval(days => n), current_date, ${reader.id}, 'Reader', 'sent', now() from generate_series(1, 26) n returning id)
      insert into generated_reports (client_id, report_id, name, assignable_user_id, report_delivery_id) select ${client}, ${globalExport}, 'Kept', ${reader.id}, id from old`.execute(
      db,
    )
    await runDue(id)
    const { body } = await ask(reader, 'GET', `/clients/${client}/generated_reports?q[name_eq]=Kept&per=50`)
    expect(body).toMatchObject({ total: 24 })
  })
})

const runNothing = async (id: number) => {
  await look()
  return deliveriesOf(id)
}

it('after a kill of the program is made and mailed once to each subscriber', async () => {
  const other = await testDatabase()
  const { clientId } = await makeFiguresWorld(other.db)
  const owner = await makePerson(other.db, 'client_admin', { clients: [clientId] })
  const people = [owner]
  while (people.length < 8) people.push(await makePerson(other.db, 'read_only_user', { clients: [clientId] }))
  const program = await programOn(other.url, 'api-process.ts', { SMTP_URL: postbox.url })
  let url = await program.launch()
  const post = async (to: string, body: object) => {
    const headers = { ...owner.headers, 'content-type': 'application/json' }
    const answer = await fetch(`${url}/api/v5/clients/${clientId}/report_schedules${to}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return z.object({ success: z.literal(true), id: z.int() }).parse(await answer.json()).id
  }
  const id = await post('', { report_schedule: draftOf({ subscriber_ids: people.map((person) => person.id) }) })
  const mails = () => people.flatMap((person) => mailsTo(person, 'report_links'))
  postbox.hold(true)
  await post(`/${id}/send_now`, {})
  await vi.waitFor(() => expect(mails()).toHaveLength(1), { timeout: 20_000, interval: 10 })
  await program.end('SIGKILL')
  postbox.hold(false)
  const { rows: before } = await sql<{ state: string }>`select state from report_deliveries`.execute(other.db)
  expect(before.some(({ state }) => state === 'waiting')).toBe(true)
  // The claims of a killed program end by themselves; the wait for that is not under test.
  await sql`update tasks set heartbeat_at = clock_timestamp() - interval '1 minute' where state = 'running'`.execute(other.db)
  await sql`update mails set next_attempt_at = now() where state = 'waiting'`.execute(other.db)
  url = await program.launch()
  await vi.waitFor(
    async () => {
      const { rows } = await sql<{ done: number }>`select count(*)::int as done from report_deliveries join mails on mails.id = mail_id
        where report_deliveries.state = 'sent' and mails.state = 'sent'`.execute(other.db)
      expect(rows[0]?.done).toBe(people.length)
    },
    { timeout: 60_000, interval: 100 },
  )
  await program.end('SIGTERM')
  for (const person of people) expect(new Set(mailsTo(person, 'report_links').map(({ messageId }) => messageId)).size).toBe(1)
  // Only the mail that was under way came a second time, under the same name.
  expect(mails()).toHaveLength(people.length + 1)
  const { rows: made } = await sql<{
    id: number
  }>`select assignable_user_id as id from generated_reports where file_id is not null order by 1`.execute(other.db)
  expect(made.map((row) => row.id)).toEqual(people.map((person) => person.id).toSorted((a, b) => a - b))
})

describe('a mailed link', () => {
  it('ends after seven days, with the account and with a change of rights, and is its reader’s alone', async () => {
    const person = await makePerson(db, 'client_manager', { clients: [client] })
    const id = await saved({ subscriber_ids: [person.id], name: 'Linked' })
    await runDue(id)
    const link = linkTo(person, 'Global Data Export')
    expect((await rowsAt(link)).length).toBeGreaterThan(0)
    const denied = async () => {
      const answer = await ask(null, 'GET', link)
      expect(answer.status).toBe(403)
      expect(answer.text).toContain('This link is over')
    }
    expect((await ask(null, 'GET', `${link.slice(0, -3)}abc`)).status).toBe(403)
    setClock(new Date(Date.now() + 7 * 86_400_000 + 1_000))
    await denied()
    setClock()
    await sql`update users set status = 'in_active' where id = ${person.id}`.execute(db)
    await denied()
    await sql`update users set status = 'active' where id = ${person.id}`.execute(db)
    expect((await ask(null, 'GET', link)).status).toBe(200)
    await sql`insert into user_role_divisions (user_role_id, client_id, division_id) select id, ${client}, ${division} from user_roles where user_id = ${person.id}`.execute(
      db,
    )
    await denied()
  })
})

describe('a definition', () => {
  it('shows its next run, and anew when its times change or it goes on', async () => {
    setClock('2026-11-25T12:00:00Z')
    const id = await saved({ frequency: 'monthly', month_rule: 'last_business_day', hour: 7, zone: 'america/chicago' })
    expect((await read(id)).next_run_at).toBe('2026-11-30T13:00:00.000Z')
    await change(id, { name: 'Renamed' })
    expect((await read(id)).next_run_at).toBe('2026-11-30T13:00:00.000Z')
    await change(id, { zone: 'Europe/Berlin' })
    expect((await read(id)).next_run_at).toBe('2026-11-30T06:00:00.000Z')
    await change(id, { paused: true })
    expect((await read(id)).next_run_at).toBeNull()
    await change(id, { paused: false })
    expect((await read(id)).next_run_at).toBe('2026-11-30T06:00:00.000Z')
    expect((await ask(admin, 'GET', `${path()}/${id}`)).body).toMatchObject({
      report_schedule: { zone: 'Europe/Berlin', owner: admin.email },
    })
  })

  it.each([
    ['dates', { dates: 'last_month', form_data: year }, 'form_data.date_range'],
    ['a zone', { zone: 'Mars/Olympus' }, 'zone'],
    ['a file that the report has not', { formats: ['pdf'] }, 'formats'],
    ['no file', { formats: [] }, 'formats'],
    ['no dates', { form_data: {} }, 'form_data.date_range'],
    ['nobody', { subscriber_ids: [] }, 'subscriber_ids'],
    ['somebody unknown', { subscriber_ids: [999_999] }, 'subscriber_ids'],
    ['a day', { frequency: 'monthly', month_day: 32 }, 'month_day'],
  ])('is refused for %s', async (_, draft, field) => {
    const answer = await save(draft)
    expect(answer.status).toBe(422)
    expect(Object.keys(z.object({ fields: z.record(z.string(), z.unknown()) }).parse(answer.body['errors']).fields)).toContain(field)
  })

  it('is subscribed to by people of the client, and by staff where staff subscribes them', async () => {
    const staff = await makePerson(db, 'super_admin')
    const stranger = await makePerson(db, 'client_admin', { clients: [await makeClient(db)] })
    const offered = async (who: Person, report = globalExport) => {
      const { body } = await ask(who, 'GET', `/clients/${client}/reports/${report}/subscribers`)
      return z
        .array(z.object({ id: z.int() }))
        .parse(body['subscribers'])
        .map(({ id }) => id)
    }
    expect(await offered(admin)).toEqual(expect.arrayContaining([admin.id, reader.id, narrow.id]))
    expect(await offered(admin)).not.toContain(staff.id)
    expect(await offered(staff)).toContain(staff.id)
    for (const who of [admin, staff]) expect(await offered(who)).not.toContain(stranger.id)
    expect(await offered(admin, trialBalance)).not.toContain(narrow.id)
    expect((await save({ subscriber_ids: [stranger.id] })).status).toBe(422)
    expect((await save({ subscriber_ids: [staff.id] })).status).toBe(422)
    expect((await save({ report_id: trialBalance, subscriber_ids: [narrow.id] })).status).toBe(422)
  })

  it('is seen and changed by its owner; a shared one also by whoever reaches the client, and may change reports of others', async () => {
    const [manager, user] = [
      await makePerson(db, 'client_manager', { clients: [client] }),
      await makePerson(db, 'client_user', { clients: [client] }),
    ]
    const [own, shared] = [await saved({ name: 'Mine' }), await saved({ name: 'Shared', shared: true })]
    const sees = async (who: Person, id: number) => (await ask(who, 'GET', `${path()}/${id}`)).status
    for (const who of [manager, user, reader]) expect([await sees(who, own), await sees(who, shared)]).toEqual([404, 200])
    expect([await sees(narrow, own), await sees(narrow, shared)]).toEqual([404, 404])
    expect((await change(shared, { name: 'Changed' }, manager)).status).toBe(200)
    expect((await change(own, { name: 'Changed' }, manager)).status).toBe(404)
    for (const refused of [
      await change(shared, { name: 'Changed' }, user),
      await ask(user, 'POST', `${path()}/${shared}/send_now`),
      await ask(user, 'DELETE', `${path()}/${shared}`),
      await change(shared, { name: 'Changed' }, reader),
    ])
      expect(refused.status).toBe(403)
    expect(await nameOf(shared)).toBe('Changed')
  })

  it('is left by a subscriber, and deleted without the reports that it has made', async () => {
    const id = await saved({ subscriber_ids: [admin.id, reader.id], name: 'Left' })
    await runDue(id)
    expect((await ask(reader, 'POST', `${path()}/${id}/unsubscribe`)).status).toBe(200)
    expect((await read(id)).subscriber_ids).toEqual([admin.id])
    expect((await ask(reader, 'POST', `${path()}/${id}/unsubscribe`)).status).toBe(404)
    expect((await ask(admin, 'POST', `${path()}/${id}/unsubscribe`)).status).toBe(200)
    expect((await read(id)).subscriber_ids).toEqual([])
    const deleted = await ask(admin, 'DELETE', `${path()}/${id}`)
    expect(deleted.status, deleted.text).toBe(200)
    expect((await ask(admin, 'GET', `${path()}/${id}/deliveries`)).status).toBe(404)
    expect((await ask(reader, 'GET', `/clients/${client}/generated_reports?q[name_eq]=Left`)).body).toMatchObject({ total: 1 })
    const { rows } = await sql<{
      event: string
    }>`select event from audit_records where item_type = 'report_schedule' and item_id = ${id} order by id`.execute(db)
    expect(rows.map(({ event }) => event)).toEqual(['create', 'update', 'update', 'destroy'])
  })

  it('is listed by known filters alone', async () => {
    const id = await saved()
    expect((await ask(admin, 'GET', `${path()}?q[name_cont]=nobody`)).body).toMatchObject({ report_schedules: [], total: 0 })
    expect((await ask(admin, 'GET', `${path()}?q[zone_eq]=UTC`)).status).toBe(422)
    expect((await ask(admin, 'GET', `${path()}/${id}/deliveries?q[task_id_eq]=1`)).status).toBe(422)
  })
})
