/** A program whose data folder is its own small file system, invisible to other processes and deleted with it. Linux and root only. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, open, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { processesWith } from '../../src/server/kernel/postgres/running-process.ts'
import { addressIn } from './launch.ts'

const MIB = 1_048_576
const unshare = '/usr/bin/unshare'

/** Returns true if this machine allows mounting. */
export function maySetUpSmallDisk(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0 && spawnSync(unshare, ['-m', 'true']).status === 0
}

export interface SmallDisk {
  readonly url: string
  readonly child: ChildProcess
  said(): string
  /** Returns a path below the data folder, as this process reaches it. */
  path(name: string): string
  freeBytes(): Promise<number>
  /** Fills the disk except for this many bytes. */
  fill(leaveBytes: number): Promise<void>
  /** Frees the space again. */
  empty(): Promise<void>
  stop(): Promise<number | null>
}

/**
 * Starts a script of the program in its own mount namespace, on a data folder of the given size in MiB. It ends with the test that calls
 * this.
 */
export async function startOnSmallDisk(script: string, sizeMiB: number, environment: Readonly<Record<string, string>>): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'meterbook-small-'))
  await chmod(folder, 0o755)
  const mount = `mount -t tmpfs -o size=${sizeMiB}m,mode=755 tmpfs "$DATA_DIR" && exec "$@"`
  const child = spawn(unshare, ['-m', 'sh', '-c', mount, 'sh', process.execPath, script], {
    env: {
      PATH: '/usr/bin:/bin:/usr/sbin:/sbin',
      DATA_DIR: folder,
      PORT: '0',
      DEMO_DATA: 'false',
      SECRET_KEY: 'a key for tests, long enough to pass',
      RATE_LIMIT_FACTOR: '1000',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await vi.waitFor(() => {
      if (processesWith(folder).length > 0) throw new Error(`processes still run on ${folder}`)
    }, 30_000)
    await rm(folder, { recursive: true, force: true })
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  const url = await addressIn(() => said)
  // The namespace's own view of the file system, through the process that lives in it.
  const path = (name: string): string => `/proc/${child.pid}/root${join(folder, name)}`
  const freeBytes = async (): Promise<number> => {
    const { bavail, bsize } = await statfs(path(''))
    return bavail * bsize
  }
  return {
    url,
    child,
    said: () => said,
    path,
    freeBytes,
    async fill(leaveBytes) {
      const filler = await open(path('filler'), 'a')
      try {
        for (let free = await freeBytes(); free > leaveBytes; free = await freeBytes())
          await filler.write(Buffer.alloc(Math.min(MIB, free - leaveBytes), 1))
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
      } finally {
        await filler.close()
      }
    },
    empty: () => rm(path('filler'), { force: true }),
    async stop() {
      child.kill('SIGTERM')
      const [code]: (number | null)[] = await once(child, 'exit')
      return code ?? null
    },
  }
}
