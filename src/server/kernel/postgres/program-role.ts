/**
 * The role in which the program works in the embedded database. It owns nothing but the queue of jobs; it reads and writes rows, and may only add
 * to the trail. The owner migrates at the start and does nothing afterwards.
 */
import { randomBytes } from 'node:crypto'
import pg from 'pg'

export const programRole = 'meterbook_program'
/** Tables whose rows the program only adds to and reads. */
const addedTo = ['audit_records', 'audit_seals']
/** The program reads which migrations there are. */
const readOnly = ['schema_migrations']
const queueSchema = 'pgboss'
const PASSWORD_BYTES = 32

/** Makes the role, or gives an existing one its rights anew, after the migrations. Returns the URL with which the program connects. */
export async function programUrl(ownerUrl: string): Promise<string> {
  const password = randomBytes(PASSWORD_BYTES).toString('hex')
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'meterbook-owner' })
  await client.connect()
  try {
    await client.query('begin')
    await makeRole(client, password)
    await grantRows(client)
    await giveQueue(client)
    await client.query('commit')
  } finally {
    await client.end()
  }
  const url = new URL(ownerUrl)
  url.username = programRole
  url.password = password
  return url.href
}

/** The password is new at each start, so that it lies nowhere. */
async function makeRole(client: pg.Client, password: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [programRole])
  if (rowCount === 0) await client.query(`create role ${programRole}`)
  await client.query(`alter role ${programRole} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls
    password ${pg.escapeLiteral(password)}`)
}

async function grantRows(client: pg.Client): Promise<void> {
  const all = 'on all tables in schema public'
  const some = (tables: readonly string[]) => tables.map((name) => `public.${pg.escapeIdentifier(name)}`).join(', ')
  await client.query(`revoke all ${all} from ${programRole}`)
  await client.query(`grant usage on schema public to ${programRole}`)
  await client.query(`grant select, insert, update, delete, maintain ${all} to ${programRole}`)
  await client.query(`grant usage, select, update on all sequences in schema public to ${programRole}`)
  await client.query(`revoke update, delete on ${some(addedTo)} from ${programRole}`)
  await client.query(`revoke insert, update, delete on ${some(readOnly)} from ${programRole}`)
}

/** The queue makes and changes its own tables. A queue of a former version belongs to the owner, and is handed over once. */
async function giveQueue(client: pg.Client): Promise<void> {
  const { rows: databases } = await client.query<{ name: string }>('select current_database() as name')
  await client.query(`grant create on database ${pg.escapeIdentifier(databases[0]?.name ?? '')} to ${programRole}`)
  const { rows } = await client.query<{ statement: string }>(
    `select format('alter schema %I owner to ${programRole}', nspname) as statement from pg_namespace where nspname = $1
      union all select format('alter table %s owner to ${programRole}', oid::regclass) from pg_class
        where relnamespace = to_regnamespace($1) and relkind in ('r', 'p') and pg_get_userbyid(relowner) <> '${programRole}'
      union all select format('alter type %s owner to ${programRole}', oid::regtype) from pg_type
        where typnamespace = to_regnamespace($1) and typtype in ('e', 'd') and pg_get_userbyid(typowner) <> '${programRole}'
      union all select format('alter routine %s owner to ${programRole}', oid::regprocedure) from pg_proc
        where pronamespace = to_regnamespace($1) and pg_get_userbyid(proowner) <> '${programRole}'`,
    [queueSchema],
  )
  for (const { statement } of rows) await client.query(statement)
}
