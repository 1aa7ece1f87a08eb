/** The files of the built console, by what they are made from. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

export const DIST = join(import.meta.dirname, '../../dist')

const chunk = z.object({ file: z.string(), css: z.array(z.string()).default([]), imports: z.array(z.string()).default([]) })
const manifest = z.record(z.string(), chunk).parse(JSON.parse(await readFile(join(DIST, '.vite/manifest.json'), 'utf8')))

/** Returns the key of a chunk. A page is keyed by its source; a group of vite.config.ts by its name, to which the build adds a hash. */
export function keyOf(name: string): string {
  const grouped = new RegExp(`^_${name}-[\\w-]{8}\\.js$`)
  return Object.keys(manifest).find((key) => key === name || grouped.test(key)) ?? name
}

/** Returns the files of a chunk, relative to `DIST`, and the keys of its static imports. Throws if the build has no such chunk. */
export function chunkAt(key: string): z.infer<typeof chunk> {
  const found = manifest[key]
  if (!found) throw new Error(`The build has no chunk ${key}.`)
  return found
}
