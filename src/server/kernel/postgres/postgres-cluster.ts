import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, lstat, mkdir, readFile, realpath, rename, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { dataFolderMode } from '../files/private-modes.ts'
import { canEnter, postgresBinaries, serverAccount, type Account } from './postgres-binaries.ts'
import { DATA_FOLDER_NAME, createCluster } from './create-cluster.ts'

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

const LOG_BYTES_MAX = 10 * 1024 * 1024

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

/** The server appends to one file. At a start, a large one is renamed, so at most two of them exist. */
async function keepLogSmall(file: string): Promise<string> {
  const size = existsSync(file) ? (await stat(file)).size : 0
  if (size > LOG_BYTES_MAX) await rename(file, `${file}.1`)
  return file
}

function unreachable(data: string): string {
  return `The account that runs the database cannot reach ${data}: a folder above it is closed. Open that folder for others (chmod o+x), or set DATA_DIR to a folder outside of it.`
}
