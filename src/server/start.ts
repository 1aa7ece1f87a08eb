import { readConfig, type Config } from './config.ts'
import { claimInstance } from './instance.ts'
import { anchorHeads, createHeadsStore } from './kernel/audit-heads.ts'
import { createLog, type Log } from './kernel/log.ts'
import { closeDataFolder } from './kernel/files/private-modes.ts'
import { sweepDrafts } from './start-drafts.ts'
import { type Ground, openGround } from './open-ground.ts'
import { refuseTakenPorts, explainListening } from './explain-listening.ts'

export interface RunningApp {
  /** Accepts requests and returns the address, `http://127.0.0.1:3000`. */
  listen: () => Promise<string>
  /** Turns readiness off, stops accepting requests, finishes running ones, and stops jobs. */
  close: () => Promise<void>
}

export interface SignIn {
  email: string
  password: string
}

/** The parts that the start assembles; the ground knows none of them. */
export interface Parts {
  createApp: (ground: Ground) => Promise<RunningApp>
  /** Updates the console build before the app serves it. */
  buildConsole: () => Promise<unknown>
  demo?: DemoData
  /** For a database without users or demo data: creates the first administrator and returns the one-time link, if any. */
  inviteFirstAdmin?: (ground: Ground, url: string) => Promise<string | undefined>
}

export interface DemoData {
  /** Fills a database that has no user yet. */
  make: (ground: Ground) => Promise<void>
  /** The demo sign-ins, as long as they work. */
  signIns: (ground: Ground) => Promise<readonly SignIn[]>
  /** The addresses of the active people with the password of the demo data, which everybody knows. */
  knownPasswords: (ground: Ground) => Promise<readonly string[]>
}

export interface Running {
  url: string
  /** The one line printed for the operator. */
  welcome: string
  log: Log
  /** Stops everything in reverse order; nothing is left behind. */
  stop: () => Promise<void>
}

const DRAIN_MS = 25_000
/** Any constant will do, as long as every version of the program uses the same. */
const FIRST_DATA_LOCK = 7_203_114_002

/** Starts Meterbook in the order of the operations guide; a failed step undoes the ones before it. */
export async function start(parts: Parts, config: Config = readConfig()): Promise<Running> {
  const log = createLog({ level: config.logLevel })
  const ending = new AsyncDisposableStack()
  try {
    const instance = await claim(config, ending)
    const drafts = await sweepDrafts(config.dataDir)
    if (drafts > 0) log.info('drafts of stopped starts were removed', { drafts })
    await closeToOthers(config, log)
    await refuseTakenPorts(config)
    const ground = await openGround(config, log, ending)
    await keepFirstHeads(ground)
    const isEmpty = await makeFirstData(parts, ground)
    await refuseKnownPasswords(parts, ground)
    await parts.buildConsole()
    const app = await parts.createApp(ground).catch(explainListening(config))
    ending.defer(() => closeInTime(app, log))
    const url = await app.listen().catch(explainListening(config))
    await instance?.publish(url)
    const invitation = isEmpty ? await parts.inviteFirstAdmin?.(ground, url) : undefined
    const welcome = welcomeLine(url, await demoSignIns(parts, ground), invitation)
    return { url, welcome, log, stop: () => ending.disposeAsync() }
  } catch (error) {
    await ending.disposeAsync()
    throw error
  }
}

async function closeToOthers(config: Config, log: Log): Promise<void> {
  const { closed, left } = await closeDataFolder(config.dataDir)
  if (closed > 0) log.info('files and folders that other accounts could read were closed', { paths: closed })
  if (left.length > 0) log.warn('other accounts can read what could not be closed', { paths: left })
}

/**
 * Before the first row of the trail: rows without heads mean that the heads were taken away. The job reports a store that cannot be
 * reached.
 */
async function keepFirstHeads({ config, jobsDatabase, log }: Ground): Promise<void> {
  const { secretKey, production } = config
  await anchorHeads({ jobsDatabase, settings: { publicUrl: '', secretKey, production } }, createHeadsStore(config)).catch(
    (error: unknown) => log.warn('the heads of the audit log could not be kept', { error }),
  )
}

/** Only the embedded database binds a folder to one process; nodes on a shared database are as many as one likes. */
async function claim(config: Config, ending: AsyncDisposableStack) {
  if (config.databaseUrl !== undefined) return undefined
  const instance = await claimInstance(config.dataDir)
  ending.defer(instance.release)
  return instance
}

/** Makes the demo data if there is no user, once among all nodes. Returns whether the database still has no user. */
async function makeFirstData(parts: Parts, ground: Ground): Promise<boolean> {
  const client = await ground.jobsDatabase.pool.connect()
  try {
    await client.query('set lock_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [FIRST_DATA_LOCK])
    const { rowCount } = await client.query('select 1 from users limit 1')
    if (rowCount !== 0) return false
    if (!ground.config.demoData || !parts.demo) return true
    await parts.demo.make(ground)
    return false
  } finally {
    client.release(true) // closing the connection releases the lock
  }
}

/** How many addresses a refusal names. */
const NAMED_MAX = 7

/** A database that was tried out with demo data must not be opened to the world with them. */
async function refuseKnownPasswords(parts: Parts, ground: Ground): Promise<void> {
  if (!ground.config.production) return
  const known = (await parts.demo?.knownPasswords(ground)) ?? []
  if (known.length > 0) throw new Error(knownPasswordsProblem(known))
}

/** The fault and its remedy, for the start and for `npm run doctor`. */
export function knownPasswordsProblem(emails: readonly string[]): string {
  const named = [...emails.slice(0, NAMED_MAX), ...(emails.length > NAMED_MAX ? [`${emails.length - NAMED_MAX} more`] : [])].join(', ')
  return `This database has people with the password of the demo data, which everybody knows: ${named}. Production does not start with it. Begin with an empty DATA_DIR or database, or start once with NODE_ENV=development and give them other passwords or make them inactive.`
}

async function demoSignIns(parts: Parts, ground: Ground): Promise<readonly SignIn[]> {
  return (ground.config.demoData && (await parts.demo?.signIns(ground))) || []
}

function welcomeLine(url: string, signIns: readonly SignIn[], invitation: string | undefined): string {
  const told = [...Map.groupBy(signIns, ({ password }) => password)]
    .map(([password, same]) => `${same.map(({ email }) => email).join(', ')} / ${password}`)
    .join('; ')
  const how = [told && `sign in as ${told}`, invitation && `set the first password at ${invitation}`].filter(Boolean)
  return [`Meterbook is ready: ${url}`, ...how].join(' – ')
}

async function closeInTime(app: RunningApp, log: Log): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<'late'>()
  const timer = setTimeout(() => resolve('late'), DRAIN_MS)
  const outcome = await Promise.race([app.close(), late])
  clearTimeout(timer)
  if (outcome === 'late') log.warn('requests were still running at the end of the draining time', { seconds: DRAIN_MS / 1000 })
}
