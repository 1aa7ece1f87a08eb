/** Creates the files of a cluster. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { canEnter, makeReachableRoot, REACHABLE_ROOT, type Account } from './postgres-binaries.ts'

/** Named by the major version, so that the binaries of the next one can never open it by accident. */
export const DATA_FOLDER_NAME = 'pg18'

/** The environment of initdb and the server. It excludes our own, so that PGDATA or a locale cannot interfere. */
export const SERVER_ENVIRONMENT = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' }

interface Creation {
  folder: string
  link: string
  account: Account | undefined
  binaries: string
  password: string
  durable: boolean
}

export async function createCluster({ folder, link, account, binaries, password, durable }: Creation): Promise<void> {
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
