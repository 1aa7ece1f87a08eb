/** Tests that imports and bulk changes of the same records are undone in reverse, in whatever order they came. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
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
import { importsOf } from '../../../test/support/import-files.ts'

const testApp = await startTestApp()
const {
  ask,
  database: { db },
} = testApp
const { send, undo } = importsOf(testApp)
let staff: Person
let client: number
let place: number
let vendor: number
let code: string

beforeAll(async () => {
  staff = await makePerson(db, 'super_admin')
  client = await makeClient(db)
  place = await makeFacility(db, client, await makeDivision(db, client))
  vendor = await makeVendor(db)
  const { rows } = await sql<{ short_code: string }>`select short_code from vendors where id = ${vendor}`.execute(db)
  code = rows[0]?.short_code ?? ''
})

type Act = 'import' | 'bulk'
interface Done {
  readonly act: Act
  readonly id: number
}
interface Account {
  readonly plural: 'billable_accounts' | 'supply_accounts'
  readonly id: number
  readonly number: string
}

let count = 0
async function make(plural: Account['plural']): Promise<Account> {
  const number = `ORDER-${++count}`
  if (plural === 'billable_accounts')
    return { plural, number, id: await makeBillableAccount(db, client, place, vendor, { account_number: number }) }
  const id = await makeSupplyAccount(db, client, place, { account_number: number })
  await sql`update supply_accounts set vendor_id = ${vendor} where id = ${id}`.execute(db)
  return { plural, number, id }
}

/** Each value differs from the account's initial one and from that of the previous change. */
const periods = [1, 0, 3, 0] as const

async function change({ plural, id, number }: Account, act: Act, value: 0 | 1 | 2 | 3): Promise<Done> {
  if (act === 'import') {
    const file = `account_number,vendor_short_code,name\n${number},${code},Name ${value}\n`
    const done = await send(staff, `/clients/${client}/${plural}/import`, file)
    expect(done.counts).toMatchObject({ update: 1, refused: 0 })
    return { act, id: done.id }
  }
  const body = { ids: [id], changes: { billing_period: periods[value] }, dry_run: false }
  const answer = await ask(staff, 'POST', `/clients/${client}/${plural}/bulk_changes`, body)
  expect(answer.status, answer.text).toBe(200)
  return { act, id: Number(answer.body['id']) }
}

async function takeBack({ act, id }: Done): Promise<boolean> {
  if (act === 'import') return (await undo(staff, id)).state === 'undone'
  return (await ask(staff, 'POST', `/clients/${client}/bulk_changes/${id}/undo`)).status === 200
}

const stored = async ({ plural, id }: Account) =>
  (
    await sql<{
      name: string
      billing_period: number | null
    }>`select name, billing_period from ${sql.table(plural)} where id = ${id}`.execute(db)
  ).rows

const two: readonly Act[] = ['import', 'bulk']
const mixes = two.flatMap((first) => two.flatMap((second) => two.map((third) => [first, second, third] as const)))

describe('acts on one account', () => {
  it.each(mixes)('%s, %s and %s are undone one after the other, the last one first', async (first, second, third) => {
    const account = await make('billable_accounts')
    const states = [await stored(account)]
    const done: Done[] = []
    for (const [at, act] of [
      [0, first],
      [1, second],
      [2, third],
    ] as const) {
      done.push(await change(account, act, at))
      states.push(await stored(account))
    }
    for (const earlier of done.slice(0, -1)) expect(await takeBack(earlier), `${earlier.act} before the last`).toBe(false)
    for (const [at, last] of [...done.entries()].toReversed()) {
      expect(await takeBack(last), `act ${at + 1}, ${last.act}`).toBe(true)
      expect(await stored(account)).toEqual(states[at])
    }
  })
})

describe.for(['billable_accounts', 'supply_accounts'] as const)('acts on one of the %s', (plural) => {
  it('are undone backwards also where others came after an undo', async () => {
    const account = await make(plural)
    const before = await stored(account)
    const [first, second] = [await change(account, 'import', 0), await change(account, 'bulk', 1)]
    expect(await takeBack(second)).toBe(true)
    const third = await change(account, 'import', 2)
    const fourth = await change(account, 'bulk', 3)
    expect([await takeBack(first), await takeBack(third)]).toEqual([false, false])
    for (const act of [fourth, third, first]) expect(await takeBack(act)).toBe(true)
    expect(await stored(account)).toEqual(before)
  })

  it('stay undoable by nobody once a person has changed the record in between', async () => {
    const account = await make(plural)
    const [first, second] = [await change(account, 'import', 0), await change(account, 'bulk', 1)]
    const name = plural === 'billable_accounts' ? 'billable_account' : 'supply_account'
    expect((await ask(staff, 'PATCH', `/clients/${client}/${plural}/${account.id}`, { [name]: { notes: 'Gate' } })).status).toBe(200)
    const third = await change(account, 'import', 2)
    expect(await takeBack(third)).toBe(true)
    expect([await takeBack(second), await takeBack(first)]).toEqual([false, false])
  })
})

describe('imports', () => {
  it('that made an account and changed its service are undone one after the other, down to nothing', async () => {
    const into = `/clients/${client}/billable_accounts/import`
    const head = 'account_number,vendor_short_code,meter_number,service_notes'
    const account = await make('billable_accounts')
    const service = await makeService(db, client, { billable_account_id: account.id })
    await sql`update services set meter_number = 'M-1', notes = 'Zero' where id = ${service}`.execute(db)
    const notes = async () => (await sql<{ notes: string }>`select notes from services where id = ${service}`.execute(db)).rows[0]?.notes
    const ids: number[] = []
    for (const word of ['One', 'Two', 'Three']) {
      const done = await send(staff, into, `${head}\n${account.number},${code},M-1,${word}\n`)
      expect([done.parts, await notes()]).toEqual([{ create: 0, update: 1 }, word])
      ids.push(done.id)
    }
    for (const [at, id] of [...ids.entries()].toReversed()) {
      expect(await undo(staff, id)).toMatchObject({ state: 'undone', error: null })
      expect(await notes()).toBe(['Zero', 'One', 'Two'][at])
    }
  })

  it('that made a record give it up once all that changed it since is undone', async () => {
    const into = `/clients/${client}/divisions/import`
    const ids: number[] = []
    for (const name of ['One', 'Two', 'Three', 'Four']) ids.push((await send(staff, into, `code,name,short_code\nMADE,${name},M\n`)).id)
    for (const id of ids.toReversed()) expect(await undo(staff, id)).toMatchObject({ state: 'undone', error: null })
    expect((await sql`select from divisions where client_id = ${client} and code = 'MADE'`.execute(db)).rows).toEqual([])
  })
})
