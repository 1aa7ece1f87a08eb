import { once } from 'node:events'
import { createServer } from 'node:net'
import pg from 'pg'

export interface Login {
  port: number
  password: string
}

const CONNECT_TIMEOUT_MS = 2_000

/**
 * Returns true once the server accepts our login, which is the only proof that it is ready; false while it starts, recovers or stops.
 * Throws when it refuses our password, because then the server or the password file belongs to another installation.
 */
export async function logIn(login: Login): Promise<boolean> {
  const client = newClient(login)
  try {
    await client.connect()
    return true
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === '28P01')) return false
    throw new Error('The database refuses the password in pg18.password. Put back the file that belongs to this data folder.', {
      cause: error,
    })
  } finally {
    await client.end().catch(() => {})
  }
}

/** Creates a database unless it exists. */
export async function makeDatabase(login: Login, name: string): Promise<void> {
  const client = newClient(login)
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(name)}`)
  } finally {
    await client.end()
  }
}

/** Returns a port on 127.0.0.1 that is free at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('this machine gives no free port on 127.0.0.1')
  return address.port
}

function newClient({ port, password }: Login): pg.Client {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'meterbook',
    password,
    database: 'postgres',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  // A connection that the server closes while it stops is reported here as well; the caller already has its answer.
  client.on('error', () => {})
  return client
}
