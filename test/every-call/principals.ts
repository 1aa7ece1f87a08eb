/** The users who send the requests: one per column of the table, and four who look signed in but are not. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { hashOf } from '../../src/server/access/credentials.ts'
import type { App } from '../../src/server/app.ts'
import { addRole, makePerson, type Person } from '../support/app.ts'
import { firstId, type Db, type PlaceName, type World } from './world.ts'

/** The columns of the table, in its order. */
export const columnNames = ['super', 'muc', 'partner', 'admin', 'manager', 'narrow', 'user', 'reader', 'two', 'nobody'] as const
export type ColumnName = (typeof columnNames)[number]

/** The places whose marked texts each column may see in any response. */
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

/** Makes another session of the same user, for calls that end one. */
export async function signedInAgain(db: Db, { id, email }: Person, age = 'now()'): Promise<Person> {
  const client = randomBytes(8).toString('hex')
  const token = randomBytes(16).toString('hex')
  const at = sql.raw(age)
  await sql`insert into sessions (user_id, client, token_hash, created_at, used_at, renewed_at, proven_at)
    values (${id}, ${client}, ${hashOf(token)}, ${at}, ${at}, ${at}, '2100-01-01')`.execute(db)
  return { id, email, headers: { 'access-token': token, client, uid: email } }
}

/** Makes users who have used the product and whose role was then removed: from the next request on they have no rights. */
export async function makeFormer(app: App, { db, places: { own }, partnerId }: World): Promise<Readonly<Record<string, Person>>> {
  const root = await makePerson(db, 'super_admin')
  const ask = async (who: Person, method: 'GET' | 'DELETE', path: string): Promise<void> => {
    const { statusCode, body } = await app.server.inject({ method, url: `/api/v5${path}`, headers: who.headers })
    if (statusCode !== 200) throw new Error(`${method} ${path} answers ${statusCode} ${body}`)
  }
  const released = async (person: Person): Promise<Person> => {
    await ask(person, 'GET', `/clients/${own.clientId}/divisions/${own.divisionId}`)
    await ask(root, 'DELETE', `/users/${person.id}/user_roles/${await firstId(db, 'user_roles', { user_id: person.id })}`)
    return person
  }
  return {
    'former admin': await released(await makePerson(db, 'client_admin', { clients: [own.clientId] })),
    'former partner': await released(await makePerson(db, 'channel_partner_admin', { channel_partner_id: partnerId })),
  }
}

export const strangerNames = ['anonymous', 'malformed', 'expired', 'deactivated'] as const
export type StrangerName = (typeof strangerNames)[number]
/** Makes all four, or some of them. */
export type Strangers = (names?: readonly StrangerName[]) => Promise<readonly { name: StrangerName; headers: Person['headers'] }[]>

/** Makes the four again for each cell, since an expired session is deleted by its first use. All would be super_admin if they were admitted. */
export async function makeStrangers(db: Db, app?: App): Promise<Strangers> {
  const person = await makePerson(db, 'super_admin')
  const gone = await makePerson(db, 'super_admin')
  if (app) await deactivated(app, person, gone)
  else await sql`update users set status = 'in_active' where id = ${gone.id}`.execute(db)
  const headersOf = async (name: StrangerName): Promise<Person['headers']> => {
    if (name === 'expired') return (await signedInAgain(db, person, `now() - interval '13 hours'`)).headers
    if (name === 'malformed') return { ...person.headers, 'access-token': `' or 1=1 --` }
    return name === 'deactivated' ? gone.headers : {}
  }
  return (names = strangerNames) => Promise.all(names.map(async (name) => ({ name, headers: await headersOf(name) })))
}

/** Signed out at the next request although they were just active: the product itself must drop its cached session. */
async function deactivated(app: App, by: Person, gone: Person): Promise<void> {
  const used = await app.server.inject({ method: 'GET', url: '/api/v5/users', headers: gone.headers })
  const done = await app.server.inject({
    method: 'PATCH',
    url: `/api/v5/users/${gone.id}`,
    headers: by.headers,
    payload: { user: { status: 'in_active' } },
  })
  if (used.statusCode !== 200 || done.statusCode !== 200) throw new Error(`nobody was deactivated: ${done.body}`)
}
