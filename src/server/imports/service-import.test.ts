/** Tests accounts and their services from one file: each row's effect on its service, refusals, and undo. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import {
  makeBillableAccount,
  makeClient,
  makeDivision,
  makeFacility,
  makeLedgerAccount,
  makeService,
  makeVendor,
} from '../../../test/support/estate.ts'
import { importsOf } from '../../../test/support/import-files.ts'

const testApp = await startTestApp()
const {
  ask,
  database: { db },
} = testApp
const { send, commit, undo, rows } = importsOf(testApp)
let staff: Person
let client: number
let facility: number
let vendor: number
let path: string

beforeAll(async () => {
  staff = await makePerson(db, 'super_admin')
  client = await makeClient(db)
  facility = await makeFacility(db, client, await makeDivision(db, client))
  vendor = await makeVendor(db)
  path = `/clients/${client}/billable_accounts/import`
  await sql`update facilities set number = 'F1' where id = ${facility}`.execute(db)
  await sql`update vendors set short_code = 'VEN' where id = ${vendor}`.execute(db)
  for (const name of ['6100', '6200: Gas']) await makeLedgerAccount(db, client, name)
})

const header = 'account_number,vendor_short_code,facility_number,name,street_address_1,city,state,zip'
const account = (number: string, name = 'Main') => `${number},VEN,F1,${name},1 Main,Albany,NY,12207`
const again = (number: string) => `${number},VEN,,,,,,`
const stored = async (number: string) => {
  const { rows: found } = await sql<
    Record<string, unknown>
  >`select service.meter_number, service.rank, service.service_name_1, service.active,
      (select array_agg(ledger.name || ':' || share.share_ratio order by share.position) from shared_accounts share join ledger_accounts ledger on ledger.client_id = share.client_id and ledger.id = share.ledger_account_id
        where share.client_id = service.client_id and share.service_id = service.id) as shares
    from services service join billable_accounts owner on owner.client_id = service.client_id and owner.id = service.billable_account_id
    where owner.client_id = ${client} and owner.account_number = ${number} order by service.rank, service.id`.execute(db)
  return found
}
const errorsOf = async (id: number, who = staff) =>
  (await rows(who, id, 'action=refused&per=100')).map(({ line, errors }) => [
    line,
    ...errors.map(({ column, message }) => `${column ?? ''}: ${message}`),
  ])

describe('a file of accounts with services', () => {
  it('makes an account with each service of its rows, says so beforehand, and takes both back', async () => {
    const csv = `${header},meter_number,service_utility_code,usage_unit,shares,service_name_1\n${account('100')},M-1,electric,kWh,6100:0.4;6200: Gas:0.6,First\n${again('100')},M-2,,,,Second\n${account('101')},,,,,\n`
    const dry = await send(staff, path, csv, { mode: 'dry_run' })
    expect(dry).toMatchObject({ state: 'checked', counts: { rows: 3, create: 3, refused: 0 }, parts: { create: 2, update: 0 } })
    expect((await rows(staff, dry.id)).map(({ action, part_action }) => [action, part_action])).toEqual([
      ['create', 'create'],
      ['create', 'create'],
      ['create', null],
    ])
    expect(await stored('100')).toEqual([])
    const done = await commit(staff, dry.id)
    expect(done).toMatchObject({ state: 'committed', parts: { create: 2, update: 0 } })
    expect(await stored('100')).toEqual([
      { meter_number: 'M-1', rank: 1, service_name_1: 'First', active: true, shares: ['6100:0.4000', '6200: Gas:0.6000'] },
      { meter_number: 'M-2', rank: 2, service_name_1: 'Second', active: true, shares: null },
    ])
    const { rows: asked } = await sql<{ names: string[] }>`select array_agg(field.name order by field.position) as names
      from services service join service_entry_fields one on one.client_id = service.client_id and one.service_id = service.id
      join entry_fields field on field.id = one.entry_field_id where service.client_id = ${client} group by service.id`.execute(db)
    expect(asked).toEqual([{ names: ['Utility Charges', 'Utility Taxes'] }, { names: ['Utility Charges', 'Utility Taxes'] }])
    const { rows: trail } = await sql<{ changes: Record<string, unknown> }>`select object_changes as changes from audit_records
      where client_id = ${client} and item_type = 'service' and event = 'create' order by id limit 1`.execute(db)
    expect(trail[0]?.changes).toMatchObject({
      meter_number: { from: null, to: 'M-1' },
      rank: { from: null, to: 1 },
      shared_accounts: { from: null, to: [{ ledger_account_name: '6100', share_ratio: '0.4000' }, { share_ratio: '0.6000' }] },
    })
    expect((await undo(staff, done.id)).state).toBe('undone')
    const { rows: left } = await sql`select 1 from services where client_id = ${client}`.execute(db)
    expect(left).toEqual([])
  })

  it('changes services of accounts that are there by their keys alone, shows from what to what, and puts them back', async () => {
    await send(staff, path, `${header},meter_number,rate_schedule\n${account('200')},A,R1\n${again('200')},B,R2\n`)
    const change = `account_number,vendor_short_code,meter_number,rate_schedule,shares,service_active\n200,VEN,a,R9,6100:1,\n200,VEN,B,R2,,N\n200,VEN,C,R3,,\n`
    const done = await send(staff, path, change)
    expect(done).toMatchObject({ counts: { update: 2, create: 1, refused: 0 }, parts: { create: 1, update: 2 } })
    expect((await rows(staff, done.id)).map(({ changes, part_action }) => [part_action, changes])).toEqual([
      ['update', { rate_schedule: { from: 'R1', to: 'R9' }, shares: { from: '', to: '6100:1.0000' } }],
      ['update', { service_active: { from: 'Y', to: 'N' } }],
      ['create', {}],
    ])
    expect((await stored('200')).map(({ meter_number, rank, active, shares }) => [meter_number, rank, active, shares])).toEqual([
      ['A', 1, true, ['6100:1.0000']],
      ['B', 2, false, null],
      ['C', 3, true, null],
    ])
    const same = await send(staff, path, change)
    expect(same).toMatchObject({ counts: { unchanged: 3 }, parts: { create: 0, update: 0 } })
    expect((await undo(staff, done.id)).state).toBe('undone')
    expect((await stored('200')).map(({ meter_number, active, shares }) => [meter_number, active, shares])).toEqual([
      ['A', true, null],
      ['B', true, null],
    ])
  })

  it('is refused at the cell, in the words of the form, and an account is stored with all of its rows or not at all', async () => {
    const csv = [
      `${header},meter_number,service_utility_code,usage_unit,shares,ledger_account,service_effective_from,service_effective_to`,
      `${account('300')},A,,,6100:0.5;6200: Gas:0.4,,,`,
      `${again('300')},B,,,,,,`,
      `${account('301')},A,electric,gal,,,,`,
      `${account('302')},A,,,6100,,,`,
      `${account('303')},A,,,:1,,,`,
      `${account('304')},A,,,Nobody:1,6100,,`,
      `${account('305')},A,,,,Nobody,,`,
      `${account('306')},A,,,,,2026-02-01,2026-01-01`,
      `${account('307')},,electric,,,,,`,
      `${account('308')},A,,,,,,`,
      `${account('308', 'Other')},B,,,,,,`,
      `${account('309')},A,,,,,,`,
      `${again('309')},a,,,,,,`,
      `${account('310')},A,,,,,,`,
    ].join('\n')
    const done = await send(staff, path, csv)
    expect(Object.fromEntries((await errorsOf(done.id)).map(([line, ...errors]) => [line, errors]))).toEqual({
      2: ['shares: Share ratios must add up to 1'],
      3: [': Line 2 of the same record is refused'],
      4: ['usage_unit: Usage Unit must be one of the utility service'],
      5: ['shares: Missing Share Ratio'],
      6: ['shares: Missing Ledger Account'],
      7: ['shares: This record cannot be found: Nobody'],
      8: ['ledger_account: This record cannot be found'],
      9: ['service_effective_to: Effective To must not be before Effective From'],
      10: ['meter_number: Meter Number is required'],
      11: [': Line 12 of the same record is refused'],
      12: ['account_number: Line 11 says something else about the same record'],
      13: [': Line 14 of the same record is refused'],
      14: ['meter_number: Line 13 means the same service'],
    })
    const { rows: made } =
      await sql`select account_number from billable_accounts where client_id = ${client} and account_number like '30%'`.execute(db)
    expect(made).toEqual([])
    expect(await stored('310')).toMatchObject([{ meter_number: 'A' }])
  })

  it('keeps the utility service of what bills carry, and cannot be undone while bills carry a service that it made', async () => {
    const done = await send(staff, path, `${header},meter_number,service_utility_code\n${account('400')},A,electric\n`)
    const { rows: made } = await sql<{
      id: number
      service: number
    }>`select owner.id, service.id as service from billable_accounts owner join services service on service.client_id = owner.client_id
      and service.billable_account_id = owner.id where owner.client_id = ${client} and owner.account_number = '400'`.execute(db)
    const { rows: bill } = await sql<{
      id: number
    }>`insert into bills (client_id, billable_account_id, account_number, date, due_date) values (${client}, ${made[0]?.id}, '400', '2026-01-01', '2026-01-20') returning id`.execute(
      db,
    )
    await sql`insert into service_bills (client_id, bill_id, service_id, position) values (${client}, ${bill[0]?.id}, ${made[0]?.service}, 1)`.execute(
      db,
    )
    const moved = await send(staff, path, 'account_number,vendor_short_code,meter_number,service_utility_code\n400,VEN,A,water\n')
    expect(await errorsOf(moved.id)).toEqual([[2, 'service_utility_code: Utility Service cannot change once bills carry the service']])
    const refused = await undo(staff, done.id)
    expect(refused).toMatchObject({ state: 'committed', error: expect.stringContaining('in use') })
  })
})

describe('an account', () => {
  it('is found by its number as it stands, then without spaces and dashes, then by its aliases; several are named and refused', async () => {
    const [exact, loose] = [
      await makeBillableAccount(db, client, facility, vendor, { account_number: '50-1', name: 'Dashes' }),
      await makeBillableAccount(db, client, facility, vendor, { account_number: '501', name: 'Plain' }),
    ]
    const aliased = await makeBillableAccount(db, client, facility, vendor, { account_number: '777' })
    await sql`insert into account_aliases (client_id, billable_account_id, alias) values (${client}, ${aliased}, 'OLD 777')`.execute(db)
    const columns = 'account_number,vendor_short_code,notes\n'
    const found = await send(staff, path, `${columns}50-1,VEN,a\n501,VEN,b\nold-777,VEN,c\n`, { mode: 'dry_run' })
    expect((await rows(staff, found.id)).map(({ item_id }) => item_id)).toEqual([exact, loose, aliased])
    const several = await send(staff, path, `${columns}5 01,VEN,a\n`, { mode: 'dry_run' })
    expect(await errorsOf(several.id)).toEqual([[2, 'account_number: Several records match: 50-1 (Dashes), 501 (Plain)']])
    const unknown = await send(staff, path, `${columns}50-11,VEN,a\n`, { mode: 'dry_run' })
    expect((await rows(staff, unknown.id))[0]?.errors.find(({ column }) => column === 'account_number')).toMatchObject({
      message: 'No record has this number',
      suggestions: expect.arrayContaining(['50-1']),
    })
    const twice = await send(staff, path, `${columns}777,VEN,a\n7-77,VEN,b\n`, { mode: 'dry_run' })
    expect(await errorsOf(twice.id)).toEqual([[3, ': Line 2 means the same record']])
  })

  it('joins a group that another row of the file brings, and leaves it when the import is undone', async () => {
    const csv = `${header},is_group_account,group_account_number,meter_number\n${account('601')},,G-600,A\n${account('G-600')},Y,,\n${account('602')},,G-699,\n`
    const dry = await send(staff, path, csv, { mode: 'dry_run' })
    expect(await errorsOf(dry.id)).toEqual([[4, 'group_account_number: No group account has this number']])
    await commit(staff, dry.id)
    const groupOf = async () =>
      (
        await sql<{
          number: string | null
        }>`select gathering.account_number as number from billable_accounts owner left join billable_accounts gathering
      on gathering.client_id = owner.client_id and gathering.id = owner.group_account_id where owner.client_id = ${client} and owner.account_number = '601'`.execute(
          db,
        )
      ).rows[0]?.number
    expect(await groupOf()).toBe('G-600')
    const left = await send(staff, path, 'account_number,vendor_short_code,group_account_number\n601,VEN,#CLEAR\n')
    expect(await groupOf()).toBe(null)
    expect((await undo(staff, left.id)).state).toBe('undone')
    expect(await groupOf()).toBe('G-600')
  })

  it('moves from one group to another only by leaving the first, in the words of the group’s form', async () => {
    const number = (word: string) => `account_number,vendor_short_code,group_account_number\n611,VEN,${word}\n`
    const [first, second] = [
      await makeBillableAccount(db, client, facility, vendor, { account_number: 'G-611', name: 'First' }),
      await makeBillableAccount(db, client, facility, vendor, { account_number: 'G-612', name: 'Second' }),
    ]
    await sql`update billable_accounts set is_group_account = true where id in (${first}, ${second})`.execute(db)
    const sub = await makeBillableAccount(db, client, facility, vendor, { account_number: '611', name: 'Moving' })
    expect((await send(staff, path, number('G-611'))).counts).toMatchObject({ update: 1 })
    const dry = await send(staff, path, number('G-612'), { mode: 'dry_run' })
    const form = await ask(staff, 'PATCH', `/clients/${client}/group_accounts/${second}`, { group_account: { subaccount_ids: [sub] } })
    expect(form.body['message']).toBe('611 (Moving) is a subaccount of G-611 (First)')
    expect(await errorsOf(dry.id)).toEqual([[2, `group_account_number: ${String(form.body['message'])}`]])
    expect((await send(staff, path, number('G-611'), { mode: 'dry_run' })).counts).toMatchObject({ unchanged: 1 })
    await send(staff, path, number('#CLEAR'))
    expect((await send(staff, path, number('G-612'))).counts).toMatchObject({ update: 1 })
    // A user who does not see the group does not learn its name, and cannot add to it.
    const division = await makeDivision(db, client)
    await sql`update billable_accounts set facility_id = ${await makeFacility(db, client, division)} where id = ${sub}`.execute(db)
    const narrow = await makePerson(db, 'client_manager', { clients: [client], division: [[client, division]] })
    const mine = await makeBillableAccount(db, client, await makeFacility(db, client, division), vendor, { account_number: 'G-613' })
    await sql`update billable_accounts set is_group_account = true where id = ${mine}`.execute(db)
    const told = async (word: string) => errorsOf((await send(narrow, path, number(word), { mode: 'dry_run' })).id, narrow)
    expect(await told('G-613')).toEqual([[2, 'group_account_number: 611 (Moving) is a subaccount of another group account']])
    expect(await told('G-611')).toEqual([[2, 'group_account_number: No group account has this number']])
    expect(await told('G-612')).toEqual([])
  })

  it('of another part of the client is neither found nor given services by a narrowed role', async () => {
    const division = await makeDivision(db, client)
    const place = await makeFacility(db, client, division)
    const mine = await makeBillableAccount(db, client, place, vendor, { account_number: '800' })
    const theirs = await makeBillableAccount(db, client, facility, vendor, { account_number: '801' })
    const narrow = await makePerson(db, 'client_manager', { clients: [client], division: [[client, division]] })
    const done = await send(narrow, path, 'account_number,vendor_short_code,meter_number\n800,VEN,N-1\n801,VEN,N-2\n')
    expect(done.counts).toMatchObject({ create: 1, refused: 1 })
    const { rows: services } =
      await sql`select billable_account_id as id, meter_number from services where client_id = ${client} and billable_account_id in (${mine}, ${theirs})`.execute(
        db,
      )
    expect(services).toEqual([{ id: mine, meter_number: 'N-1' }])
  })
})

describe('a supply account', () => {
  it('is imported with its links to meters of billable accounts and with its services [IMPORT-API-008]', async () => {
    const owner = await makeBillableAccount(db, client, facility, vendor, { account_number: '900-1' })
    const meter = await makeService(db, client, { billable_account_id: owner }, { meter_number: 'LM-1' })
    const supply = `/clients/${client}/supply_accounts/import`
    const csv =
      'account_number,name,street_address_1,city,state,zip,linked_billable_account_number,linked_meter_number,tax_ids,meter_number,billable_ledgers\nS-1,Supply,1 Main,Albany,NY,12207,9001,lm-1,T1;T2,SM-1,Y\nS-2,Supply,1 Main,Albany,NY,12207,900-1,LM-9,,,\n'
    const done = await send(staff, supply, csv)
    expect(await errorsOf(done.id)).toEqual([[3, 'linked_meter_number: No service has the meter LM-9 on the account 900-1']])
    const list = await ask(staff, 'GET', `/clients/${client}/supply_accounts`)
    expect(list.body['supply_accounts']).toMatchObject([
      {
        account_number: 'S-1',
        billing_period: 2,
        billing_cycle: 30,
        billable_service_ids: [meter],
        tax_ids: ['T1', 'T2'],
        services_count: 1,
      },
    ])
    expect((await undo(staff, done.id)).state).toBe('undone')
    expect((await ask(staff, 'GET', `/clients/${client}/supply_accounts`)).body).toMatchObject({ total: 0 })
  })
})
