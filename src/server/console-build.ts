import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { commandLine } from './kernel/postgres/running-process.ts'

/** What the console is built from; a folder counts with everything in it. */
const SOURCES = ['src/web', 'src/contract', 'index.html', 'login.html', 'vite.config.ts', 'package-lock.json']

const HALF_BUILT = 'dist.new-'

/**
 * Builds the console into `dist` when it is missing or older than its sources, and says whether it did. The old one
 * stays until the new one is complete. Throws with the builder's message when it does not build.
 */
export async function buildConsole(root: string): Promise<boolean> {
  const built = await newestChange(join(root, 'dist/index.html'))
  if (built > 0 && built >= (await newestSource(root))) return false
  const half = `${HALF_BUILT}${process.pid}`
  await removeHalfBuilt(root)
  try {
    await runVite(root, half)
    await rm(join(root, 'dist'), { recursive: true, force: true })
    await rename(join(root, half), join(root, 'dist'))
  } finally {
    await rm(join(root, half), { recursive: true, force: true })
  }
  return true
}

/** A build that was killed leaves its folder; one that still goes on keeps it. */
async function removeHalfBuilt(root: string): Promise<void> {
  const left = (await readdir(root)).filter((name) => name.startsWith(HALF_BUILT))
  const dead = left.filter((name) => commandLine(Number(name.slice(HALF_BUILT.length))) === undefined)
  for (const name of dead) await rm(join(root, name), { recursive: true, force: true })
}

async function newestSource(root: string): Promise<number> {
  const changes = await Promise.all(SOURCES.map((source) => newestChange(join(root, source))))
  return Math.max(...changes)
}

/** The newest change under a path in milliseconds, 0 when there is nothing. A folder's own time tells of deleted files. */
async function newestChange(path: string): Promise<number> {
  if (!existsSync(path)) return 0
  const here = await stat(path)
  if (!here.isDirectory()) return here.mtimeMs
  const inside = (await readdir(path, { recursive: true })).filter((name) => !name.includes('.test.'))
  const changes = await Promise.all(inside.map(async (name) => (await stat(join(path, name))).mtimeMs))
  return Math.max(here.mtimeMs, ...changes)
}

/** In a process of its own, whose memory is gone afterwards; the server stays small. */
async function runVite(root: string, outDir: string): Promise<void> {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const child = spawn(process.execPath, [vite, 'build', '--outDir', outDir, '--emptyOutDir', '--logLevel', 'error'], {
    cwd: root,
    // Whoever builds it, a test run too: React takes twice the size and time under any other name.
    env: { NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const kill = () => child.kill()
  process.once('exit', kill)
  const [problems, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  process.off('exit', kill)
  const told = problems.split('\n').filter((line) => line.trim() !== '' && !/^\s+at /.test(line))
  if (code !== 0) throw new Error(`The console could not be built: ${told.join('\n') || `vite ended with ${code}`}`)
}
