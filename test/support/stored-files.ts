/** The files that a launched program keeps on its disk, beside the rows that name them, and its sweeps of what no row names. */
import { readdir, utimes } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import type { Tx } from '../../src/server/kernel/postgres/database.ts'
import { START_MS, type Program } from './launch.ts'

interface StoredFiles {
  /** Paths of all files. */
  paths(): Promise<string[]>
  /** Paths of files that are not completely written. */
  halves(): Promise<string[]>
  /** Keys of complete files that no row names. */
  unnamed(): Promise<string[]>
  /** Keys of rows whose file is not there. */
  withoutFile(): Promise<string[]>
  /** Makes all files and their rows two days older. @returns the time that they have now. */
  age(): Promise<Date>
  /** Number of finished sweeps of the two kinds in the queue. */
  sweepsDone(): Promise<number>
  /** Waits until both sweeps have ended again. */
  sweptSince(before: number): Promise<void>
}

const TWO_DAYS_MS = 48 * 3_600_000

export function storedFilesOf(db: Tx, program: Program): StoredFiles {
  const folder = join(program.folder, 'files')
  const paths = async (): Promise<string[]> => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  }
  const isHalf = (path: string): boolean => path.includes('.part-')
  const sweepsDone = async (): Promise<number> => {
    const { rows } = await sql<{
      done: number
    }>`select least(count(*) filter (where name = 'sweep_strays'), count(*) filter (where name = 'sweep_files'))::int as done
      from pgboss.job where state = 'completed'`.execute(db)
    return rows[0]?.done ?? 0
  }
  return {
    paths,
    sweepsDone,
    halves: async () => (await paths()).filter(isHalf),
    unnamed: async () => {
      const keys = (await paths()).filter((path) => !isHalf(path)).map((path) => relative(folder, path))
      const { rows } = await sql<{
        key: string
      }>`select key from unnest(${keys}::text[]) as stored(key) where key not in (select key from files)`.execute(db)
      return rows.map(({ key }) => key)
    },
    withoutFile: async () => {
      const keys = (await paths()).map((path) => relative(folder, path))
      const { rows } = await sql<{ key: string }>`select key from files where key <> all(${keys}::text[])`.execute(db)
      return rows.map(({ key }) => key)
    },
    age: async () => {
      const then = new Date(Date.now() - TWO_DAYS_MS)
      for (const path of await paths()) await utimes(path, then, then)
      await sql`update files set created_at = ${then}`.execute(db)
      return then
    },
    sweptSince: (before) =>
      vi.waitFor(
        async () => {
          const { rows } = await sql<{
            open: number
          }>`select count(*)::int as open from pgboss.job where name in ('sweep_files', 'sweep_strays') and state < 'completed'`.execute(db)
          expect(rows[0]?.open).toBe(0)
          expect(await sweepsDone()).toBeGreaterThan(before)
        },
        { timeout: START_MS, interval: 50 },
      ),
  }
}

/** Two days later the program has swept what no row names. A database that is younger than a file leaves it alone. */
export async function sweptTwoDaysLater(db: Tx, program: Program): Promise<StoredFiles> {
  const files = storedFilesOf(db, program)
  const then = await files.age()
  await sql`update schema_migrations set applied_at = ${new Date(then.getTime() - 1)}`.execute(db)
  const before = await files.sweepsDone()
  await program.launch()
  await files.sweptSince(before)
  return files
}
