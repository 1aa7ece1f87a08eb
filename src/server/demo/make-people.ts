/** The people of the demo data: one sign-in for each role, all with one password, and a few colleagues who make lists look realistic. */
import type { RoleName } from '#contract/access/rights.ts'
import { sql } from 'kysely'
import { hashPassword, isPassword } from '../access/access.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { idsByName, insertNumbered, insertRows } from './store-rows.ts'

export const demoPassword = 'meterbook-demo-1'

interface Sample {
  readonly name: string
  readonly first: string
  readonly last: string
  readonly title: string
  readonly role: RoleName
  readonly status?: 'in_active'
}

const signInRoles: readonly Sample[] = [
  { name: 'super_admin', first: 'Dana', last: 'Whitfield', title: 'Operations Director', role: 'super_admin' },
  { name: 'muc_admin', first: 'Marcus', last: 'Ortega', title: 'Bill Processing Lead', role: 'muc_admin' },
  { name: 'channel_partner_admin', first: 'Priya', last: 'Raman', title: 'Partner Manager', role: 'channel_partner_admin' },
  { name: 'client_admin', first: 'Ellen', last: 'Kowalski', title: 'Controller', role: 'client_admin' },
  { name: 'client_manager', first: 'Tom', last: 'Nguyen', title: 'Energy Manager', role: 'client_manager' },
  { name: 'client_user', first: 'Rosa', last: 'Delgado', title: 'Regional Facilities Coordinator', role: 'client_user' },
  { name: 'read_only_user', first: 'Greg', last: 'Abbott', title: 'Internal Auditor', role: 'read_only_user' },
]

const colleagues: readonly Sample[] = [
  { name: 'j.pruitt', first: 'Janelle', last: 'Pruitt', title: 'Bill Entry', role: 'muc_admin' },
  { name: 'k.osei', first: 'Kwame', last: 'Osei', title: 'Payments', role: 'muc_admin' },
  { name: 'l.brandt', first: 'Lena', last: 'Brandt', title: 'Quality Control', role: 'muc_admin', status: 'in_active' },
]

export interface People {
  /** Ids of the users who enter bills, pay, and resolve flags. */
  readonly clerk: number
  readonly payer: number
  readonly reviewer: number
}

/** Places of the roles: the first demo client, one division of it, its partner. */
export interface Places {
  readonly client_id: number
  readonly division_id: number
  readonly channel_partner_id: number
}

/** Creates the users with their roles. Argon2 is slow, so one hash serves them all; colleagues have no password. */
export async function makePeople(tx: Tx, places: Places, at: string): Promise<People> {
  const password_hash = await hashPassword(demoPassword)
  const everybody = [...signInRoles, ...colleagues]
  const users = await insertNumbered(
    tx,
    'users',
    everybody.map(({ name, first, last, title, status }, place) => ({
      email: `${name}@demo.test`,
      username: name,
      first_name: first,
      last_name: last,
      title,
      status: status ?? 'active',
      account_confirmed: true,
      preferences: {},
      password_hash: place < signInRoles.length ? password_hash : null,
      lock_version: 0,
      created_at: at,
      updated_at: at,
    })),
  )
  const roleId = await idsByName(tx, 'roles', 'name')
  const roles = await insertNumbered(
    tx,
    'user_roles',
    everybody.map(({ role }, place) => ({
      user_id: users[place],
      role_id: roleId(role),
      channel_partner_id: role === 'channel_partner_admin' ? places.channel_partner_id : null,
      lock_version: 0,
      created_at: at,
      updated_at: at,
    })),
  )
  const ofClient = everybody.flatMap(({ role }, place) =>
    role.startsWith('client_') || role === 'read_only_user' ? [{ client_id: places.client_id, user_role_id: roles[place] }] : [],
  )
  await insertRows(tx, 'user_role_clients', ofClient)
  const narrowed = everybody.findIndex(({ role }) => role === 'client_user')
  await insertRows(tx, 'user_role_divisions', [
    { client_id: places.client_id, user_role_id: roles[narrowed], division_id: places.division_id },
  ])
  const idOf = (name: string): number => users[everybody.findIndex((one) => one.name === name)] ?? 0
  return { clerk: idOf('j.pruitt'), payer: idOf('k.osei'), reviewer: idOf('muc_admin') }
}

export interface DemoSignIn {
  readonly role: RoleName
  readonly email: string
}

/** The sign-ins of the demo data, in order of rank. */
export const demoSignIns: readonly DemoSignIn[] = signInRoles.map(({ name, role }) => ({ role, email: `${name}@demo.test` }))

/** Returns those that still work: existing, active, and with the demo password. Equal hashes are checked once. */
export async function workingSignIns(tx: Tx): Promise<DemoSignIn[]> {
  const { rows } = await sql<{ email: string; password_hash: string | null }>`select email, password_hash from users
    where email = any(${demoSignIns.map(({ email }) => email)}::text[]) and status = 'active'`.execute(tx)
  const hashes = new Map(rows.map((row) => [row.email, row.password_hash]))
  const tried = new Map<string, Promise<boolean>>()
  const works = async (email: string): Promise<boolean> => {
    const hash = hashes.get(email)
    if (!hash) return false
    const known = tried.get(hash) ?? isPassword(hash, demoPassword)
    tried.set(hash, known)
    return known
  }
  const good = await Promise.all(demoSignIns.map(({ email }) => works(email)))
  return demoSignIns.filter((_, place) => good[place])
}

/**
 * The addresses of the active people whose password is the demo data's. To try one hash costs as much as a sign-in, so that a start looks
 * only where such a password can come from: at the addresses of the demo data, and at hashes that several people share, which nothing but
 * the demo data makes (theirs may have got other addresses since). `everybody` looks at every hash; an hour for a hundred thousand people.
 */
export async function knownPasswordHolders(tx: Tx, { everybody = false } = {}): Promise<string[]> {
  const { rows } = await sql<{ password_hash: string; emails: string[] }>`select password_hash, array_agg(email order by id) as emails
    from users where status = 'active' and password_hash is not null group by password_hash
    having ${everybody} or count(*) > 1 or bool_or(email like '%@demo.test')
      or (select count(*) from users twin where twin.password_hash = users.password_hash) > 1
    order by min(id)`.execute(tx)
  const found: string[] = []
  for (const { password_hash, emails } of rows) if (await isPassword(password_hash, demoPassword)) found.push(...emails)
  return found
}
