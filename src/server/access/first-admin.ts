/** Creation of the first administrator without demo data: named by a setting, admitted by a one-time link. */
import { sql } from 'kysely'
import { unitOfWork } from '../kernel/context.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { letterBody } from '../kernel/work/mail-letter.ts'
import type { Machinery } from '../kernel/machinery.ts'
import { firstAdminLetter } from './letters.ts'
import { linkEnd, makeLink } from './links.ts'

/** Any constant works, if every version of the program uses the same. */
const FIRST_ADMIN_LOCK = 7_203_114_003
const system = { principal: null, ip: null, requestId: 'first-admin', connectionId: null }

/**
 * Creates the first super_admin in a database without users, and mails them a one-time link to `url`.
 * @returns the link, so that the start can print it too; undefined if no email is set or another node was faster.
 */
export async function inviteFirstAdmin(machinery: Machinery, email: string | undefined, url: string): Promise<string | undefined> {
  if (email === undefined) {
    machinery.log.warn('nobody can sign in yet: set ADMIN_EMAIL and start again')
    return undefined
  }
  return machinery.database.db.transaction().execute(async (tx) => {
    const { context, finish } = unitOfWork(tx, system, [], machinery)
    const id = await makeFirstAdmin(context.tx, email)
    if (id === undefined) return undefined
    await context.audit.created('user', id, 0, { email, username: email, role: 'super_admin' })
    const link = await makeLink(context.tx, { id, email }, 'first_password', url)
    await machinery.mail.send(context.tx, { to: email, ...letterBody(firstAdminLetter(link)), expiresAt: linkEnd('first_password') })
    await finish()
    return link
  })
}

/** Nodes that start together run one after the other; all but the first find a user. */
async function makeFirstAdmin(tx: Tx, email: string): Promise<number | undefined> {
  await sql`select pg_advisory_xact_lock(${FIRST_ADMIN_LOCK}::bigint)`.execute(tx)
  const { rows } = await sql<{ id: number }>`insert into users (email, username, account_confirmed)
    select ${email}, ${email}, true where not exists (select 1 from users) returning id`.execute(tx)
  const id = rows[0]?.id
  if (id !== undefined)
    await sql`insert into user_roles (user_id, role_id) select ${id}::bigint, id from roles where name = 'super_admin'`.execute(tx)
  return id
}
