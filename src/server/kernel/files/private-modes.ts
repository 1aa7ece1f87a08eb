/** File modes of the data folder: only the account of the program may read it. */
import { chmod, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

export const OWN_FILE_MODE = 0o600
export const OWN_FOLDER_MODE = 0o700
const OTHERS = 0o077

/**
 * The mode of the data folder itself. Started as root, the embedded database runs under another account, which must get through to its own
 * folder: it may enter and may not look.
 */
export function dataFolderMode(): number {
  return process.getuid?.() === 0 ? 0o711 : OWN_FOLDER_MODE
}

/** Names that this program writes into the data folder. A folder with other names, such as a home, is not closed. */
const ours = /^(?:pg18(?:\..+)?|files|outbox|audit-heads|secret-key(?:\..+)?|instance\.json(?:\..+)?)$/

export interface OpenPaths {
  /** How many in the data folder were closed. */
  readonly closed: number
  /** Paths that other users of the machine may read and whose mode could not be changed, with the reason. */
  readonly left: readonly string[]
}

/**
 * Takes from others what a former version, a copy or a loose umask has given them. Costs a look at a dozen names where all is closed: what
 * lies in a closed folder is out of reach, so the walk below it is made before the folder itself is closed, and once.
 */
export async function closeDataFolder(dataDir: string): Promise<OpenPaths> {
  const closer = new Closer()
  const names = await readdir(dataDir).catch(() => [])
  for (const name of names.filter((one) => ours.test(one) && one !== 'pg18')) await closer.close(join(dataDir, name))
  if (names.every((name) => ours.test(name))) await closer.narrow(dataDir, dataFolderMode())
  return closer
}

/** The same as a look that changes nothing. @returns the paths that others may read. */
export async function openToOthers(dataDir: string): Promise<string[]> {
  const names = await readdir(dataDir).catch(() => [])
  const paths = names.filter((one) => ours.test(one) && one !== 'pg18').map((name) => join(dataDir, name))
  const found = await Promise.all(paths.map(async (path) => ({ path, at: await lstat(path).catch(() => undefined) })))
  return found.flatMap(({ path, at }) => (at && !at.isSymbolicLink() && (at.mode & OTHERS) !== 0 ? [path] : []))
}

class Closer implements OpenPaths {
  closed = 0
  left: string[] = []

  /** Links are not followed: they may lead to what is not ours. */
  async close(path: string): Promise<void> {
    const found = await lstat(path).catch(() => undefined)
    if (!found || (found.mode & OTHERS) === 0) return
    if (found.isDirectory()) {
      for (const name of await readdir(path).catch(() => [])) await this.close(join(path, name))
      await this.narrow(path, OWN_FOLDER_MODE)
    } else if (found.isFile()) await this.narrow(path, OWN_FILE_MODE)
    this.closed += 1
  }

  async narrow(path: string, most: number): Promise<void> {
    try {
      const { mode } = await lstat(path)
      if ((mode & 0o777 & ~most) === 0) return
      await chmod(path, mode & most)
    } catch (error) {
      this.left.push(`${path} (${error instanceof Error && 'code' in error ? String(error.code) : 'unknown'})`)
    }
  }
}
