import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { dataFolderMode } from '../files/private-modes.ts'
import { canEnter, makeReachableRoot, postgresBinaries, REACHABLE_ROOT, serverAccount, type Account } from './postgres-binaries.ts'

export interface PostgresOptions {
  /** Folder that holds everything that must survive; the cluster itself is `pg18` in it. */
  folder: string
  database?: string
  /** PostgreSQL's own notation, such as `256MB`. */
  sharedBuffers?: string
  /** False trades crash safety for speed: only for temporary clusters. */
  durable?: boolean
  /** Deletes the whole folder once the server has stopped, even when this process was killed before. */
  removeWhenStopped?: boolean
  log?: (message: string) => void
}

/** A data folder that is ready to start, with the parameters of the start. */
export interface Cluster {
  /** Real path of the data folder itself. */
  data: string
  binaries: string
  account: Account | undefined
  password: string
  logFile: string
  isNew: boolean
  durable: boolean
  sharedBuffers: string
  /** Deleted once the server has stopped; empty to delete nothing. */
  removeWhenStopped: string
}

/** Named by the major version, so that the binaries of the next one can never open it by accident. */
const DATA_FOLDER_NAME = 'pg18'
const LOG_BYTES_MAX = 10 * 1024 * 1024

/** The environment of initdb and the server. It excludes our own, so that PGDATA or a locale cannot interfere. */
export const SERVER_ENVIRONMENT = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' }

/** Finds or creates the cluster under `folder`. A kill in the middle leaves nothing half made. */
export async function openCluster(options: PostgresOptions): Promise<Cluster> {
  const folder = resolve(options.folder)
  await makeFolder(folder)
  const link = join(folder, DATA_FOLDER_NAME)
  const account = await serverAccount(link)
  const binaries = await postgresBinaries(account)
  const isNew = await isMissing(link)
  const password = await keepPassword(`${link}.password`, isNew)
  if (isNew) await createCluster({ folder, link, account, binaries, password, durable: options.durable ?? true })
  const data = await realpath(link)
  if (account && !canEnter(account, data)) throw new Error(unreachable(data))
  return {
    data,
    binaries,
    account,
    password,
    logFile: await keepLogSmall(`${link}.log`),
    isNew,
    durable: options.durable ?? true,
    sharedBuffers: options.sharedBuffers ?? '256MB',
    removeWhenStopped: options.removeWhenStopped ? folder : '',
  }
}

/** Returns the path and password of the cluster under `folder`; undefined before its first start. */
export async function findCluster(folder: string): Promise<Pick<Cluster, 'data' | 'password'> | undefined> {
  const link = join(resolve(folder), DATA_FOLDER_NAME)
  if (!existsSync(link)) return undefined
  return { data: await realpath(link), password: await keepPassword(`${link}.password`, false) }
}

async function makeFolder(folder: string): Promise<void> {
  const created = await mkdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`The data folder ${folder} cannot be made (${error.code}). Set DATA_DIR to a folder that you may write to.`, {
      cause: error,
    })
  })
  if (created !== undefined) await chmod(folder, dataFolderMode())
}

async function isMissing(link: string): Promise<boolean> {
  if (existsSync(link)) return false
  const dangling = await lstat(link).then(
    () => true,
    () => false,
  )
  if (!dangling) return true
  throw new Error(`${link} points at a data folder that is gone. Restore it, or remove that link to begin with an empty database.`)
}

async function keepPassword(file: string, isNew: boolean): Promise<string> {
  if (existsSync(file)) {
    const kept = (await readFile(file, 'utf8')).trim()
    if (kept !== '') return kept
  }
  if (!isNew) throw new Error(`The password of the database is missing: ${file}. Restore that file from a backup of the data folder.`)
  const password = randomBytes(24).toString('hex')
  await writeFile(`${file}.new`, `${password}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
  return password
}

interface Creation {
  folder: string
  link: string
  account: Account | undefined
  binaries: string
  password: string
  durable: boolean
}

async function createCluster({ folder, link, account, binaries, password, durable }: Creation): Promise<void> {
  const home = account && !canEnter(account, folder) ? await reachableHome() : folder
  await removeHalfMade(home)
  const half = join(home, `${DATA_FOLDER_NAME}.new-${process.pid}`)
  const passwordFile = `${half}.password`
  await mkdir(half, { mode: 0o700 })
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
  if (account) {
    await chown(half, account.uid, account.gid)
    await chown(passwordFile, account.uid, account.gid)
  }
  await initdb({ binaries, half, passwordFile, account, durable })
  await rm(passwordFile)
  await rename(half, join(home, DATA_FOLDER_NAME))
  if (home !== folder) await symlink(join(home, DATA_FOLDER_NAME), link)
}

/** When root runs the project under a closed home, the server's account gets a folder of its own, and a link leads there. */
async function reachableHome(): Promise<string> {
  await makeReachableRoot()
  const home = await mkdtemp(join(REACHABLE_ROOT, 'data-'))
  await chmod(home, 0o755)
  return home
}

async function removeHalfMade(home: string): Promise<void> {
  const left = (await readdir(home)).filter((name) => name.startsWith(`${DATA_FOLDER_NAME}.new-`))
  for (const name of left) await rm(join(home, name), { recursive: true, force: true })
}

async function initdb(run: {
  binaries: string
  half: string
  passwordFile: string
  account: Account | undefined
  durable: boolean
}): Promise<void> {
  const options = [
    '-D',
    run.half,
    '-U',
    'meterbook',
    `--pwfile=${run.passwordFile}`,
    '--auth=scram-sha-256',
    '--data-checksums',
    '--no-instructions',
  ]
  // The built-in locale sorts and compares alike on every machine, whatever locales it has.
  options.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--encoding=UTF8')
  if (!run.durable) options.push('--no-sync')
  const child = spawn(join(run.binaries, 'bin/initdb'), options, {
    ...run.account,
    cwd: run.half,
    env: SERVER_ENVIRONMENT,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [problems, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  if (/could not look up effective user/.test(problems)) throw new Error(NAMELESS_USER)
  if (code !== 0) throw new Error(`The database could not be made in ${run.half}: ${problems.trim().replaceAll(/\s+/g, ' ')}`)
}

const NAMELESS_USER =
  'PostgreSQL cannot run as a user id without a name on this system (no line in /etc/passwd). Start as another user, give this one a name, or set DATABASE_URL.'

/** The server appends to one file. At a start, a large one is renamed, so at most two of them exist. */
async function keepLogSmall(file: string): Promise<string> {
  const size = existsSync(file) ? (await stat(file)).size : 0
  if (size > LOG_BYTES_MAX) await rename(file, `${file}.1`)
  return file
}

function unreachable(data: string): string {
  return `The account that runs the database cannot reach ${data}: a folder above it is closed. Open that folder for others (chmod o+x), or set DATA_DIR to a folder outside of it.`
}
