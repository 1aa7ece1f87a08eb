/** Files that a start writes into the data folder before it gives them their names, and that are left where it is killed meanwhile. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { now } from './kernel/clock.ts'

/** A start that has written a draft names or removes it within milliseconds. */
const DRAFT_MS_MAX = 3_600_000
const drafts = /^(?:instance\.json\.(?:\d+|old-\d+|new)|secret-key\.\d+)$/

/**
 * Removes those of an hour ago and earlier. By their age and not by the process in their name: the folder may be shared by several machines.
 * @returns how many were removed.
 */
export async function sweepDrafts(dataDir: string): Promise<number> {
  const names = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'EACCES') return []
    throw error
  })
  const before = now().getTime() - DRAFT_MS_MAX
  let removed = 0
  for (const name of names.filter((one) => drafts.test(one))) {
    const path = join(dataDir, name)
    const draft = await stat(path).catch(() => null)
    if (draft === null || draft.mtimeMs >= before) continue
    await rm(path, { force: true })
    removed += 1
  }
  return removed
}
