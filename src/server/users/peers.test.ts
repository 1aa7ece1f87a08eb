/** No user can act as another one: neither by the address of a peer, nor by a password that they have set and then changed. */
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { credentialsOf, signIn } from '../../../test/support/sign-in.ts'
import { areTied, coolDownDays, isPasswordOfAnother, makeLink } from '../access/access.ts'
import { makeClient } from '../../../test/support/estate.ts'

const app = await startTestApp()
const { ask, database } = app
const { db } = database
const client = await makeClient(db)
const inClient = { clients: [client] }
const both = (typed: string) => ({ password: typed, password_confirmation: typed })
const move = (who: Person, target: Person, to = `evil-${target.email}`) => ask(who, 'PATCH', `/users/${target.id}`, { user: { email: to } })
const addressOf = async ({ id }: Person) =>
  (await sql<{ email: string }>`select email from users where id = ${id}`.execute(db)).rows[0]?.email
/** Sets a password by a link that is mailed to the address of this moment. */
async function recovered(who: Person, typed: string) {
  const link = new URL(await makeLink(db, { id: who.id, email: (await addressOf(who)) ?? '' }, 'reset', 'http://x'))
  return ask(null, 'PUT', '/auth/password', both(typed), Object.fromEntries(link.searchParams))
}

describe('the address of somebody else', () => {
  it('is changed by no peer, and of staff by a super_admin who is no peer alone: the mailed link would make them one person', async () => {
    const [root, otherRoot] = [await makePerson(db, 'super_admin'), await makePerson(db, 'super_admin')]
    const [staff, otherStaff] = [await makePerson(db, 'muc_admin'), await makePerson(db, 'muc_admin')]
    const partner = await makePerson(db, 'channel_partner_admin')
    const [admin, otherAdmin] = [await makePerson(db, 'client_admin', inClient), await makePerson(db, 'client_admin', inClient)]
    for (const [who, target] of [
      [root, otherRoot],
      [staff, otherStaff],
      [staff, partner],
      [admin, otherAdmin],
    ] as const) {
      const answer = await move(who, target)
      expect(answer.status, `${who.email} ${target.email} ${answer.text}`).toBe(422)
      expect(answer.body).toMatchObject({ errors: { fields: { email: [expect.stringContaining('themselves')] } } })
      expect(await addressOf(target)).toBe(target.email)
    }
    for (const [who, target] of [
      [root, otherStaff],
      [staff, otherAdmin],
      [admin, await makePerson(db, 'client_manager', inClient)],
    ] as const)
      expect((await move(who, target)).status, `${who.email} ${target.email}`).toBe(200)
  })
})

it('the address or the password of somebody else wants the password of the last minutes; a name does not', async () => {
  const root = await makePerson(db, 'super_admin')
  const person = await makePerson(db, 'client_user', inClient)
  await sql`update sessions set proven_at = '2020-01-01' where user_id = ${root.id}`.execute(db)
  const change = (user: object) => ask(root, 'PATCH', `/users/${person.id}`, { user })
  const word = 'a long word of my own'
  for (const user of [{ email: `moved-${person.email}` }, { password: word, password_confirmation: word }])
    expect(await change(user)).toMatchObject({ status: 403, body: { code: 'not_proven' } })
  expect((await change({ first_name: 'Ann' })).status).toBe(200)
})

describe('a password that somebody else has set', () => {
  it('ties for seven days, also after it was changed from within the account by whoever knows it', async () => {
    const [staff, target] = [await makePerson(db, 'muc_admin'), await makePerson(db, 'client_admin', inClient)]
    expect((await ask(staff, 'PATCH', `/users/${target.id}`, { user: both('seven quiet harbour lamps') })).status).toBe(200)
    const thief = credentialsOf(await signIn(app, target.email, 'seven quiet harbour lamps'))
    expect((await ask(thief, 'PATCH', '/users/profile', { user: both('nine yellow kettles sing') })).status).toBe(200)
    expect(await areTied(db, staff.id, target.id)).toBe(true)
    expect(await isPasswordOfAnother(db, target.id)).toBe(true)
    await sql`update user_ties set created_at = created_at - make_interval(days => ${coolDownDays}) where user_id = ${target.id}`.execute(
      db,
    )
    expect(await areTied(db, staff.id, target.id)).toBe(false)
  })

  it('is the owner’s again by a mailed link, unless somebody else has chosen the mailbox; the tie stays for its days', async () => {
    const staff = await makePerson(db, 'muc_admin')
    const [own, moved] = [await makePerson(db, 'client_admin', inClient), await makePerson(db, 'client_admin', inClient)]
    for (const target of [own, moved])
      expect((await ask(staff, 'PATCH', `/users/${target.id}`, { user: both('seven quiet harbour lamps') })).status).toBe(200)
    expect((await move(staff, moved)).status).toBe(200)
    for (const target of [own, moved]) {
      expect((await recovered(target, 'nine yellow kettles sing')).status).toBe(200)
      expect(await areTied(db, staff.id, target.id)).toBe(true)
    }
    expect(await isPasswordOfAnother(db, own.id)).toBe(false)
    expect(await isPasswordOfAnother(db, moved.id)).toBe(true)
  })
})

describe('an account that is let in again', () => {
  it('ties to whoever did it: an account that nobody uses any more is no second person for them', async () => {
    const [root, target] = [await makePerson(db, 'super_admin'), await makePerson(db, 'muc_admin')]
    const be = async (status: string) => expect((await ask(root, 'PATCH', `/users/${target.id}`, { user: { status } })).status).toBe(200)
    await be('active')
    await be('in_active')
    expect(await areTied(db, root.id, target.id)).toBe(false)
    await be('active')
    expect(await areTied(db, root.id, target.id)).toBe(true)
    const { rows } = await sql<{ kind: string }>`select kind from user_ties where user_id = ${target.id}`.execute(db)
    expect(rows).toEqual([{ kind: 'enabled' }])
  })
})
