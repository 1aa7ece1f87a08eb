/** Numbers are found in every format, and words in any order, wherever records are searched. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { makePerson, startTestApp, type Person } from './support/app.ts'
import {
  makeBillableAccount,
  makeClient,
  makeDivision,
  makeFacility,
  makeService,
  makeSupplyAccount,
  makeVendor,
} from './support/estate.ts'

const {
  ask,
  database: { db },
} = await startTestApp()

let staff: Person
let client: number
let account: number
let supply: number

/** As bills print them, and as users type them. */
const printed = '435-641-859-6-5'
const typed = ['4356418596', '435-641-859-6-5', '435 641 859 6 5', '43564185965', '435641']
const supplyPrinted = '972 652 663 4852 36'
const supplyTyped = ['972652663', '972-652-663-4852-36', '97265266348']

beforeAll(async () => {
  staff = await makePerson(db, 'super_admin')
  client = await makeClient(db)
  const division = await makeDivision(db, client)
  const facility = await makeFacility(db, client, division, { name: 'School House 1' })
  const other = await makeFacility(db, client, division, { name: 'Town Hall' })
  const vendor = await makeVendor(db, { name: 'AEP Ohio' })
  const otherVendor = await makeVendor(db, { name: 'Gas & Co' })
  account = await makeBillableAccount(db, client, facility, vendor, { name: 'Boiler', account_number: printed })
  await makeBillableAccount(db, client, other, otherVendor, { name: 'Chiller', account_number: '111-222' })
  supply = await makeSupplyAccount(db, client, facility, { name: 'Supplier', account_number: supplyPrinted })
  await makeService(db, client, { billable_account_id: account }, { meter_number: 'MT 77-81 05' })
  await sql`insert into bills (client_id, billable_account_id, account_number, vendor_id, facility_id, division_id, date, due_date, balance_forward,
      current_charges, late_fee, amount_due, invoice_number)
    values (${client}, ${account}, ${printed}, ${vendor}, ${facility}, ${division}, '2026-01-05', '2026-01-25', 0, 1, 0, 1, 'INV 2026-00-41')`.execute(
    db,
  )
})

const idsAt = async (path: string, plural: string): Promise<unknown[]> => {
  const { status, body, text } = await ask(staff, 'GET', path)
  if (status !== 200) throw new Error(`${path}: ${text}`)
  const rows: unknown = body[plural]
  return Array.isArray(rows) ? rows.map((row: { id: number }) => row.id) : []
}
const word = encodeURIComponent

describe('an account number', () => {
  const places = () => [
    { plural: 'billable_accounts', path: (text: string) => `/clients/${client}/billable_accounts?search_term=${text}` },
    { plural: 'billable_accounts', path: (text: string) => `/clients/${client}/billable_accounts/search?search_term=${text}` },
    { plural: 'billable_accounts', path: (text: string) => `/clients/${client}/billable_accounts/select_options?search_term=${text}` },
    {
      plural: 'billable_accounts',
      path: (text: string) => `/clients/${client}/billable_accounts/account_number_search?search_term=${text}`,
    },
    { plural: 'billable_accounts', path: (text: string) => `/clients/${client}/billable_accounts?q[account_number_cont]=${text}` },
    { plural: 'billable_accounts', path: (text: string) => `/billable_accounts?q[account_number]=${text}` },
    { plural: 'bills', path: (text: string) => `/clients/${client}/bills?q[account_number_cont]=${text}` },
    { plural: 'bills', path: (text: string) => `/bills?search_term=${text}` },
  ]
  test('is found with and without its spaces and dashes, in pickers, filters, the palette and lists of bills', async () => {
    const [bill] = await idsAt(`/clients/${client}/bills`, 'bills')
    for (const { plural, path } of places())
      for (const text of typed) expect(await idsAt(path(word(text)), plural), path(text)).toEqual([plural === 'bills' ? bill : account])
    for (const text of supplyTyped)
      expect(await idsAt(`/clients/${client}/supply_accounts?search_term=${word(text)}`, 'supply_accounts')).toEqual([supply])
  })

  test('is the same however it is parted, and another one is not', async () => {
    for (const text of ['43564185965', '435 641 859 65'])
      for (const path of [`/clients/${client}/billable_accounts`, `/clients/${client}/bills`])
        expect(
          await idsAt(`${path}?q[account_number_eq]=${word(text)}`, path.endsWith('bills') ? 'bills' : 'billable_accounts'),
          text,
        ).toHaveLength(1)
    expect(await idsAt(`/clients/${client}/billable_accounts?q[account_number_eq]=435641859`, 'billable_accounts')).toEqual([])
    expect(await idsAt(`/clients/${client}/billable_accounts?q[account_number_not_eq]=43564185965`, 'billable_accounts')).not.toContain(
      account,
    )
    expect(await idsAt(`/clients/${client}/billable_accounts?q[account_number_in]=43564185965,111222`, 'billable_accounts')).toHaveLength(2)
  })
})

test('meter and invoice numbers are found so too', async () => {
  const services = `/clients/${client}/billable_accounts/${account}/services`
  for (const text of ['MT778105', 'mt77', '7781-05'])
    expect(await idsAt(`${services}?q[meter_number_cont]=${text}`, 'services'), text).toHaveLength(1)
  for (const text of ['INV20260041', 'inv-2026', '202600'])
    expect(await idsAt(`/clients/${client}/bills?q[invoice_number_cont]=${text}`, 'bills'), text).toHaveLength(1)
})

describe('words', () => {
  test.for(['house school 1', 'AEP house', 'boiler 4356', 'main aep school', 'mt778105 house', 'ohio 435-641 boiler'])(
    'in any order find the account over number, name, street, meter, facility and vendor: %s',
    async (text) => {
      const found = await idsAt(`/clients/${client}/billable_accounts/search?search_term=${word(text)}`, 'billable_accounts')
      expect(found).toEqual([account])
      expect(await idsAt(`/clients/${client}/billable_accounts?search_term=${word(text)}`, 'billable_accounts')).toEqual([account])
    },
  )

  test.for(['boiler 4356', '859-6-5 boiler', 'mt778105 boiler', '4356 boi', '435 641 859 6 5'])(
    'in any order are what the advanced search takes as its text too: %s',
    async (text) => {
      expect(await idsAt(`/advanced_search?q[text]=${word(text)}`, 'billable_accounts')).toEqual([account])
      expect(await idsAt(`/advanced_search?q[text]=${word(`${text} chiller`)}`, 'billable_accounts')).toEqual([])
    },
  )

  test('must all be there', async () => {
    for (const text of ['AEP chiller', 'house school 222', 'town boiler'])
      expect(await idsAt(`/clients/${client}/billable_accounts/search?search_term=${word(text)}`, 'billable_accounts'), text).toEqual([])
  })
})
