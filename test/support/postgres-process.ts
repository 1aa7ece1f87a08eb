/**
 * A program for the tests of the database supervisor, run as its own process so that it can be killed: it starts the PostgreSQL of the
 * given folder, reports how, and with `insert` writes row after row, reporting each that was acknowledged. Ends cleanly on SIGTERM.
 */
import pg from 'pg'
import { startPostgres } from '../../src/server/kernel/postgres/embedded-postgres.ts'

const [folder, work] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: postgres-process.ts FOLDER [insert]')

const postgres = await startPostgres({ folder, sharedBuffers: '16MB', log: (message) => tell({ message }) })
process.on('SIGTERM', () => void postgres.stop().then(() => process.exit(0)))
tell({ how: postgres.how, pid: postgres.pid(), url: postgres.url })
setInterval(() => {}, 60_000)
if (work === 'insert') await insertForEver()

async function insertForEver(): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query('create table if not exists ack (id int primary key)')
  const { rows } = await client.query<{ next: number }>('select coalesce(max(id), 0) + 1 as next from ack')
  for (let id = rows[0]?.next ?? 1; ; id += 1) {
    await client.query('insert into ack values ($1)', [id])
    tell({ acknowledged: id })
  }
}

function tell(what: unknown): void {
  process.stdout.write(`${JSON.stringify(what)}\n`)
}
