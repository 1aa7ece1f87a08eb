/** The whole application on the test's own database, called through HTTP with the credentials of users made for the test. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql, type Kysely } from 'kysely'
import type { RoleName } from '#contract/access/rights.ts'
import { hashOf } from '../../src/server/access/credentials.ts'
import { createApp, type App } from '../../src/server/app.ts'
import { readConfig, type Environment } from '../../src/server/config.ts'
import { openJobsDatabase, type Tables } from '../../src/server/kernel/postgres/database.ts'
import { createLog, type Log } from '../../src/server/kernel/log.ts'
import { testDatabase, type TestDatabase } from './cluster.ts'
import { atEndOfFile } from './end-of-file.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Person {
  readonly id: number
  readonly email: string
  readonly headers: Readonly<Record<string, string>>
}

export interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

export interface TestApp {
  readonly app: App
  readonly database: TestDatabase
  readonly dataFolder: string
  /** `null`: not signed in. Bodies are sent as JSON. */
  ask(who: Person | null, method: Method, path: string, body?: object, headers?: Record<string, string>): Promise<Answer>
  /** Starts to listen, for tests that need a real socket. */
  listen(): Promise<string>
}

/** Signing key of test applications. */
export const testSecretKey = 'a key for tests, long enough to pass'

/** Starts the application once for a test file; on a `shared` database it is another node. It ends with the file. */
export async function startTestApp(
  environment: Environment = {},
  shared?: TestDatabase,
  log: Log = createLog({ level: 'error' }),
): Promise<TestApp> {
  const database = shared ?? (await testDatabase())
  const dataFolder = await mkdtemp(join(tmpdir(), 'meterbook-app-'))
  const config = readConfig({
    NODE_ENV: 'test',
    DATA_DIR: dataFolder,
    PORT: '0',
    SECRET_KEY: testSecretKey,
    DATABASE_URL: database.url,
    RATE_LIMIT_FACTOR: '100000',
    ...environment,
  })
  const jobsDatabase = openJobsDatabase({ url: database.url })
  atEndOfFile(async () => {
    await jobsDatabase.close()
    await rm(dataFolder, { recursive: true, force: true })
  })
  const app = await createApp({ config, database, jobsDatabase, databaseUrl: database.url, log })
  atEndOfFile(() => app.close())
  return {
    app,
    database,
    dataFolder,
    listen: app.listen,
    async ask(who, method, path, body, headers = {}) {
      const response = await app.server.inject({
        method,
        url: `/api/v5${path}`,
        headers: { ...who?.headers, ...headers },
        ...(body ? { payload: body } : {}),
      })
      return { status: response.statusCode, body: jsonOf(response.body), headers: response.headers, text: response.body }
    },
  }
}

export interface RoleScope {
  readonly clients?: readonly number[]
  readonly channel_partner_id?: number
  readonly division?: readonly (readonly [clientId: number, id: number])[]
  readonly facility?: readonly (readonly [clientId: number, id: number])[]
  readonly billable_account?: readonly (readonly [clientId: number, id: number])[]
  readonly supply_account?: readonly (readonly [clientId: number, id: number])[]
}

/** Creates a signed-in user with one role, whose password counts as given a moment ago whatever the test’s clock shows; `addRole` adds further roles. */
export async function makePerson(db: Kysely<Tables>, role: RoleName | null, scope: RoleScope = {}): Promise<Person> {
  const name = `${role ?? 'nobody'}-${randomBytes(4).toString('hex')}`
  const email = `${name}@example.test`
  const { rows } = await sql<{
    id: number
  }>`insert into users (email, username, account_confirmed) values (${email}, ${name}, true) returning id`.execute(db)
  const id = rows[0]?.id
  if (id === undefined) throw new Error('no user was made')
  if (role) await addRole(db, id, role, scope)
  const client = randomBytes(8).toString('hex')
  const token = randomBytes(16).toString('hex')
  await sql`insert into sessions (user_id, client, token_hash, proven_at) values (${id}, ${client}, ${hashOf(token)}, '2100-01-01')`.execute(
    db,
  )
  return { id, email, headers: { 'access-token': token, client, uid: email } }
}

const levels = ['division', 'facility', 'billable_account', 'supply_account'] as const

export async function addRole(db: Kysely<Tables>, userId: number, role: RoleName, scope: RoleScope): Promise<void> {
  const { rows } = await sql<{ id: number }>`insert into user_roles (user_id, role_id, channel_partner_id)
    select ${userId}, id, ${scope.channel_partner_id ?? null}::bigint from roles where name = ${role} returning id`.execute(db)
  const roleId = rows[0]?.id
  if (roleId === undefined) throw new Error(`no role ${role}`)
  for (const clientId of scope.clients ?? [])
    await sql`insert into user_role_clients (client_id, user_role_id) values (${clientId}, ${roleId})`.execute(db)
  for (const level of levels)
    for (const [clientId, id] of scope[level] ?? []) {
      const table = level === 'facility' ? 'user_role_facilities' : `user_role_${level}s`
      await sql`insert into ${sql.table(table)} (client_id, user_role_id, ${sql.ref(`${level}_id`)}) values (${clientId}, ${roleId}, ${id})`.execute(
        db,
      )
    }
}

function jsonOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : { value }
  } catch {
    return {}
  }
}
