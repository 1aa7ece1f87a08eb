/** Tests bills from CSV files over HTTP on a real PostgreSQL: imported, refused and rolled back. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeAccount, makeGround, makeService, makeSupplyAccount, type Ground } from '../../../test/support/bills.ts'
import { importsOf } from '../../../test/support/import-files.ts'
import { lastBillsAgree } from '../../../test/support/last-bills.ts'

const testApp = await startTestApp()
const {
  ask,
  database: { db },
} = testApp
lastBillsAgree(db)
const { post, send, commit, undo, rows } = importsOf(testApp)
let staff: Person

beforeAll(async () => {
  staff = await makePerson(db, 'super_admin')
})

const path = ({ clientId }: Ground) => `/clients/${clientId}/bills/import`
const number = ({ clientId }: Ground) => `0001234${clientId}`
const head = 'account_number,date,due_date,invoice_number,balance_forward,current_charges,amount_due'
const meter = (n: number) =>
  ['meter_number', 'previous_read_date', 'read_date', 'previous_reading', 'reading', 'usage', 'unit', 'utility_charges', 'utility_taxes']
    .map((name) => `m${n}_${name}`)
    .join(',')
const csv = (header: string, ...lines: readonly string[]) => `${[header, ...lines].join('\n')}\n`

/** A bill of January 2025 with the electric meter, 120.00 in total. */
const january = (at: Ground, change: { date?: string; amount?: string; invoice?: string } = {}) => {
  const { date = '02/05/2025', amount = '120.00', invoice = 'A-1' } = change
  return `${number(at)},${date},02/25/2025,${invoice},0.00,${amount},${amount},E-1,01/01/2025,02/01/2025,1000,1900,,kWh,${amount},`
}
const oneMeter = `${head},${meter(1)}`

async function billsOf(at: Ground) {
  const { rows: found } = await sql<
    Record<string, unknown>
  >`select bills.id, account_number, date, due_date, invoice_number, current_charges, amount_due, notes, source, missing_fields,
      rebill_adjustment, rebill_mode, rebill_of_id, superseded_by_id, qc, parked,
      (select jsonb_agg(jsonb_build_object('service_id', service_id, 'usage', usage, 'raw_unit', raw_unit, 'read_date', read_date) order by position) from service_bills line
        where line.client_id = bills.client_id and line.bill_id = bills.id) as lines
    from bills where bills.client_id = ${at.clientId} order by bills.id`.execute(db)
  return found
}

describe('a file of bills', () => {
  it('makes bills, with what their accounts and meters know, and answers as every import does [IMPORT-API-001]', async () => {
    const at = await makeGround(db)
    const started = await post(staff, path(at), csv(oneMeter, january(at)), { connection_id: 'window-1' })
    expect(started.body).toMatchObject({ success: true, message: 'Starting Import Process' })
    await expect
      .poll(() => billsOf(at), { timeout: 15_000 })
      .toMatchObject([
        {
          account_number: number(at),
          date: '2025-02-05',
          current_charges: '120.00',
          source: 'import',
          missing_fields: [],
          lines: [{ service_id: at.electricId, usage: 900, raw_unit: null, read_date: '2025-02-01' }],
        },
      ])
    const { rows: told } =
      await sql`select message, connection_id from notifications where type = 'import' and payload->>'import_id' = ${String(started.body['import_id'])}`.execute(
        db,
      )
    expect(told).toEqual([{ message: 'Import successful!', connection_id: 'window-1' }])
    const { rows: trail } =
      await sql`select event, user_id from audit_records where client_id = ${at.clientId} and item_type = 'bill'`.execute(db)
    expect(trail).toEqual([{ event: 'create', user_id: staff.id }])
  })
})

