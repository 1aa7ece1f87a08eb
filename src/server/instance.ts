import { readFileSync } from 'node:fs'
import { link, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { dataFolderMode, OWN_FILE_MODE } from './kernel/files/private-modes.ts'
import { processIdentity } from './kernel/postgres/running-process.ts'

/** Another Meterbook already uses the data folder; the message names its address. */
export class AlreadyRunning extends Error {
  override name = 'AlreadyRunning'
}

export interface Instance {
  /** Publishes the address of this process for later starts. */
  publish: (url: string) => Promise<void>
  release: () => Promise<void>
}

const noteSchema = z.object({ pid: z.int(), identity: z.string(), url: z.string().nullable() })
type Note = z.output<typeof noteSchema>

const CLAIM_TRIES = 5

/**
 * Claims a data folder for this process by the file `instance.json` in it. Throws AlreadyRunning if a living process holds it. The note of a
 * dead process, or of one whose pid was reused, is replaced.
 */
export async function claimInstance(dataDir: string): Promise<Instance> {
  await mkdir(dataDir, { recursive: true, mode: dataFolderMode() })
  const file = join(dataDir, 'instance.json')
  const mine: Note = { pid: process.pid, identity: processIdentity(process.pid) ?? '', url: null }
  await claim(file, mine)
  return {
    publish: (url) => replace(file, { ...mine, url }),
    release: () => rm(file, { force: true }),
  }
}

async function claim(file: string, mine: Note): Promise<void> {
  const draft = `${file}.${mine.pid}`
  await writeFile(draft, JSON.stringify(mine), { mode: OWN_FILE_MODE }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`Nothing can be written into the data folder: ${file} (${error.code}). Start as its owner, or set DATA_DIR.`, {
      cause: error,
    })
  })
  try {
    for (let tries = 0; tries < CLAIM_TRIES; tries += 1) {
      // A link is created only if the file does not exist: of two simultaneous starts, one fails here.
      const taken = await link(draft, file).then(() => false, isThere)
      if (!taken) return
      const holder = readNote(file)
      if (holder && processIdentity(holder.pid) === holder.identity) throw new AlreadyRunning(alreadyRunning(holder))
      await setAside(file, holder)
    }
  } finally {
    await rm(draft, { force: true })
  }
  throw new AlreadyRunning('Other starts of Meterbook are going on in the same data folder.')
}

function alreadyRunning({ pid, url }: Note): string {
  if (url === null) return `Meterbook is already starting on this data folder (pid ${pid}).`
  return `Meterbook is already running on this data folder: ${url} (pid ${pid}). Use that, stop it, or set DATA_DIR to another folder.`
}

/** Moves a dead holder's note away, and restores it if it turned out to be a living one's. */
async function setAside(file: string, dead: Note | undefined): Promise<void> {
  const aside = `${file}.old-${process.pid}`
  const moved = await rename(file, aside).then(
    () => true,
    () => false,
  )
  if (!moved) return
  const found = readNote(aside)
  if (JSON.stringify(found) !== JSON.stringify(dead)) await link(aside, file).catch(isThere)
  await rm(aside, { force: true })
}

function isThere(error: NodeJS.ErrnoException): true {
  if (error.code !== 'EEXIST') throw error
  return true
}

function readNote(file: string): Note | undefined {
  try {
    return noteSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    // The note is missing or was cut off by a crash: the folder is free.
    return undefined
  }
}

async function replace(file: string, note: Note): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(note), { mode: OWN_FILE_MODE })
  await rename(`${file}.new`, file)
}
