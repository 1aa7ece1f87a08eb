/** Tests bank profiles: changed by staff only, account numbers sealed, complete or with a list of what is missing. */
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import type { OriginatingProfile } from '#contract/originating-profiles/originating-profile.ts'
import { makePerson, startTestApp, testSecretKey, type Person } from '../../../test/support/app.ts'
import { makeClient } from '../../../test/support/estate.ts'
import { openSecret } from '../kernel/secret.ts'

const {
  ask,
  database: { db },
} = await startTestApp()
const account = '4400112233'
let staff: Person
let narrow: Person
let clientId: number
let otherId: number

beforeAll(async () => {
  clientId = await makeClient(db)
  otherId = await makeClient(db)
  staff = await makePerson(db, 'super_admin')
  narrow = await makePerson(db, 'muc_admin', { clients: [clientId] })
})

const complete = {
  bank_name: 'First Meridian Bank',
  routing_number: '010000126',
  account_number: account,
  immediate_destination: '010000126',
  immediate_origin: '1987654321',
  company_name: 'Harvest Lane',
  company_id: '1123456789',
}

async function made(draft: object, who = staff): Promise<OriginatingProfile> {
  const { status, text } = await ask(who, 'POST', '/originating_profiles', { originating_profile: draft })
  expect(status, text).toBe(200)
  const { originating_profile: row }: { originating_profile: OriginatingProfile } = JSON.parse(text)
  return row
}

async function refused(draft: object, id?: number): Promise<unknown> {
  const { status, body } = await ask(
    staff,
    id === undefined ? 'POST' : 'PATCH',
    `/originating_profiles${id === undefined ? '' : `/${id}`}`,
    {
      originating_profile: draft,
    },
  )
  expect(status).toBe(422)
  expect(body['errors']).toHaveProperty('fields')
  return body['errors']
}

it('seals the account number, answers its last four alone, and leaves neither in the trail nor in the export', async () => {
  const row = await made({ client_id: clientId, name: 'Operating', ...complete })
  expect(row).toMatchObject({
    client_id: clientId,
    account_number: '•••••2233',
    gaps: [],
    cutoff_time: '17:00',
    standard_layout: 'nacha_ccd',
  })
  const { rows } = await sql<{ sealed: Buffer; last4: string }>`select account_number_encrypted as sealed, account_number_last4 as last4
    from originating_profiles where id = ${row.id}`.execute(db)
  const [stored] = rows
  expect(stored?.last4).toBe('2233')
  expect(
    openSecret(testSecretKey, { table: 'originating_profiles', column: 'account_number', id: row.id }, stored?.sealed ?? Buffer.of()),
  ).toBe(account)
  const { rows: trail } = await sql<{ trail: string }>`select object_changes::text as trail from audit_records
    where item_type = 'originating_profile' and item_id = ${row.id}`.execute(db)
  expect(trail).toHaveLength(1)
  expect(trail[0]?.trail).not.toContain(account)

  // Sending back the masked number leaves it unchanged.
  const { status } = await ask(staff, 'PATCH', `/originating_profiles/${row.id}`, {
    originating_profile: { name: 'Operating 2', account_number: row.account_number, lock_version: row.lock_version },
  })
  expect(status).toBe(200)
  const { rows: after } = await sql<{
    sealed: Buffer
  }>`select account_number_encrypted as sealed from originating_profiles where id = ${row.id}`.execute(db)
  expect(after[0]?.sealed).toEqual(stored?.sealed)
})

it('lists what a profile lacks, field by field', async () => {
  const row = await made({ client_id: clientId, name: 'Empty', is_default: false, lead_days: 0, routing_number: '010000127' })
  expect((row.gaps ?? []).map((gap) => gap.field)).toEqual([
    'routing_number',
    'immediate_destination',
    'immediate_origin',
    'company_name',
    'company_id',
    'lead_days',
  ])
  expect(row.gaps?.[0]?.sentence).toBe('Routing Number: The check digit of this routing number is wrong.')
})