describe('a dry run', () => {
  it('says what the commit would do, audits included, and stores nothing', async () => {
    const at = await makeGround(db)
    const file = csv(
      oneMeter,
      january(at),
      january(at, { date: '03/05/2025', amount: '130.00', invoice: 'A-2' }).replace('1000,1900', '1900,900'),
      january(at, { date: '04/05/2025', invoice: 'A-3' }).replace('1000,1900', ','),
    )
    const checked = await send(staff, path(at), file, { mode: 'dry_run' })
    expect(checked).toMatchObject({ state: 'checked', counts: { rows: 3, create: 3, update: 0, refused: 0 }, may_commit: true })
    expect(checked.warnings).toEqual([expect.stringMatching(/^Findings: .*1 Draft/)])
    const seen = await rows(staff, checked.id)
    expect(seen[1]?.notes).toContainEqual(expect.stringContaining('reading'))
    expect(seen[2]?.notes[0]).toBe('Draft: m1_usage is missing')
    expect(await billsOf(at)).toEqual([])
    expect((await sql`select from audit_records where client_id = ${at.clientId}`.execute(db)).rows).toEqual([])
    const done = await commit(staff, checked.id)
    expect(done).toMatchObject({ state: 'committed', counts: { create: 3 }, warnings: checked.warnings })
    expect(await billsOf(at)).toHaveLength(3)
    expect((await rows(staff, checked.id)).map(({ notes }) => notes)).toEqual(seen.map(({ notes }) => notes))
    const { rows: facts } = await sql<{
      cost: string
    }>`select sum(cost)::text as cost from service_month_facts where client_id = ${at.clientId}`.execute(db)
    expect(facts).toEqual([{ cost: '370.00' }])
  })

  it('of a file whose first row means nothing names the first columns and where the others stand', async () => {
    const at = await makeGround(db)
    const { faults } = await send(staff, path(at), 'x,y\n1,2\n', { mode: 'dry_run' })
    expect(faults).toEqual([
      expect.stringMatching(
        /^The first row names no column of this import. It begins with (\w+, ){11}\w+; the guide names these and \d+ more.$/,
      ),
    ])
  })

  it('finds what repeats a stored bill and what repeats a line of the same file; a commit refuses both and names the bill', async () => {
    const at = await makeGround(db)
    await send(staff, path(at), csv(oneMeter, january(at)))
    const [stored] = await billsOf(at)
    const march = january(at, { date: '03/05/2025', invoice: 'A-2' })
    const file = csv(oneMeter, january(at), march, january(at, { date: '03/06/2025', invoice: 'A-2', amount: '121.00' }))
    const checked = await send(staff, path(at), file, { mode: 'dry_run' })
    expect(checked.counts).toMatchObject({ create: 1, refused: 2 })
    const told = (await rows(staff, checked.id)).map(({ line, errors }) => [line, errors.map(({ message }) => message)])
    const same = `This bill was entered before: bill ${String(stored?.['id'])} of 02/05/2025 has the invoice number A-1`
    expect(told).toEqual([
      [2, [same]],
      [4, ['This bill was entered before: the bill on line 3 of 03/05/2025 has the invoice number A-2']],
      [3, []],
    ])
    expect((await commit(staff, checked.id)).counts).toMatchObject({ create: 1, refused: 2 })
    expect((await rows(staff, checked.id, 'action=refused')).map(({ errors }) => errors[0]?.message)).toEqual(
      told.slice(0, 2).map(([, said]) => (Array.isArray(said) ? said[0] : null)),
    )
    expect((await billsOf(at)).map((bill) => bill['invoice_number'])).toEqual(['A-1', 'A-2'])
  })

  it('is held against what was stored since: a bill that somebody has entered meanwhile is refused at the commit', async () => {
    const at = await makeGround(db)
    const checked = await send(staff, path(at), csv(oneMeter, january(at), january(at, { date: '03/05/2025', invoice: 'A-2' })), {
      mode: 'dry_run',
    })
    await send(staff, path(at), csv(oneMeter, january(at)))
    expect((await commit(staff, checked.id)).counts).toMatchObject({ rows: 2, create: 1, refused: 1 })
    expect(await billsOf(at)).toHaveLength(2)
  })
})

