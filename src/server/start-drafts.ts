/** Drafts of files that a start writes into the data folder before renaming them; a killed start leaves them behind. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { now } from './kernel/clock.ts'

/** A start names or removes its draft within milliseconds. */
const DRAFT_MS_MAX = 3_600_000
const drafts = /^(?:instance\.json\.(?:\d+|old-\d+|new)|secret-key\.\d+)$/

/**
 * Removes drafts that are an hour old or older. It goes by their age, not by the process in their name, because several machines may share the
 * folder.
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
