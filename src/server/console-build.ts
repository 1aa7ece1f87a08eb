import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { commandLine } from './kernel/postgres/running-process.ts'

/** Sources of the console; a folder includes everything in it. */
const SOURCES = ['src/web', 'src/contract', 'index.html', 'login.html', 'vite.config.ts', 'package-lock.json']

const HALF_BUILT = 'dist.new-'

/**
 * Builds the console into `dist` if it is missing or older than its sources. Returns whether it did. The old build stays until the new one is
 * complete. Throws with the builder's message on failure.
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

/** A killed build leaves its folder, which is removed; a build that is still running keeps its folder. */
async function removeHalfBuilt(root: string): Promise<void> {
  const left = (await readdir(root)).filter((name) => name.startsWith(HALF_BUILT))
  const dead = left.filter((name) => commandLine(Number(name.slice(HALF_BUILT.length))) === undefined)
  for (const name of dead) await rm(join(root, name), { recursive: true, force: true })
}

async function newestSource(root: string): Promise<number> {
  const changes = await Promise.all(SOURCES.map((source) => newestChange(join(root, source))))
  return Math.max(...changes)
}

/** Returns the newest change under a path in milliseconds, or 0 if it is empty. A folder's own time reveals deleted files. */
async function newestChange(path: string): Promise<number> {
  if (!existsSync(path)) return 0
  const here = await stat(path)
  if (!here.isDirectory()) return here.mtimeMs
  const inside = (await readdir(path, { recursive: true })).filter((name) => !name.includes('.test.'))
  const changes = await Promise.all(inside.map(async (name) => (await stat(join(path, name))).mtimeMs))
  return Math.max(here.mtimeMs, ...changes)
}

/** Builds in a separate process, whose memory is freed afterwards; the server stays small. */
async function runVite(root: string, outDir: string): Promise<void> {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const child = spawn(process.execPath, [vite, 'build', '--outDir', outDir, '--emptyOutDir', '--logLevel', 'error'], {
    cwd: root,
    // Set for every caller, including a test run: React takes twice the size and time under any other name.
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
