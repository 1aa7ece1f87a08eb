import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { addRole, makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import {
  makeBillableAccount,
  makeClient,
  makeDivision,
  makeFacility,
  makeService,
  makeSupplyAccount,
  makeVendor,
} from '../../../test/support/estate.ts'
import { exportedText } from '../../../test/support/exports.ts'
import { insert } from '../../../test/every-call/world.ts'
import type { PermissionMap } from '#contract/kernel/permission.ts'
import { kindReach } from './search-sources.ts'

const {
  ask,
  database: { db },
} = await startTestApp()

interface Ground {
  readonly client: number
  readonly division: number
  readonly facility: number
  readonly vendor: number
  readonly billable: number
  readonly supply: number
}
let ground: Ground
let other: number
let admin: Person
let staff: Person

beforeAll(async () => {
  const client = await makeClient(db, { name: 'Acme' })
  const division = await makeDivision(db, client, { name: 'East' })
  const facility = await makeFacility(db, client, division, { name: 'Plant' })
  await sql`update facilities set number = 'P-77' where id = ${facility}`.execute(db)
  const vendor = await makeVendor(db, { name: 'City Power' })
  const billable = await makeBillableAccount(db, client, facility, vendor, { name: 'Boiler house', account_number: '12-3456 789' })
  const supply = await makeSupplyAccount(db, client, facility, { name: 'Gas supply', account_number: 'SUP-555' })
  await sql`update supply_accounts set tax_ids = '{TX-9,TX-10}', service_identifiers = '{POD-4711}', vendor_id = ${vendor} where id = ${supply}`.execute(
    db,
  )
  await sql`update billable_accounts set tax_id = 'TX-1', street_address_2 = 'Dock 4' where id = ${billable}`.execute(db)
  const meter = await makeService(db, client, { billable_account_id: billable }, { meter_number: 'MTR 00-42', utility_service: 'Electric' })
  await sql`update services set id_number = 'ID-1', service_name_1 = 'Night', service_name_2 = 'Tariff', rate_schedule = 'GS-2' where id = ${meter}`.execute(
    db,
  )
  await makeService(db, client, { supply_account_id: supply }, { meter_number: 'GAS-9', utility_service: 'Natural Gas' })
  await insert(db, 'account_aliases', { client_id: client, billable_account_id: billable, alias: 'OLD 99-1' })
  ground = { client, division, facility, vendor, billable, supply }
  other = await makeClient(db, { name: 'Bolt' })
  const elsewhere = await makeFacility(db, other, await makeDivision(db, other, { name: 'West' }), { name: 'Depot' })
  await makeBillableAccount(db, other, elsewhere, vendor, { name: 'Boiler two', account_number: '999' })
  admin = await makePerson(db, 'client_admin', { clients: [client] })
  staff = await makePerson(db, 'super_admin')
})

const at = () => `/clients/${ground.client}/advanced_search`
const found = async (who: Person, path: string) => {
  const { status, body } = await ask(who, 'GET', path)
  expect(status, `${path} ${JSON.stringify(body)}`).toBe(200)
  return body
}
const idsOf = async (query: string, who = admin, path = at()) => (await found(who, `${path}?${query}`))['acc_ids']
const both = () => ({ billable_accounts: [ground.billable], supply_accounts: [ground.supply] })
const billableOnly = () => ({ billable_accounts: [ground.billable], supply_accounts: [] })
const supplyOnly = () => ({ billable_accounts: [], supply_accounts: [ground.supply] })
const neither = { billable_accounts: [], supply_accounts: [] }

describe('advanced search', () => {
  it('answers the rows of both kinds, their totals and the ids of all matches [ASRCH-API-003] [ASRCH-FIELD-001]', async () => {
    const body = await found(admin, `${at()}?q[vendor_id]=${ground.vendor}`)
    expect(body).toMatchObject({ billable_accounts_total: 1, supply_accounts_total: 1, total: 2, acc_ids: both(), acc_ids_complete: true })
    expect(body['billable_accounts']).toEqual([
      {
        id: ground.billable,
        client_id: ground.client,
        account_type: 'BillableAccount',
        account_number: '12-3456 789',
        name: 'Boiler house',
        client_name: 'Acme',
        active: true,
        is_group_account: false,
        vendor_name: 'City Power',
        service_types: [{ name: 'Electric', symbol: 'kWh' }],
        facility_number: 'P-77',
        facility_name: 'Plant',
        division_name: 'East',
        street_address_1: '1 Main',
        street_address_2: 'Dock 4',
        city: 'Austin',
        state: 'TX',
        zip: '78701',
        last_bill_date: null,
        last_bill_file_url: null,
      },
    ])
    expect(body['supply_accounts']).toMatchObject([
      { id: ground.supply, account_type: 'SupplyAccount', service_types: [{ name: 'Natural Gas' }] },
    ])
  })

  it('needs a filter: nothing, blanks and a sort alone are none [ASRCH-RULE-001]', async () => {
    for (const query of ['', '?q[name]=', '?q[name]=%20%20', '?q[s]=name%20asc', '?page=2']) {
      for (const path of [at(), '/advanced_search', `${at()}/export_csv`]) {
        const { status, body } = await ask(admin, 'GET', `${path}${query}`)
        expect([path, query, status, body['message']]).toEqual([path, query, 422, 'You must provide at least one search filter'])
      }
    }
  })

  it('finds by everything that is known of an account', async () => {
    const day = '2026-01-15'
    await sql`update billable_accounts set last_bill_date = ${day} where id = ${ground.billable}`.execute(db)
    const cases: readonly (readonly [string, object])[] = [
      ['account_number=3456', billableOnly()],
      ['account_number=123456789', billableOnly()],
      ['account_number=1%202-345', billableOnly()],
      ['account_number_eq=123456789', billableOnly()],
      ['account_number=sup-5', supplyOnly()],
      ['account_number=-', both()],
      ['account_number=%25', neither],
      ['account_number=_', neither],
      ['name=BOILER', billableOnly()],
      ['alias=old991', billableOnly()],
      ['meter_number=mtr0042', billableOnly()],
      ['meter_number=0-0', billableOnly()],
      ['service_name=night%20tar', billableOnly()],
      ['id_number=id-', billableOnly()],
      ['id_number_null=true', supplyOnly()],
      ['rate_schedule=gs', billableOnly()],
      ['text=gas', supplyOnly()],
      ['text=99-1', billableOnly()],
      ['text=mtr-00', billableOnly()],
      ['text=supply', supplyOnly()],
      ['tax_id=tx-1', both()],
      ['tax_id_eq=TX-1', billableOnly()],
      ['tax_id_eq=TX-10', supplyOnly()],
      ['service_identifier=pod', supplyOnly()],
      ['street_address=dock', billableOnly()],
      ['street_address=1%20main', both()],
      ['city=aus', both()],
      ['state=TX', both()],
      ['state=NV', neither],
      ['zip=787', both()],
      [`vendor_id=${ground.vendor}`, both()],
      [`vendor_id_in=${ground.vendor},999999`, both()],
      [`division_id=${ground.division}`, both()],
      [`facility_id=${ground.facility}`, both()],
      ['facility_number=p-7', both()],
      ['facility_name=plant', both()],
      ['division_name=eas', both()],
      ['vendor_name=city', both()],
      [`client_id=${ground.client}`, both()],
      [`client_id=${other}`, neither],
      ['active=true', both()],
      ['active=false', neither],
      ['account_type=BillableAccount', billableOnly()],
      ['account_type=SupplyAccount', supplyOnly()],
      ['account_type=GroupAccount', neither],
      ['account_type_not_eq=SupplyAccount', billableOnly()],
      [`last_bill_date_gteq=${day}`, billableOnly()],
      ['last_bill_date_gteq=2026-01-16', neither],
      ['last_bill_date_lteq=01/15/2026', billableOnly()],
      ['last_bill_date_null=true', supplyOnly()],
      ['no_bill_since=2026-01-15', supplyOnly()],
      ['no_bill_since=2026-01-16', both()],
      ['name=boiler&q[meter_number]=gas', neither],
      ['name=boiler&q[meter_number]=mtr', billableOnly()],
    ]
    for (const [query, expected] of cases) expect([query, await idsOf(`q[${query.replace('=', ']=')}`)]).toEqual([query, expected])
    const electric = await found(admin, '/advanced_search_associations?only=services&search_term=Electric')
    expect(electric['services']).toHaveLength(1)
    const [{ id } = { id: 0 }] = rowsOf(electric['services'])
    expect(await idsOf(`q[utility_service_id]=${id}`)).toEqual(billableOnly())
    expect(await idsOf(`q[utility_service_id_not_eq]=${id}`)).toEqual(supplyOnly())
  })

  it('refuses what it does not know by name', async () => {
    for (const [query, field] of [
      ['q[nothing]=1', 'q[nothing]'],
      ['q[text_null]=true', 'q[text_null]'],
      ['q[no_bill_since_gteq]=2026-01-01', 'q[no_bill_since_gteq]'],
      ['q[name]=a&q[s]=colour%20asc', 'q[s]'],
      ['q[vendor_id]=x', 'q[vendor_id]'],
      ['q[account_type]=Account', 'q[account_type]'],
      ['q[last_bill_date_gteq]=soon', 'q[last_bill_date_gteq]'],
      ['q[name]=a&page=0', 'page'],
      ['q[name]=a&kind=bills', 'kind'],
      ['q[name]=a&values=[1]', 'values'],
      ['q[name]=a&search_term=x', 'search_term'],
    ] as const) {
      const { status, body } = await ask(admin, 'GET', `${at()}?${query}`)
      expect([query, status], JSON.stringify(body)).toEqual([query, 422])
      expect(JSON.stringify(body['errors']), query).toContain(field)
    }
  })

  it('turns the pages of each kind by itself and answers only what is asked for', async () => {
    for (const word of ['a', 'b', 'c'])
      await makeSupplyAccount(db, ground.client, ground.facility, { name: `Paged ${word}`, account_number: `PG-${word}` })
    const query = 'q[account_number]=PG-&q[s]=account_number%20desc&per=2'
    const second = await found(admin, `${at()}?${query}&page_supply=2`)
    expect(second).toMatchObject({ supply_accounts: [{ name: 'Paged a' }], billable_accounts: [], supply_accounts_total: 3, total: 3 })
    const one = await found(admin, `${at()}?${query}&kind=supply_accounts&page=1&with_ids=false&with_total=false`)
    expect(Object.keys(one)).toEqual(['billable_accounts', 'supply_accounts'])
    expect(one['supply_accounts']).toMatchObject([{ name: 'Paged c' }, { name: 'Paged b' }])
    const counted = await found(admin, `${at()}?${query}&kind=billable_accounts&with_rows=false`)
    expect(counted).toMatchObject({ billable_accounts: [], acc_ids: neither, total: 0 })
  })

  it('reaches over clients what the reader’s roles reach, and inside a client that client', async () => {
    const query = 'q[name]=boiler&q[s]=client_name%20asc'
    expect((await found(staff, `/advanced_search?${query}`))['billable_accounts']).toMatchObject([
      { client_name: 'Acme' },
      { client_name: 'Bolt' },
    ])
    expect((await found(admin, `/advanced_search?${query}`))['billable_accounts']).toMatchObject([{ client_name: 'Acme' }])
    expect((await found(staff, `${at()}?${query}`))['billable_accounts']).toMatchObject([{ client_name: 'Acme' }])
    expect((await ask(admin, 'GET', `/clients/${other}/advanced_search?${query}`)).status).toBe(404)
  })

  it('reads each kind by its own right, where a role that may search holds it', async () => {
    const narrow = await makePerson(db, 'client_user', { clients: [ground.client], supply_account: [[ground.client, ground.supply]] })
    expect(await idsOf('q[city]=austin', narrow)).toEqual(supplyOnly())
    const twice = await makePerson(db, 'client_user', { clients: [ground.client], supply_account: [[ground.client, ground.supply]] })
    await addRole(db, twice.id, 'client_user', { clients: [ground.client], billable_account: [[ground.client, ground.billable]] })
    expect(await idsOf('q[city]=austin', twice)).toEqual(both())
    const grant = { role: 'client_user', clients: [1], narrowed: {} }
    const principal = (...permissions: PermissionMap[]) => ({
      user_id: 1,
      email: '',
      masked: new Map(),
      session_id: 1,
      grants: permissions.map((held) => ({ ...grant, permissions: held })),
    })
    const search = { advanced_search: ['read'] } as const
    const read = { billable_account: ['read'] } as const
    expect(kindReach(principal({ ...search, ...read }), 'billable_accounts')).toHaveLength(1)
    expect(kindReach(principal({ ...search, ...read }), 'supply_accounts')).toEqual([])
    expect(kindReach(principal(search, read), 'billable_accounts')).toEqual([])
  })

  it('links to the file of the last bill for who may read bills', async () => {
    const account = await makeBillableAccount(db, ground.client, ground.facility, ground.vendor, {
      name: 'Billed',
      account_number: 'BILLED',
    })
    const bill = async (date: string, more: object = {}) =>
      insert(db, 'bills', {
        client_id: ground.client,
        billable_account_id: account,
        account_number: 'BILLED',
        date,
        due_date: date,
        ...more,
      })
    await bill('2026-02-01')
    const last = await bill('2026-03-01')
    await bill('2026-04-01', { superseded_by_id: last })
    await sql`update billable_accounts set last_bill_date = '2026-03-01' where id = ${account}`.execute(db)
    const row = async () => rowsOf((await found(admin, `${at()}?q[account_number_eq]=BILLED`))['billable_accounts'])[0]
    expect(await row()).toMatchObject({ last_bill_date: '2026-03-01', last_bill_file_url: null })
    const file = await insert(db, 'files', {
      key: 'search/1',
      filename: 'b.pdf',
      content_type: 'application/pdf',
      byte_size: 3,
      state: 'attached',
    })
    await sql`insert into bill_files (client_id, bill_id, position, file_id, filename) values (${ground.client}, ${last}, 1, ${file}, 'b.pdf')`.execute(
      db,
    )
    const url = `/api/v5/clients/${ground.client}/bills/${last}/files/1`
    expect(await row()).toMatchObject({ last_bill_file_url: url })
    const opened = await ask(admin, 'GET', url.slice('/api/v5'.length))
    expect(opened).toMatchObject({ status: 200, body: { filename: 'b.pdf' } })
  })

  it('offers services, vendors, divisions and facilities to choose from, inside a client and over all [ASRCH-API-001] [ASRCH-API-002] [ASRCH-FIELD-002]', async () => {
    const inside = await found(admin, `${at()}_associations`)
    expect(inside['services']).toContainEqual({ id: expect.any(Number), name: 'Electric' })
    expect(inside['vendors']).toContainEqual({ id: ground.vendor, display_name: expect.stringMatching(/^City Power \(/) })
    expect(inside['divisions']).toEqual([{ id: ground.division, name: 'East', client_id: ground.client, client: 'Acme' }])
    expect(inside['facilities']).toEqual([{ id: ground.facility, name: 'Plant', number: 'P-77', client_id: ground.client, client: 'Acme' }])
    const all = await found(staff, '/advanced_search_associations')
    expect(rowsOf(all['divisions']).map(({ name }) => name)).toEqual(['East', 'West'])
    expect((await found(staff, `/advanced_search_associations?client_id=${other}`))['facilities']).toMatchObject([{ name: 'Depot' }])
    expect(await found(staff, '/advanced_search_associations?only=facilities&search_term=p-7')).toMatchObject({
      facilities: [{ name: 'Plant' }],
      divisions: [],
      total: 1,
    })
    expect(await found(staff, `/advanced_search_associations?only=divisions&values=[${ground.division}]`)).toMatchObject({
      divisions: [{ name: 'East' }],
      total: 1,
    })
    expect((await ask(staff, 'GET', '/advanced_search_associations?values=[1]')).status).toBe(422)
    expect((await found(admin, `/advanced_search_associations?client_id=${other}`))['divisions']).toEqual([])
  })

  it('exports both kinds into one file, by filters or by the ids of before [ASRCH-EXPORT-001]', async () => {
    const text = async (who: Person, path: string) => {
      const started = await ask(who, 'GET', path)
      expect(started.status, started.text).toBe(200)
      return (await exportedText({ ask }, who, started.body['task_id'])).trimEnd().split('\n')
    }
    const [head, ...rows] = await text(admin, `${at()}/export_csv?q[vendor_name]=city&q[account_number]=5&connection_id=w1`)
    expect(head).toBe(
      'ID,Client,Account Type,Group Account,Account Number,Account Name,Vendor,Services,Division,Facility Number,Facility,Street Address 1,Street Address 2,City,State,Zipcode,Active,Last Bill Date',
    )
    expect(rows).toEqual([
      `${ground.billable},Acme,BillableAccount,false,12-3456 789,Boiler house,City Power,Electric,East,P-77,Plant,1 Main,Dock 4,Austin,TX,78701,true,2026-01-15`,
      `${ground.supply},Acme,SupplyAccount,false,SUP-555,Gas supply,City Power,Natural Gas,East,P-77,Plant,1 Main,,Austin,TX,78701,true,`,
    ])
    const byIds = await text(admin, `${at()}/export_csv?billable_accounts=${ground.billable},${ground.billable + 1}`)
    expect(byIds).toHaveLength(2)
    const list = `supply_accounts[]=${ground.supply}&billable_accounts[]=${ground.billable}`
    expect(await text(admin, `/advanced_search/export_csv?${list}`)).toHaveLength(3)
    const stranger = await makePerson(db, 'client_admin', { clients: [other] })
    expect(await text(stranger, `/advanced_search/export_csv?${list}`)).toHaveLength(1)
    expect((await ask(admin, 'GET', `${at()}/export_csv?billable_accounts=1,x`)).status).toBe(422)
  })
})

function rowsOf(value: unknown): { id: number; name: string }[] {
  return Array.isArray(value) ? value : []
}