it('keeps a layout for each format, and forgets the choice that is the first one', async () => {
  const row = await made({ client_id: otherId, name: 'Layouts', ach_2_layout: 'nacha_ccd', positive_pay_layout: 'positive_pay_fixed' })
  expect(row).toMatchObject({ ach_2_layout: 'nacha_ccd', positive_pay_layout: 'positive_pay_fixed', nacha_plus_layout: 'nacha_remittance' })
  await ask(staff, 'PATCH', `/originating_profiles/${row.id}`, { originating_profile: { ach_2_layout: 'ach_register' } })
  const { rows } = await sql<{ layouts: unknown }>`select layouts from originating_profiles where id = ${row.id}`.execute(db)
  expect(rows[0]?.layouts).toEqual({ positive_pay: { preset: 'positive_pay_fixed' } })
  expect(await refused({ name: 'X', ach_2_layout: 'avid_csv', is_default: false })).toMatchObject({
    fields: { ach_2_layout: [expect.stringContaining('must be one of')] },
  })
})

it('of a payer is the default once, stays with its client, and refuses numbers that are none', async () => {
  const provider = await made({ name: 'Provider account', ...complete })
  expect(provider).toMatchObject({ client_id: null, client_name: 'Provider' })
  expect(await refused({ name: 'Second' })).toMatchObject({
    fields: { is_default: ['Provider account is the default already: take that away first'] },
  })
  await made({ name: 'Second', active: false })
  const own = await made({ client_id: clientId, name: 'Third', is_default: false })
  expect(await refused({ client_id: null }, own.id)).toMatchObject({
    fields: { client_id: ['The client of a bank profile stays as it is'] },
  })
  expect(await refused({ client_id: otherId }, own.id)).toHaveProperty('fields.client_id')
  expect(await refused({ account_number: '12' }, provider.id)).toMatchObject({
    fields: { account_number: ['Account Number has 4 to 17 letters, digits and hyphens'] },
  })
  expect(await refused({ entry_limit: '-1.00' }, provider.id)).toMatchObject({
    fields: { entry_limit: ['Payment Limit must not be negative'] },
  })
  expect(await refused({ lead_days: 11 }, provider.id)).toHaveProperty('fields.lead_days')
})

it('of another client, and of the provider, is absent for staff who are narrowed to one client', async () => {
  const own = await made({ client_id: clientId, name: 'Own', is_default: false }, narrow)
  const foreign = await made({ client_id: otherId, name: 'Foreign', is_default: false })
  const provider = await made({ name: 'Of the provider', is_default: false })
  expect((await ask(narrow, 'GET', `/originating_profiles/${own.id}`)).status).toBe(200)
  for (const id of [foreign.id, provider.id]) {
    expect((await ask(narrow, 'GET', `/originating_profiles/${id}`)).status).toBe(404)
    expect((await ask(narrow, 'PATCH', `/originating_profiles/${id}`, { originating_profile: { name: 'Mine' } })).status).toBe(404)
  }
  for (const client_id of [otherId, null])
    expect(
      (await ask(narrow, 'POST', '/originating_profiles', { originating_profile: { client_id, name: 'Mine', is_default: false } })).status,
    ).not.toBe(200)
  const { text } = await ask(narrow, 'GET', '/originating_profiles')
  const { originating_profiles: rows }: { originating_profiles: OriginatingProfile[] } = JSON.parse(text)
  expect(new Set(rows.map((row) => row.client_id))).toEqual(new Set([clientId]))
})

it('that two people save at once as the default is the default once', async () => {
  const third = await makeClient(db)
  const answers = await Promise.all(
    ['A', 'B', 'C'].map((name) => ask(staff, 'POST', '/originating_profiles', { originating_profile: { client_id: third, name } })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status >= 500)).toEqual([])
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from originating_profiles where client_id = ${third}`.execute(db)
  expect(rows[0]?.n).toBe(1)
})
