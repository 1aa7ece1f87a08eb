/** The access report: users and their rights for an auditor, restricted to the users whom the requester sees. */
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { addRole, makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeClient, makeDivision } from '../../../test/support/estate.ts'
import { exportedText } from '../../../test/support/exports.ts'
import { insert } from '../../../test/every-call/world.ts'
import { models } from '#contract/kernel/permission.ts'

const { ask, database } = await startTestApp()
const { db } = database
const acme = await makeClient(db, { name: 'Acme, "North"' })
const beta = await makeClient(db, { name: '=Beta()' })
await sql`update clients set utility_payment_management = false, user_management = false where id = ${beta}`.execute(db)

async function reportOf(who: Person): Promise<Record<string, string>[]> {
  const started = await ask(who, 'GET', '/users/access_report?connection_id=window')
  expect(started.body).toMatchObject({ success: true, message: 'Access report started', task_id: expect.any(Number) })
  const text = await exportedText({ ask }, who, started.body['task_id'])
  return z.array(z.record(z.string(), z.string())).parse(parse(text, { columns: true }))
}

describe('the access report', () => {
  it('has a row a user and role, with what it reaches and its rights after narrowing and subscriptions', async () => {
    const root = await makePerson(db, 'super_admin')
    const division = await makeDivision(db, acme, { name: 'Mills' })
    const partner = await insert(db, 'channel_partners', { name: 'Near Partner' })
    const person = await makePerson(db, 'client_admin', { clients: [acme, beta] })
    await addRole(db, person.id, 'client_user', { clients: [acme], division: [[acme, division]] })
    const agent = await makePerson(db, 'channel_partner_admin', { channel_partner_id: partner })
    const nobody = await makePerson(db, null)
    await sql`update users set status = 'in_active', first_name = '=cmd', last_sign_in_at = '2026-01-31T04:30:00Z' where id = ${nobody.id}`.execute(
      db,
    )

    const rows = await reportOf(root)
    expect(Object.keys(rows[0] ?? {}).filter((key) => key.startsWith('Rights: '))).toHaveLength(models.length)
    const of = ({ email }: Person) => rows.filter((row) => row['Email'] === email)
    expect(rows.map((row) => row['Email'])).toEqual(rows.map((row) => row['Email']).toSorted())
    expect(of(root)).toMatchObject([
      { Role: 'Super Admin', Reaches: 'Every client', Clients: '', 'Rights: Client': 'CRUDS', 'Rights: Global Batch': 'CRUD' },
    ])
    expect(of(person)).toMatchObject([
      {
        Role: 'Client Admin',
        Reaches: 'The clients named',
        Clients: `'=Beta(), Acme, "North"`,
        'Switched Off By Subscription': 'Payment Batch: =Beta(); User: =Beta()',
        'Rights: Payment Batch': 'CRU',
        'Rights: User': 'CRUD',
        'Rights: Global Batch': '',
      },
      { Role: 'Client User', Reaches: 'Parts of clients', Divisions: 'Mills', 'Rights: Bill': 'CRU', 'Rights: Accounting Batch': '' },
    ])
    expect(of(agent)).toMatchObject([
      { Role: 'Channel Partner Admin', Reaches: 'All clients of the channel partner', 'Channel Partner': 'Near Partner' },
    ])
    expect(of(nobody)).toMatchObject([
      { Role: '', Reaches: 'Nothing', Status: 'Inactive', 'First Name': `'=cmd`, 'Last Sign-In': '2026-01-30 23:30', 'Rights: Bill': '' },
    ])
  })

  it('leaves out what a subscription takes away in every client of the role', async () => {
    const root = await makePerson(db, 'super_admin')
    const person = await makePerson(db, 'client_admin', { clients: [beta] })
    const staff = await makePerson(db, 'muc_admin', { clients: [beta] })
    const rows = await reportOf(root)
    expect(rows.find((row) => row['Email'] === person.email)).toMatchObject({ 'Rights: User': '', 'Rights: Payment Batch': '' })
    // User management is disabled for the client's own users only.
    expect(rows.find((row) => row['Email'] === staff.email)).toMatchObject({ 'Rights: User': 'CRUD', 'Rights: Payment Batch': '' })
  })

  it('shows only whom the asker sees, and goes on past one batch', async () => {
    const clientId = await makeClient(db, { name: 'Gamma' })
    const admin = await makePerson(db, 'client_admin', { clients: [clientId] })
    const many = 1_100
    await sql`with made as (
        insert into users (email, username) select 'many-' || n || '@example.test', 'many-' || n from generate_series(1, ${many}::int) n returning id),
      granted as (insert into user_roles (user_id, role_id) select id, 7 from made returning id)
      insert into user_role_clients (client_id, user_role_id) select ${clientId}::bigint, id from granted`.execute(db)
    const rows = await reportOf(admin)
    expect(new Set(rows.map((row) => row['Email'])).size).toBe(many + 1)
    expect(rows).toHaveLength(many + 1)
    expect(rows.every((row) => row['Clients'] === 'Gamma')).toBe(true)
  })

  it('is not started twice while one is under way', async () => {
    const root = await makePerson(db, 'super_admin')
    const [one, two] = await Promise.all([ask(root, 'GET', '/users/access_report'), ask(root, 'GET', '/users/access_report')])
    expect(one.body['task_id']).toBe(two.body['task_id'])
  })
})
