/** The four searches below a client's path find only its own records, and of shared records only those that it uses. */
import { beforeAll, expect, test } from 'vitest'
import { insert } from './every-call/world.ts'
import { makePerson, startTestApp, type Person } from './support/app.ts'
import { makeBillableAccount, makeClient, makeDivision, makeFacility, makeVendor } from './support/estate.ts'

const {
  ask,
  database: { db },
} = await startTestApp()
let staff: Person
let clients: number[]

beforeAll(async () => {
  staff = await makePerson(db, 'super_admin')
  clients = [await makeEstate('North'), await makeEstate('South')]
})

async function makeEstate(name: string): Promise<number> {
  const client = await makeClient(db)
  const division = await makeDivision(db, client, { name: `Common ${name} Division` })
  const facility = await makeFacility(db, client, division, { name: `Common ${name} Facility` })
  const account = await makeBillableAccount(db, client, facility, await makeVendor(db, { name: `Common ${name} Vendor` }))
  const utility = await insert(db, 'utility_services', { name: `Common ${name} Utility`, code: name, emissions_factor: 1 })
  await insert(db, 'services', { client_id: client, billable_account_id: account, meter_number: name, utility_service_id: utility })
  return client
}

test.for(['divisions', 'facilities', 'vendors', 'utility_services'])('%s of a client are searched by what is typed', async (plural) => {
  const found = async (client: number | undefined, term: string): Promise<string[]> => {
    const { status, text } = await ask(staff, 'GET', `/clients/${client}/${plural}/search?q=${term}`)
    expect(status, text).toBe(200)
    const answer: Record<string, { name: string }[]> = JSON.parse(text)
    return (answer[plural] ?? []).map(({ name }) => name)
  }
  expect(await found(clients[0], 'common')).toEqual([expect.stringContaining('North')])
  expect(await found(clients[1], 'common')).toEqual([expect.stringContaining('South')])
  expect(await found(clients[0], 'south')).toEqual([])
})
