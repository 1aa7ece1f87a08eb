/** The people who ask: one a column of the table, and four who are not signed in although they may seem so. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { hashOf } from '../../src/server/access/credentials.ts'
import { addRole, makePerson, type Person } from '../support/app.ts'
import type { Db, PlaceName, World } from './world.ts'

/** The columns of the table, in its order. */
export const columnNames = ['super', 'muc', 'partner', 'admin', 'manager', 'narrow', 'user', 'reader', 'two', 'nobody'] as const
export type ColumnName = (typeof columnNames)[number]

/** What each column may see of the marked texts, whatever it asks. */
export const sees: Readonly<Record<ColumnName, readonly PlaceName[]>> = {
  super: ['own', 'outside', 'sibling', 'foreign'],
  muc: ['own', 'outside', 'sibling', 'foreign'],
  partner: ['own', 'outside', 'sibling'],
  admin: ['own', 'outside'],
  manager: ['own', 'outside'],
  narrow: ['own'],
  user: ['own'],
  reader: ['own', 'outside'],
  two: ['own', 'outside', 'sibling'],
  nobody: [],
}

export type People = Readonly<Record<ColumnName, Person>>

export async function makePeople({ db, places, partnerId }: World): Promise<People> {
  const { own, sibling } = places
  const clients = [own.clientId]
  const inDivision = { clients, division: [[own.clientId, own.divisionId]] } as const
  const two = await makePerson(db, 'read_only_user', { clients })
  await addRole(db, two.id, 'client_manager', { clients: [sibling.clientId] })
  return {
    super: await makePerson(db, 'super_admin'),
    muc: await makePerson(db, 'muc_admin'),
    partner: await makePerson(db, 'channel_partner_admin', { channel_partner_id: partnerId }),
    admin: await makePerson(db, 'client_admin', { clients }),
    manager: await makePerson(db, 'client_manager', { clients }),
    narrow: await makePerson(db, 'client_manager', inDivision),
    user: await makePerson(db, 'client_user', inDivision),
    reader: await makePerson(db, 'read_only_user', { clients }),
    two,
    nobody: await makePerson(db, null),
  }
}

/** A sign-in more of the same person, for what ends one. */
export async function signedInAgain(db: Db, { id, email }: Person, age = 'now()'): Promise<Person> {
  const client = randomBytes(8).toString('hex')
  const token = randomBytes(16).toString('hex')
  const at = sql.raw(age)
  await sql`insert into sessions (user_id, client, token_hash, created_at, used_at, renewed_at) values (${id}, ${client}, ${hashOf(token)}, ${at}, ${at}, ${at})`.execute(
    db,
  )
  return { id, email, headers: { 'access-token': token, client, uid: email } }
}

export const strangerNames = ['anonymous', 'malformed', 'expired', 'deactivated'] as const

/** Makes the four anew for each cell, since an expired sign-in is deleted by its first use. All are super_admin, were they let in. */
export async function makeStrangers(
  db: Db,
): Promise<() => Promise<readonly { name: (typeof strangerNames)[number]; headers: Person['headers'] }[]>> {
  const person = await makePerson(db, 'super_admin')
  const gone = await makePerson(db, 'super_admin')
  await sql`update users set status = 'in_active' where id = ${gone.id}`.execute(db)
  return async () => {
    const expired = await signedInAgain(db, person, `now() - interval '13 hours'`)
    return [
      { name: 'anonymous', headers: {} },
      { name: 'malformed', headers: { ...person.headers, 'access-token': `' or 1=1 --` } },
      { name: 'expired', headers: expired.headers },
      { name: 'deactivated', headers: gone.headers },
    ]
  }
}
