import { globSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../src/contract')

/** Returns every module of the contract except its tests, so that a test can cover everything declared in it. */
export async function contractModules(): Promise<Record<string, unknown>[]> {
  const files = globSync('**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'))
  return Promise.all(files.map((file): Promise<Record<string, unknown>> => import(join(root, file))))
}
