/** `npm run doctor`: looks at the settings, the data folder and the database as production would meet them. Changes nothing in the database. */
import { sql } from 'kysely'
import { processEnvironment, readConfig, type Config } from './config.ts'
import { databaseBeside } from './database-beside.ts'
import { openToOthers } from './kernel/files/private-modes.ts'
import { openJobsDatabase, type Tx } from './kernel/postgres/database.ts'
import { hasCluster } from './kernel/postgres/embedded-postgres.ts'
import { programRole } from './kernel/postgres/program-role.ts'
import { knownPasswordsProblem } from './start.ts'

interface Finding {
  /** refused: production does not start with it, or must not; unsafe: it starts, and somebody should decide. */
  readonly grade: 'good' | 'unsafe' | 'refused'
  readonly text: string
}

const good = (text: string): Finding => ({ grade: 'good', text })
const unsafe = (text: string): Finding => ({ grade: 'unsafe', text })
const refused = (text: string): Finding => ({ grade: 'refused', text })

const words = { good: 'good   ', unsafe: 'UNSAFE ', refused: 'REFUSED' } as const

const ownMachine: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]', ''])

const findings = await examine().catch((error: unknown) => [refused(error instanceof Error ? error.message : String(error))])
for (const { grade, text } of findings) console.log(`${words[grade]} ${text}`)
const count = (grade: Finding['grade']): number => findings.filter((one) => one.grade === grade).length
console.log(`${count('refused')} refused, ${count('unsafe')} unsafe, ${count('good')} good`)
process.exitCode = count('refused') > 0 ? 1 : 0

async function examine(): Promise<Finding[]> {
  // Before the settings are read: that makes a key where none is.
  const config = readConfig({ ...processEnvironment(), NODE_ENV: 'production' })
  return [...ofSettings(config), ...(await ofDataFolder(config)), ...(await ofDatabase(config))]
}

function ofSettings(config: Config): Finding[] {
  const isPlain = config.publicUrl?.startsWith('https://') !== true
  return [
    config.keyBesideData
      ? unsafe(
          `The secret key lies in ${config.dataDir} beside the data: one copy of the folder holds the encrypted bank numbers and their key. Set SECRET_KEY_FILE to a file elsewhere with the same content, and remove secret-key from the folder.`,
        )
      : good('The secret key is set from outside the data folder.'),
    isPlain
      ? unsafe(
          'PUBLIC_URL is not an https address: links in mails lead over an open line. Set it to the address of the proxy that brings TLS.',
        )
      : good('PUBLIC_URL is an https address.'),
    config.smtpUrl === undefined
      ? unsafe(`SMTP_URL is not set: mails with links that set passwords become files in ${config.dataDir}/outbox.`)
      : good('Mail goes out over SMTP_URL.'),
    config.docsPublic
      ? unsafe('DOCS_PUBLIC opens the documentation of the API to everybody.')
      : good('The documentation of the API needs a sign-in.'),
    process.getuid?.() === 0
      ? unsafe('This is root: start Meterbook from an account of its own.')
      : good('The account of the program is not root.'),
    ...ofConnection(config),
  ]
}

/** The embedded database is reached on this machine only. */
function ofConnection({ databaseUrl }: Config): Finding[] {
  if (databaseUrl === undefined) return []
  const { hostname, searchParams } = new URL(databaseUrl)
  const mode = searchParams.get('sslmode') ?? ''
  if (ownMachine.has(hostname)) return [good('The database is on this machine.')]
  return [
    ['verify-full', 'require', 'verify-ca'].includes(mode)
      ? good(`The connection to the database is encrypted (sslmode=${mode}).`)
      : unsafe('The database is on another machine and DATABASE_URL asks for no encryption: add sslmode=verify-full.'),
  ]
}

async function ofDataFolder({ dataDir }: Config): Promise<Finding[]> {
  const open = await openToOthers(dataDir)
  if (open.length === 0) return [good(`What lies in ${dataDir} is closed to other accounts.`)]
  return [unsafe(`Other accounts can read ${open.join(', ')}. A start closes what belongs to its account.`)]
}

async function ofDatabase(config: Config): Promise<Finding[]> {
  if (config.databaseUrl === undefined && !(await hasCluster(config.dataDir))) return [good('There is no database yet.')]
  await using ending = new AsyncDisposableStack()
  const database = openJobsDatabase({ url: await databaseBeside(config, ending) })
  ending.defer(database.close)
  const { rows } = await database.pool.query<{ there: boolean }>(`select to_regclass('users') is not null as there`)
  if (rows[0]?.there !== true) return [good('The database is empty.')]
  return [...(await ofPasswords(database.db)), ...(await ofRole(config, database.db))]
}

async function ofPasswords(db: Tx): Promise<Finding[]> {
  // The demo data are half the program, which a look at the settings need not wait for.
  const { knownPasswordHolders } = await import('./demo/demo.ts')
  const known = await knownPasswordHolders(db, { everybody: true })
  return [known.length > 0 ? refused(knownPasswordsProblem(known)) : good('Nobody has the password of the demo data.')]
}

/** Returns the rights of the program on the trail of changes beyond adding to it and reading it, which it needs. */
async function ofRole({ databaseUrl }: Config, db: Tx): Promise<Finding[]> {
  // The embedded database has a role for the program, and this command works as the owner.
  const role = databaseUrl === undefined ? sql`${programRole}` : sql`current_user`
  const may = (table: string, right: string) => sql`has_table_privilege(rolname, ${sql.lit(table)}, ${sql.lit(right)})`
  const changes = sql.join(
    ['audit_records', 'audit_seals'].flatMap((table) => ['update', 'delete', 'truncate'].map((right) => may(table, right))),
    sql` or `,
  )
  const { rows } = await sql<{
    role: string
    superuser: boolean
    changes: boolean
  }>`select rolname as role, rolsuper as superuser, ${changes} as changes
    from pg_roles where rolname = ${role}`.execute(db)
  const [row] = rows
  if (!row) return [unsafe('The program has no role of its own in the database yet: the next start makes it.')]
  if (row.superuser) return [unsafe(`The program works in the database as ${row.role}, which is a superuser and may change the audit log.`)]
  if (row.changes) return [unsafe(`The program works in the database as ${row.role}, which may change and delete rows of the audit log.`)]
  return [good(`The program works in the database as ${row.role}, which may only add to the audit log.`)]
}
