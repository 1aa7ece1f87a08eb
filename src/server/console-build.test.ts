import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildConsole } from './console-build.ts'

const HOUR_MS = 3_600_000
let root = ''

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'meterbook-console-'))
  await symlink(join(import.meta.dirname, '../../node_modules'), join(root, 'node_modules'))
  await mkdir(join(root, 'src/web/vendors'), { recursive: true })
  await writeFile(join(root, 'index.html'), '<script type="module" src="/src/web/main.ts"></script>')
  await writeFile(join(root, 'src/web/main.ts'), 'document.title = "first"')
  await writeFile(join(root, 'src/web/vendors/list.ts'), 'export const list = 1')
  await age(-HOUR_MS)
})
afterEach(() => rm(root, { recursive: true }))

/** Sets the modification time of every source and folder, relative to now. */
async function age(milliseconds: number): Promise<void> {
  const time = new Date(Date.now() + milliseconds)
  for (const name of ['index.html', 'src', ...(await readdir(join(root, 'src'), { recursive: true })).map((inner) => join('src', inner))]) {
    await utimes(join(root, name), time, time)
  }
}

async function builtText(): Promise<string> {
  const assets = await readdir(join(root, 'dist/assets'))
  return (await Promise.all(assets.map((name) => readFile(join(root, 'dist/assets', name), 'utf8')))).join('')
}

test('what a killed build left is removed, what a running one makes is not', async () => {
  await mkdir(join(root, 'dist.new-2147483000'))
  await mkdir(join(root, `dist.new-${process.ppid}`))
  await buildConsole(root)
  expect((await readdir(root)).filter((name) => name.startsWith('dist')).toSorted()).toEqual(['dist', `dist.new-${process.ppid}`])
})

test('a missing console is built, and one that is newer than its sources is left alone', async () => {
  expect(await buildConsole(root)).toBe(true)
  expect(await builtText()).toContain('first')
  expect(await buildConsole(root)).toBe(false)
  expect((await readdir(root)).filter((name) => name.startsWith('dist'))).toEqual(['dist'])
})

test('a changed, an added and a deleted source each make it stale; a changed test does not', async () => {
  await buildConsole(root)
  await writeFile(join(root, 'src/web/main.ts'), 'document.title = "second"')
  expect(await buildConsole(root)).toBe(true)
  expect(await builtText()).toContain('second')
  await rm(join(root, 'src/web/vendors/list.ts'))
  expect(await buildConsole(root)).toBe(true)
  await writeFile(join(root, 'src/web/vendors/other.ts'), '')
  expect(await buildConsole(root)).toBe(true)
  await writeFile(join(root, 'src/web/main.test.ts'), '')
  await age(-HOUR_MS)
  await writeFile(join(root, 'src/web/main.test.ts'), 'changed')
  expect(await buildConsole(root)).toBe(false)
})

test('sources that do not build are an error with the builder’s words, and the old console stays', async () => {
  await buildConsole(root)
  await writeFile(join(root, 'src/web/main.ts'), 'document.title = "third" +')
  await expect(buildConsole(root)).rejects.toThrow(/^The console could not be built: [\s\S]*main\.ts/)
  await expect(buildConsole(root)).rejects.not.toThrow(/^\s+at /m)
  expect(existsSync(join(root, 'dist/index.html'))).toBe(true)
  expect((await readdir(root)).filter((name) => name.startsWith('dist'))).toEqual(['dist'])
})
