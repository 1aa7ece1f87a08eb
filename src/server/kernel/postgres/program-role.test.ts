/** The rights of the program's role, on a migrated database. */
import pg from 'pg'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../../test/support/cluster.ts'
import { atEndOfFile } from '../../../../test/support/end-of-file.ts'
import { sqlState } from './database.ts'
import { programRole, programUrl } from './program-role.ts'

const owner = await testDatabase()
// The queue of a former version, which belonged to the owner.
await owner.pool.query(`drop schema if exists pgboss cascade; create schema pgboss; create table pgboss.version (version int);
  create type pgboss.job_state as enum ('created', 'done'); create function pgboss.nothing() returns int language sql as 'select 1'`)
const program = new pg.Pool({ connectionString: await programUrl(owner.url), max: 2 })
atEndOfFile(() => program.end())

/** The SQLSTATE of the refusal. */
const answerTo = (statement: string): Promise<string | undefined> =>
  program.query(statement).then(
    () => 'done',
    (error: unknown) => sqlState(error),
  )
const DENIED = '42501'

test('the program reads, adds, changes and deletes rows, makes temporary tables, analyzes and notifies', async () => {
  await program.query(`insert into users (email, username) values ('a@example.test', 'a')`)
  await program.query(`update users set username = 'b' where email = 'a@example.test'`)
  expect((await program.query('delete from users returning username')).rows).toEqual([{ username: 'b' }])
  for (const statement of [
    'create temp table some_rows (id int)',
    'analyze users',
    `notify nobody, 'x'`,
    'select count(*) from schema_migrations',
    `insert into audit_records (event, item_type) values ('update', 'vendor')`,
    `insert into audit_seals (client_id, audit_record_id, hash) values (0, 1, 'x')`,
  ])
    expect([statement, await answerTo(statement)]).toEqual([statement, 'done'])
})

test('the program changes, deletes and empties nothing of the trail, and cannot help itself to more', async () => {
  for (const statement of [
    `update audit_records set user_id = 1`,
    'delete from audit_records',
    'truncate audit_records',
    `update audit_seals set hash = 'y'`,
    'delete from audit_seals',
    'truncate audit_seals',
    'drop table audit_records',
    'alter table audit_records add column more int',
    'create trigger t before insert on audit_records execute function suppress_redundant_updates_trigger()',
    'create rule r as on insert to audit_records do instead nothing',
    'create table public.more (id int)',
    `insert into schema_migrations (name, sha256) values ('9999-x.sql', 'x')`,
    'delete from schema_migrations',
    `alter role ${programRole} superuser`,
    'set session_replication_role = replica',
    `copy audit_records to program 'cat'`,
    'set role meterbook',
    'set session authorization meterbook',
  ])
    expect([statement, await answerTo(statement)]).toEqual([statement, DENIED])
  // A grant of what one may not grant is a warning to PostgreSQL, and grants nothing.
  await answerTo(`grant delete on audit_records to ${programRole}`)
  expect(await answerTo('delete from audit_records')).toBe(DENIED)
})

test('it owns the queue of jobs, that of a former version too, and nothing else', async () => {
  const { rows } = await owner.pool.query<{ schema: string }>(`select distinct nspname as schema from pg_class
    join pg_namespace on pg_namespace.oid = relnamespace where pg_get_userbyid(relowner) = '${programRole}' and nspname !~ '^pg_(temp|toast)'`)
  expect(rows).toEqual([{ schema: 'pgboss' }])
  for (const statement of [
    'drop function pgboss.nothing()',
    `alter type pgboss.job_state add value 'more'`,
    'drop table pgboss.version',
    'create table pgboss.version (version int)',
  ])
    expect([statement, await answerTo(statement)]).toEqual([statement, 'done'])
})

test('a further start gives a new password, and rights on what a migration has brought', async () => {
  await owner.pool.query('create table brought (id int)')
  const again = new pg.Pool({ connectionString: await programUrl(owner.url), max: 1 })
  atEndOfFile(() => again.end())
  expect((await again.query('insert into brought values (1) returning id')).rows).toEqual([{ id: 1 }])
})
