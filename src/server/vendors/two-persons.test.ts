/** Two persons are two: nobody approves bank details by a user that they made, granted a role, or set the password or address of. */
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { addRole, makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeLink } from '../access/access.ts'
import { signedInAgain } from '../../../test/every-call/principals.ts'

const {
  ask,
  database: { db },
} = await startTestApp()
let root: Person
let staff: Person
let peer: Person
let count = 0
const strong = 'seven quiet harbour lamps'

beforeEach(async () => {
  root = await makePerson(db, 'super_admin')
  staff = await makePerson(db, 'muc_admin')
  peer = await makePerson(db, 'muc_admin')
})

/** A change of bank details that waits. */
async function asked(who: Person): Promise<number> {
  const made = await ask(who, 'POST', '/vendors', {
    vendor: { name: `Utility ${++count}`, short_code: `U${count}`, account_holder: 'Mine' },
  })
  const { rows } = await sql<{ id: number }>`select id from vendor_bank_changes where vendor_id = ${Number(made.body['id'])}`.execute(db)
  return rows[0]?.id ?? 0
}
const approve = async (who: Person, id: number) => (await ask(who, 'POST', `/vendor_bank_changes/${id}/approve`)).status
const later = (days: number) => sql`update user_ties set created_at = created_at - make_interval(days => ${days}::int)`.execute(db)
const roleId = async (name: string) => (await sql<{ id: number }>`select id from roles where name = ${name}`.execute(db)).rows[0]?.id ?? 0

/** Somebody whom the first makes, and who is given a role and signs in. */
async function made(by: Person, granter: Person, role = 'super_admin'): Promise<Person> {
  const email = `sock${++count}@example.test`
  const answer = await ask(by, 'POST', '/users', { user: { email, username: email } })
  expect(answer.status, answer.text).toBe(200)
  const id = Number(answer.body['id'])
  const granted = await ask(granter, 'POST', `/users/${id}/user_roles`, { user_role: { role_id: await roleId(role) } })
  expect(granted.status, granted.text).toBe(200)
  await sql`update users set account_confirmed = true where id = ${id}`.execute(db)
  return signedInAgain(db, { id, email, headers: {} })
}

describe('who approves bank details', () => {
  it('was not made or granted by who asks, nor the other way round, nor both by a third, within seven days', async () => {
    const sock = await made(root, root)
    const second = await made(root, root)
    const behind = await made(sock, sock)
    const cases = [
      [root, sock],
      [sock, root],
      [sock, second],
      [root, behind],
      [behind, second],
    ] as const
    for (const [asker, approver] of cases) expect(await approve(approver, await asked(asker))).toBe(409)
    expect(await approve(peer, await asked(sock))).toBe(200)
    await later(6)
    expect(await approve(sock, await asked(root))).toBe(409)
    await later(1)
    expect(await approve(sock, await asked(root))).toBe(200)
  })

  it('was granted no role by who asks, whoever made them', async () => {
    const given = await makePerson(db, null)
    const user_role = { role_id: await roleId('muc_admin') }
    expect((await ask(root, 'POST', `/users/${given.id}/user_roles`, { user_role })).status).toBe(200)
    expect(await approve(given, await asked(root))).toBe(409)
    expect(await approve(given, await asked(peer))).toBe(200)
  })

  it('is no muc_admin whom a muc_admin has made: only a super_admin grants that role [PERM-RULE-006]', async () => {
    const { body } = await ask(staff, 'POST', '/users', { user: { email: 'sock@example.test', username: 'sock' } })
    const user_role = { role_id: await roleId('muc_admin') }
    expect((await ask(staff, 'POST', `/users/${Number(body['id'])}/user_roles`, { user_role })).status).toBe(403)
    expect((await ask(root, 'POST', `/users/${Number(body['id'])}/user_roles`, { user_role })).status).toBe(200)
    const roles = (await ask(staff, 'GET', '/roles')).body['roles']
    expect(roles).toContainEqual(expect.objectContaining({ name: 'muc_admin', grantable: false }))
  })

  it('is nobody whose password or address who asks has set; a peer’s and a staff member’s password is set by nobody else', async () => {
    const both = { password: strong, password_confirmation: strong }
    for (const [who, target] of [
      [staff, peer],
      [root, peer],
      [root, await makePerson(db, 'super_admin')],
    ] as const)
      expect((await ask(who, 'PATCH', `/users/${target.id}`, { user: both })).body).toMatchObject({
        errors: { fields: { password: [expect.stringContaining('mailed link')] } },
      })
    expect((await ask(root, 'PATCH', `/users/${peer.id}`, { user: { email: `taken-${peer.email}` } })).status).toBe(200)
    const moved = await signedInAgain(db, { ...peer, email: `taken-${peer.email}` })
    expect(await approve(moved, await asked(root))).toBe(409)
    expect(await approve(moved, await asked(staff))).toBe(200)
    const known = await makePerson(db, null)
    expect((await ask(root, 'PATCH', `/users/${known.id}`, { user: both })).status).toBe(200)
    const user_role = { role_id: await roleId('muc_admin') }
    expect((await ask(root, 'POST', `/users/${known.id}/user_roles`, { user_role })).status).toBe(409)
    const mine = { password: 'nine yellow kettles', password_confirmation: 'nine yellow kettles' }
    // A new password from within proves nothing: who had set the former one can have signed in with it and done this.
    expect((await ask(await signedInAgain(db, known), 'PATCH', '/users/profile', { user: mine })).status).toBe(200)
    expect((await ask(root, 'POST', `/users/${known.id}/user_roles`, { user_role })).status).toBe(409)
    const link = new URL(await makeLink(db, known, 'reset', 'http://x')).searchParams
    expect((await ask(null, 'PUT', '/auth/password', mine, Object.fromEntries(link))).status).toBe(200)
    expect((await ask(root, 'POST', `/users/${known.id}/user_roles`, { user_role })).status).toBe(200)
  })

  it('still counts when the user is gone: who asked stays tied to who approves', async () => {
    const sock = await made(root, root)
    const id = await asked(sock)
    expect((await ask(root, 'DELETE', `/users/${sock.id}`)).status).toBe(200)
    expect(await approve(root, id)).toBe(409)
    const other = await makePerson(db, null)
    await addRole(db, other.id, 'super_admin', {})
    expect(await approve(other, id)).toBe(200)
  })
})
