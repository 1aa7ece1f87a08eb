import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { z } from 'zod'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import {
  makeBillableAccount,
  makeClient,
  makeDivision,
  makeFacility,
  makeService,
  makeSupplyAccount,
  makeVendor,
} from '../../../test/support/estate.ts'
import { addBill } from '../../../test/support/fact-bills.ts'

const {
  ask,
  database: { db },
} = await startTestApp()
let client: number
let plant: number
let store: number
let vendor: number
let reader: Person
let narrowed: Person

beforeAll(async () => {
  client = await makeClient(db)
  const east = await makeDivision(db, client)
  plant = await makeFacility(db, client, east)
  store = await makeFacility(db, client, await makeDivision(db, client))
  vendor = await makeVendor(db)
  reader = await makePerson(db, 'read_only_user', { clients: [client] })
  narrowed = await makePerson(db, 'read_only_user', { clients: [client], division: [[client, east]] })
})

const kinds = ['billable_account', 'supply_account'] as const
type Kind = (typeof kinds)[number]
const make = (kind: Kind, facility: number) =>
  kind === 'billable_account' ? makeBillableAccount(db, client, facility, vendor) : makeSupplyAccount(db, client, facility)
const ownerOf = (kind: Kind, id: number) => (kind === 'billable_account' ? { billable_account_id: id } : { supply_account_id: id })
const bill = async (kind: Kind, id: number, date: string) =>
  (await addBill(db, client, { account: ownerOf(kind, id), date, current_charges: '5.00', lines: [] })).id

describe('previous_bills', () => {
  it('are an account’s bills before a date, newest first, without the one that is edited [BACC-API-004] [SACC-API-004]', async () => {
    for (const kind of kinds) {
      const [account, other] = [await make(kind, plant), await make(kind, plant)]
      const [first, edited, last, sameDay, after] = [
        await bill(kind, account, '2026-01-05'),
        await bill(kind, account, '2026-02-05'),
        await bill(kind, account, '2026-03-05'),
        await bill(kind, account, '2026-04-05'),
        await bill(kind, account, '2026-05-05'),
      ]
      await bill(kind, other, '2026-01-06')
      const path = `/clients/${client}/${kind}s/${account}/previous_bills`
      const asked = async (query: string) => {
        const { status, body, text } = await ask(reader, 'GET', `${path}${query}`)
        expect(status, text).toBe(200)
        return z.array(z.looseObject({ id: z.int() })).parse(body['previous_bills'])
      }
      const idsOf = async (query: string) => (await asked(query)).map((row) => row.id)
      expect(await idsOf('')).toEqual([after, sameDay, last, edited, first])
      expect(await idsOf('?date=2026-04-05')).toEqual([last, edited, first])
      expect(await idsOf(`?date=2026-04-05&bill_id=${edited}`)).toEqual([last, first])
      expect(await idsOf(`?bill_id=${after}`)).toEqual([sameDay, last, edited, first])
      expect((await asked('?date=2026-01-06'))[0]).toMatchObject({ date: '2026-01-05', current_charges: '5.00', paid: false })
      for (const wrong of ['?date=yesterday', '?bill_id=x', '?nonsense=1'])
        expect((await ask(reader, 'GET', `${path}${wrong}`)).status, wrong).toBe(422)
    }
  })

  it('are found by whoever reaches the account alone', async () => {
    for (const kind of kinds) {
      const [near, far] = [await make(kind, plant), await make(kind, store)]
      const status = async (who: Person, id: number) => (await ask(who, 'GET', `/clients/${client}/${kind}s/${id}/previous_bills`)).status
      expect([await status(reader, far), await status(narrowed, near), await status(narrowed, far)]).toEqual([200, 200, 404])
      expect(await status(narrowed, 999_999_999)).toBe(404)
    }
  })
})

describe('last_five_bills', () => {
  it('are the newest five lines of a service, of either kind of account, without void ones [SVC-API-005]', async () => {
    for (const kind of kinds) {
      const account = await make(kind, plant)
      const service = await makeService(db, client, ownerOf(kind, account))
      const made: number[] = []
      for (const month of ['01', '02', '03', '04', '05', '06', '07']) {
        const line = { service_id: service, from: `2026-${month}-01`, to: `2026-${month}-28`, usage: '3', utility: '5.00' }
        const { id } = await addBill(db, client, {
          account: ownerOf(kind, account),
          date: `2026-${month}-28`,
          current_charges: '5.00',
          lines: [line],
        })
        made.push(id)
      }
      await sql`update bills set superseded_by_id = ${made[6]} where id = ${made[5]}`.execute(db)
      const { body } = await ask(reader, 'GET', `/clients/${client}/services/${service}/last_five_bills`)
      const reply = z.object({ last_five_bills: z.array(z.looseObject({ bill_id: z.int() })), total: z.int() }).parse(body)
      expect(reply.total).toBe(6)
      expect(reply.last_five_bills.map((line) => line.bill_id)).toEqual([made[6], made[4], made[3], made[2], made[1]])
      expect(reply.last_five_bills[0]).toMatchObject({
        read_date: '2026-07-28',
        usage: '3.000',
        number_of_days: 27,
        utility_charges: '5.00',
      })
    }
  })

  it('are found by whoever reaches the service’s account alone', async () => {
    for (const kind of kinds) {
      const service = await makeService(db, client, ownerOf(kind, await make(kind, store)))
      const path = `/clients/${client}/services/${service}/last_five_bills`
      expect([(await ask(reader, 'GET', path)).status, (await ask(narrowed, 'GET', path)).status]).toEqual([200, 404])
    }
  })
})