describe('rows', () => {
  it('of one bill bring further meters, and a bill is stored with all of its rows or not at all', async () => {
    const at = await makeGround(db)
    const meters = await Promise.all(['W-1', 'W-2'].map((name) => makeService(db, at.clientId, at.accountId, 'water', name)))
    const bill = (invoice: string) => `${number(at)},2025-02-05,2025-02-25,${invoice},0.00,100.00,100.00`
    const line = (name: string, charge: string) => `${name},2025-01-01,2025-02-01,,,10,,${charge},`
    const header = `${head},${meter(1)},${meter(2)},${meter(3)}`
    const three = `${line('E-1', '40.00')},${line('G-1', '30.00')},${line('W-1', '20.00')}`
    const rest = ',,,,,,,,,'
    const none = ','.repeat(17)
    const done = await send(
      staff,
      path(at),
      csv(
        header,
        `${bill('A')},${three}`,
        `${bill('A')},${line('w 2', '10.00')},${none}`,
        `${bill('B')},${three}`,
        `${bill('B')},${line('W-9', '10.00')},${none}`,
        `${bill('C')},${three}`,
        `${bill('C')},${line('E-1', '40.00')},${none}`,
        `${bill('D')},${three}`,
        `${bill('D')},,${rest.slice(1)},${none}`.replace(/,+$/, ''),
      ),
    )
    expect(done.counts).toEqual({ rows: 8, create: 2, update: 0, unchanged: 0, refused: 6 })
    const told = (await rows(staff, done.id, 'action=refused')).map(({ line: at_, errors }) => [at_, errors[0]?.column, errors[0]?.message])
    expect(told).toEqual([
      [4, null, 'Line 5 of the same bill is refused'],
      [5, 'm1_meter_number', 'The account has no meter W-9'],
      [6, null, 'Line 7 of the same bill is refused'],
      [7, 'm1_meter_number', 'This meter is on the bill twice for the same days, first on line 6'],
      [8, null, 'Line 9 of the same bill is refused'],
      [9, null, 'Line 8 is the same bill, and this row names no further meter'],
    ])
    const bills = await billsOf(at)
    expect(bills).toMatchObject([
      { invoice_number: 'A', lines: [at.electricId, at.gasId, ...meters].map((service_id) => ({ service_id })) },
    ])
  })

  it('name accounts as they stand, without spaces and dashes, by an alias, and by vendor and kind where several have the number', async () => {
    const at = await makeGround(db)
    const dashed = await makeAccount(db, at, '77-88 99')
    await sql`insert into account_aliases (client_id, billable_account_id, alias) values (${at.clientId}, ${dashed}, 'OLD 5')`.execute(db)
    const supply = await makeSupplyAccount(db, at, '77-88 99')
    const row = (account: string, type: string, invoice: string) =>
      `${account},2025-02-05,2025-02-25,${invoice},0.00,${invoice}.00,${invoice}.00,${type},Fee:${invoice}.00`
    const done = await send(
      staff,
      path(at),
      csv(
        `${head},account_type,account_charges`,
        row('778899', 'B', '1'),
        row('OLD-5', '', '2'),
        row('77-88 99', 's', '3'),
        row('778899', '', '4'),
        row('77-88 98', '', '5'),
        row('778899', 'Q', '6'),
        row('', '', '7'),
      ),
    )
    const { rows: made } =
      await sql`select invoice_number, billable_account_id, supply_account_id from bills where client_id = ${at.clientId} order by invoice_number`.execute(
        db,
      )
    expect(made).toEqual([
      { invoice_number: '1', billable_account_id: dashed, supply_account_id: null },
      { invoice_number: '2', billable_account_id: dashed, supply_account_id: null },
      { invoice_number: '3', billable_account_id: null, supply_account_id: supply },
    ])
    expect((await rows(staff, done.id, 'action=refused')).map(({ errors }) => errors)).toEqual([
      [
        {
          column: 'account_number',
          message: 'Several accounts have this number: say which by vendor_short_code or account_type',
          suggestions: [],
        },
      ],
      [{ column: 'account_number', message: 'No account has this number', suggestions: ['77-88 99'] }],
      [{ column: 'account_type', message: 'Account Type must be B or S', suggestions: [] }],
      [{ column: 'account_number', message: 'Account Number is required', suggestions: [] }],
    ])
  })

  it('fill entry fields, usage factors and fields of the service by name, keep units that nobody knows, and say which cell is wrong', async () => {
    const at = await makeGround(db)
    await sql`insert into additional_entry_fields (client_id, service_id, name) values (${at.clientId}, ${at.electricId}, 'Pole Count')`.execute(
      db,
    )
    const header = `${oneMeter},m1_demand,m1_entry:rec charge,m1_entry:Pole Count,m1_entry:No Such Thing,m1_notes`
    const row = (invoice: string, unit: string, rest: string) =>
      `${number(at)},2025-02-05,2025-02-25,${invoice},0.00,10${invoice}.00,10${invoice}.00,E-1,2025-01-01,2025-02-01,,,100,${unit},90.00,,${rest}`
    const done = await send(
      staff,
      path(at),
      csv(
        header,
        row('1', 'KWH', '12.5,10.00,3,,Read by phone'),
        row('2', 'Furlong', ',10.00,3,,'),
        row('3', '', ',,3,1.00,'),
        row('4', '', 'x,,,,'),
      ),
    )
    expect(done.warnings[0]).toContain('Findings')
    const { rows: lines } = await sql`select unit_id is not null as known, raw_unit, line.notes,
        (select jsonb_object_agg(name, value) from service_bill_entry_values v join entry_fields f on f.id = v.entry_field_id where v.service_bill_id = line.id and v.client_id = line.client_id) as entries,
        (select jsonb_object_agg(name, value) from service_bill_additional_values v join additional_entry_fields f on f.id = v.additional_entry_field_id where v.service_bill_id = line.id and v.client_id = line.client_id) as own,
        (select jsonb_object_agg(name, value) from service_bill_usage_factors v join usage_factors f on f.id = v.usage_factor_id where v.service_bill_id = line.id and v.client_id = line.client_id) as factors
      from service_bills line where line.client_id = ${at.clientId} order by line.id`.execute(db)
    expect(lines).toEqual([
      {
        known: true,
        raw_unit: null,
        notes: 'Read by phone',
        entries: { 'Utility Charges': 90, 'REC Charge': 10 },
        own: { 'Pole Count': 3 },
        factors: { Demand: 12.5 },
      },
      {
        known: false,
        raw_unit: 'Furlong',
        notes: null,
        entries: { 'Utility Charges': 90, 'REC Charge': 10 },
        own: { 'Pole Count': 3 },
        factors: null,
      },
    ])
    expect(
      (await rows(staff, done.id, 'action=refused')).map(({ errors }) => errors.map(({ column, message }) => [column, message])),
    ).toEqual([[['m1_entry:No Such Thing', 'Unknown field: No Such Thing']], [['m1_demand', expect.stringContaining('Demand')]]])
  })

  it('that correct a bill replace the one of the same days, or add to the one that they overlap', async () => {
    const at = await makeGround(db)
    const header = `${oneMeter},rebill_adjustment`
    const fixed = january(at, { date: '02/20/2025', amount: '110.00', invoice: 'A-2' })
    const added = january(at, { date: '03/20/2025', amount: '5.00', invoice: 'A-3' }).replace('02/01/2025', '01/20/2025')
    const done = await send(staff, path(at), csv(header, `${added},Y`, `${january(at)},N`, `${fixed},Y`))
    expect(done.counts).toMatchObject({ create: 3 })
    const bills = await billsOf(at)
    const id = (invoice: string) => bills.find((bill) => bill['invoice_number'] === invoice)?.['id']
    expect(
      bills.map(({ invoice_number, rebill_of_id, rebill_mode, superseded_by_id }) => ({
        invoice_number,
        rebill_of_id,
        rebill_mode,
        superseded_by_id,
      })),
    ).toEqual([
      { invoice_number: 'A-1', rebill_of_id: null, rebill_mode: null, superseded_by_id: id('A-2') },
      { invoice_number: 'A-2', rebill_of_id: id('A-1'), rebill_mode: 'replace', superseded_by_id: null },
      { invoice_number: 'A-3', rebill_of_id: id('A-2'), rebill_mode: 'add', superseded_by_id: null },
    ])
    expect(await undo(staff, done.id)).toMatchObject({ state: 'undone' })
    expect(await billsOf(at)).toEqual([])
  })
})

