import { chown, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './postgres-cluster.ts'
import { logIn } from './postgres-login.ts'
import { readPidFile, WATCHDOG_NAME, type PidFile } from './postgres-server.ts'
import { commandLine, processesWith } from './running-process.ts'

/** Greater than any pid that a system assigns, so no process ever has it. */
const NOBODYS_PID = 2_147_483_646
const WAIT_FOR_FORMER_MS = 60_000

/**
 * Looks for a server that an earlier run left on this data folder. Returns one that runs without its program, to be adopted; waits for one
 * that is stopping; and makes sure that the stale pid file of a dead one does not prevent the start.
 */
export async function settleFormerServer(cluster: Cluster): Promise<PidFile | undefined> {
  const deadline = performance.now() + WAIT_FOR_FORMER_MS
  for (;;) {
    const noted = readPidFile(cluster.data)
    if (!noted) return undefined
    if (!servesFolder(noted.pid, cluster.data)) {
      await disown(cluster)
      return undefined
    }
    // A server under a living watchdog whose program has ended is about to stop: it must not be adopted.
    const watched = processesWith(WATCHDOG_NAME).some(({ command }) => namesFolder(command, cluster.data))
    if (!watched && (await logIn({ port: noted.port, password: cluster.password }))) return noted
    if (performance.now() > deadline) {
      throw new Error(
        `A database server (pid ${noted.pid}) still runs on ${cluster.data} and does not end. Stop what uses it, then start again.`,
      )
    }
    await sleep(50)
  }
}

function servesFolder(pid: number, data: string): boolean {
  const command = pid > 0 ? commandLine(pid) : undefined
  return command !== undefined && namesFolder(command, data)
}

/** Compares whole words: `/data/pg18` is not a part of `/data/pg18-old`. */
function namesFolder(command: string, data: string): boolean {
  return ` ${command} `.includes(` ${data} `)
}

/**
 * The pid in the file is dead, a zombie, or by now another program's. PostgreSQL takes any living pid for the owner, so the file gets a pid
 * that no process has. It is not deleted: its last lines name the shared memory, by which PostgreSQL itself verifies that no child of the
 * former server is still alive before it takes the folder.
 */
async function disown({ data, account }: Cluster): Promise<void> {
  const file = join(data, 'postmaster.pid')
  const rest = (await readFile(file, 'utf8')).split('\n').slice(1)
  if (rest.length === 0) return
  await writeFile(`${file}.new`, [NOBODYS_PID, ...rest].join('\n'), { mode: 0o600 })
  if (account) await chown(`${file}.new`, account.uid, account.gid)
  await rename(`${file}.new`, file)
}
