/**
 * Tests that a role narrowed inside a client moves nothing out of its own reach: by the form, by another form of the same record, or by a file.
 */
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeBillableAccount, makeClient, makeDivision, makeFacility, makeSupplyAccount, makeVendor } from '../../../test/support/estate.ts'
import { importsOf } from '../../../test/support/import-files.ts'

const testApp = await startTestApp()
const {
  ask,
  database: { db },
} = testApp
const { send, rows } = importsOf(testApp)
const outside = 'Your role reaches a part of this client only, and this would lie outside of it.'
let client: number
let east: number
let plant: number
let harbor: number
let manager: Person

beforeAll(async () => {
  client = await makeClient(db)
  east = await makeDivision(db, client, { name: 'East' })
  plant = await makeFacility(db, client, east, { name: 'Plant' })
  harbor = await makeFacility(db, client, await makeDivision(db, client, { name: 'West' }), { name: 'Harbor' })
  manager = await makePerson(db, 'client_manager', { clients: [client] })
})

const patch = (who: Person, id: number, supply_account: object) =>
  ask(who, 'PATCH', `/clients/${client}/supply_accounts/${id}`, { supply_account })
const facilityOf = async (id: number) =>
  (await sql<{ id: number | null }>`select facility_id as id from supply_accounts where id = ${id}`.execute(db)).rows[0]?.id

describe('a role narrowed inside a client', () => {
  it.each(['division', 'facility'] as const)(
    'to a %s does not empty the facility of a supply account, and is told which field it is',
    async (level) => {
      const narrow = await makePerson(db, 'client_manager', {
        clients: [client],
        [level]: [[client, level === 'division' ? east : plant]],
      })
      const id = await makeSupplyAccount(db, client, plant, { name: 'Before' })
      const refused = await patch(narrow, id, { facility_id: null, name: 'After' })
      expect([refused.status, refused.body['errors']]).toEqual([422, { full_messages: [outside], fields: { facility_id: [outside] } }])
      const { rows: kept } = await sql`select name, facility_id, lock_version from supply_accounts where id = ${id}`.execute(db)
      expect(kept).toEqual([{ name: 'Before', facility_id: plant, lock_version: 0 }])
      const { rows: trail } = await sql`select 1 from audit_records where item_type = 'supply_account' and item_id = ${id}`.execute(db)
      expect(trail).toEqual([])
      expect((await patch(narrow, id, { name: 'After' })).status).toBe(200)
      expect((await patch(manager, id, { facility_id: null })).status).toBe(200)
      expect(await facilityOf(id)).toBe(null)
    },
  )

  it('to the account itself empties it, since it still sees the account', async () => {
    const id = await makeSupplyAccount(db, client, plant)
    const narrow = await makePerson(db, 'client_manager', { clients: [client], supply_account: [[client, id]] })
    expect((await patch(narrow, id, { facility_id: null })).status).toBe(200)
    expect(await facilityOf(id)).toBe(null)
  })

  it('moves no facility and no billable account to where it does not see them', async () => {
    const narrow = await makePerson(db, 'client_manager', { clients: [client], division: [[client, east]] })
    const account = await makeBillableAccount(db, client, plant, await makeVendor(db))
    const { rows: west } = await sql<{ id: number }>`select division_id as id from facilities where id = ${harbor}`.execute(db)
    for (const [path, body] of [
      [`billable_accounts/${account}`, { billable_account: { facility_id: harbor } }],
      [`facilities/${plant}`, { facility: { division_id: west[0]?.id } }],
    ] as const) {
      const refused = await ask(narrow, 'PATCH', `/clients/${client}/${path}`, body)
      expect([refused.status, refused.body['message']], path).toEqual([422, 'This record cannot be found'])
    }
  })

  it('empties no facility by a file either, and is told so by its dry run', async () => {
    const narrow = await makePerson(db, 'client_manager', { clients: [client], division: [[client, east]] })
    const id = await makeSupplyAccount(db, client, plant, { account_number: 'OUT-1' })
    const file = 'account_number,facility_number\nOUT-1,#CLEAR\n'
    const into = `/clients/${client}/supply_accounts/import`
    const dry = await send(narrow, into, file, { mode: 'dry_run' })
    expect((await rows(narrow, dry.id))[0]?.errors).toEqual([{ column: 'facility_number', message: outside, suggestions: [] }])
    expect((await send(narrow, into, file)).counts).toMatchObject({ update: 0, refused: 1 })
    expect(await facilityOf(id)).toBe(plant)
    expect((await send(manager, into, file)).counts).toMatchObject({ update: 1, refused: 0 })
    expect(await facilityOf(id)).toBe(null)
  })
})