describe('a stored import of bills', () => {
  it('is undone as a whole, with trail, last bills and facts; refused as soon as anything has happened to one of them', async () => {
    const at = await makeGround(db)
    const done = await send(
      staff,
      path(at),
      csv(oneMeter, january(at), january(at, { date: '03/05/2025', invoice: 'A-2', amount: '99.00' })),
    )
    const [first] = await billsOf(at)
    await sql`update bills set lock_version = lock_version + 1 where id = ${Number(first?.['id'])}`.execute(db)
    const tried = await undo(staff, done.id)
    expect(tried).toMatchObject({
      state: 'committed',
      error: `Bill ${String(first?.['id'])} (line 2 of the file) was changed since the import.`,
    })
    await sql`update bills set lock_version = 0, paid = true where id = ${Number(first?.['id'])}`.execute(db)
    expect((await undo(staff, done.id)).error).toContain('is paid')
    await sql`update bills set paid = false where id = ${Number(first?.['id'])}`.execute(db)
    await sql`update bill_findings set assigned_to = ${staff.id} where client_id = ${at.clientId}`.execute(db)
    expect((await undo(staff, done.id)).error).toContain('Somebody has worked on the findings')
    await sql`update bill_findings set assigned_to = null where client_id = ${at.clientId}`.execute(db)
    expect(await billsOf(at)).toHaveLength(2)
    expect(await undo(staff, done.id)).toMatchObject({ state: 'undone', error: null })
    expect(await billsOf(at)).toEqual([])
    const { rows: account } = await sql`select last_bill_date from billable_accounts where id = ${at.accountId}`.execute(db)
    expect(account).toEqual([{ last_bill_date: null }])
    for (const table of ['service_month_facts', 'bill_line_facts'])
      expect((await sql`select from ${sql.table(table)} where client_id = ${at.clientId}`.execute(db)).rows).toEqual([])
    const { rows: trail } =
      await sql`select event, count(*)::int as many from audit_records where client_id = ${at.clientId} and item_type = 'bill' group by event order by event`.execute(
        db,
      )
    expect(trail).toEqual([
      { event: 'create', many: 2 },
      { event: 'destroy', many: 2 },
    ])
  })

  it('names the stored bill that a refused row is once more; an undo lets the bill count again that one of its bills had replaced', async () => {
    const at = await makeGround(db)
    const kept = async () =>
      (
        await sql`select last_bill_date, billed_until, usual_amount, (select count(*)::int from bill_findings where client_id = ${at.clientId}) as findings,
            (select jsonb_agg(to_jsonb(fact) - 'updated_at' order by service_id, month) from service_month_facts fact where client_id = ${at.clientId}) as facts
          from billable_accounts where id = ${at.accountId}`.execute(db)
      ).rows
    await send(staff, path(at), csv(oneMeter, january(at)))
    const [original] = await billsOf(at)
    const before = await kept()
    const fixed = january(at, { date: '02/20/2025', amount: '110.00', invoice: 'A-2' })
    const done = await send(staff, path(at), csv(`${oneMeter},rebill_adjustment`, `${january(at)},N`, `${fixed},Y`))
    expect(done.counts).toMatchObject({ rows: 2, create: 1, refused: 1 })
    expect((await rows(staff, done.id, 'action=refused')).map(({ line, repeats_id: id }) => [line, id])).toEqual([[2, original?.['id']]])
    expect(await billsOf(at)).toMatchObject([{ superseded_by_id: expect.any(Number) }, { rebill_of_id: original?.['id'] }])
    expect(await kept()).not.toEqual(before)
    expect(await undo(staff, done.id)).toMatchObject({ state: 'undone', error: null })
    expect(await billsOf(at)).toMatchObject([{ id: original?.['id'], superseded_by_id: null }])
    expect(await kept()).toEqual(before)
  })

  it('stored none of its rows where all were asked for and one is wrong; the file of the refused rows comes back mended', async () => {
    const at = await makeGround(db)
    const wrong = january(at, { date: '03/05/2025', invoice: 'A-2' }).replace('E-1', 'E-7')
    const done = await send(staff, path(at), csv(oneMeter, january(at), wrong), { mode: 'all' })
    expect(done).toMatchObject({
      state: 'checked',
      counts: { create: 1, refused: 1 },
      error: '1 of 2 rows are refused, so nothing was stored.',
    })
    expect(await billsOf(at)).toEqual([])
    expect((await sql`select from audit_records where client_id = ${at.clientId}`.execute(db)).rows).toEqual([])
    const { url } = (await ask(staff, 'GET', `/imports/${done.id}/refused.csv`)).body
    const refused = await testApp.app.server.inject({ method: 'GET', url: String(url) })
    expect(refused.body).toContain('m1_meter_number: The account has no meter E-7')
    const again = await send(staff, path(at), refused.body.replace('E-7', 'E-1'), { mode: 'all' })
    expect(again).toMatchObject({ state: 'committed', counts: { rows: 1, create: 1 } })
  })

  it('that is stopped on its way has stored nothing', async () => {
    const at = await makeGround(db)
    const day = (place: number) => new Date(Date.UTC(2020, 0, 1 + place)).toISOString().slice(0, 10)
    const lines = Array.from(
      { length: 2_000 },
      (_, place) => `${number(at)},${day(place)},2026-12-31,I-${place},0.00,10.00,10.00,E-1,${day(place)},${day(place + 1)},,,1,,10.00,`,
    )
    const started = await post(staff, path(at), csv(oneMeter, ...lines))
    expect((await ask(staff, 'POST', `/tasks/${String(started.body['task_id'])}/cancel`)).status).toBe(200)
    const state = async () => (await ask(staff, 'GET', `/imports/${String(started.body['import_id'])}`)).body['import']
    await expect.poll(state, { timeout: 30_000 }).toMatchObject({ state: 'failed' })
    // The work in progress ends by itself, and is not kept.
    await expect
      .poll(
        async () =>
          (
            await sql`select from pg_stat_activity where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`.execute(
              db,
            )
          ).rows,
        { timeout: 60_000 },
      )
      .toEqual([])
    expect(await billsOf(at)).toEqual([])
  })

  it('reaches only the accounts of whoever sent it, neither those of other clients nor those outside of their part', async () => {
    const at = await makeGround(db)
    const elsewhere = await makeGround(db)
    const other = await makeAccount(db, at, `9-${at.clientId}`)
    await makeService(db, at.clientId, other, 'electric', 'E-1')
    const narrowed = await makePerson(db, 'client_manager', { clients: [at.clientId], billable_account: [[at.clientId, other]] })
    const file = csv(oneMeter, january(elsewhere), january(at), january(at).replace(number(at), `9-${at.clientId}`))
    const done = await send(narrowed, path(at), file)
    expect(done.counts).toMatchObject({ create: 1, refused: 2 })
    expect((await rows(narrowed, done.id, 'action=refused')).map(({ errors }) => errors[0])).toMatchObject([
      { message: 'No account has this number', suggestions: [] },
      { message: 'No account has this number', suggestions: [] },
    ])
    expect(await billsOf(elsewhere)).toEqual([])
    expect((await billsOf(at)).map((bill) => bill['account_number'])).toEqual([`9-${at.clientId}`])
    expect((await post(await makePerson(db, 'read_only_user', { clients: [at.clientId] }), path(at), file)).status).toBe(403)
  })
})

describe('the bills of a group and of its subaccounts in a file', () => {
  const header = `account_number,date,due_date,invoice_number,balance_forward,current_charges,amount_due,group_account_number`
  const row = (account: string, invoice: string, amount: string, group: string) =>
    `${account},11/12/2025,12/05/2025,${invoice},0.00,${amount},${amount},${group}`

  it('link themselves whichever stands first, stay apart where the file says none, and are refused under a group that is not theirs', async () => {
    const at = await makeGround(db)
    const [group, other] = [`G-${at.clientId}`, `X-${at.clientId}`]
    const groupId = await makeAccount(db, at, group, { group: true })
    await makeAccount(db, at, other, { group: true })
    for (const name of ['A', 'B', 'C', 'D']) await makeAccount(db, at, `${name}-${at.clientId}`, { groupId })
    const of = (name: string) => `${name}-${at.clientId}`
    const file = csv(
      header,
      row(of('A'), 'N-1', '52.00', ''),
      row(group, 'N-2', '156.00', ''),
      row(of('B'), 'N-3', '52.00', group.replace('-', ' ')),
      row(of('C'), 'N-4', '52.00', 'none'),
      row(of('D'), 'N-5', '52.00', other),
      row(number(at), 'N-6', '9.00', group),
    )
    const checked = await send(staff, path(at), file, { mode: 'dry_run' })
    expect(checked.counts).toMatchObject({ create: 4, refused: 2 })
    const seen = await rows(staff, checked.id)
    expect(seen.flatMap(({ errors }) => errors.map((error) => [error.column, error.message]))).toEqual([
      ['group_account_number', `The account is a subaccount of ${group}: not of ${other}`],
      ['group_account_number', `The account is no subaccount: not of ${group}`],
    ])
    await commit(staff, checked.id)
    const { rows: bills } = await sql<{ id: number; invoice_number: string; group_bill_id: number | null; chosen: boolean }>`
      select id, invoice_number, group_bill_id, group_bill_chosen as chosen from bills where client_id = ${at.clientId} order by invoice_number`.execute(
      db,
    )
    const parent = bills.find((bill) => bill.invoice_number === 'N-2')?.id
    expect(bills.map((bill) => [bill.invoice_number, bill.group_bill_id, bill.chosen])).toEqual([
      ['N-1', parent, false],
      ['N-2', null, false],
      ['N-3', parent, false],
      ['N-4', null, true],
    ])
  })
})
