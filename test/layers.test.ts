import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { findCycles, findTwoWayEdges, importsOf, readSources, withoutComments, type Import, type SourceFile } from './support/imports.ts'

const ROOT = join(import.meta.dirname, '..')
const sources = await readSources(ROOT, ['src'])
const imports = sources.flatMap(importsOf)
const isTest = (path: string) => /\.test\.tsx?$/.test(path)

/** Packages that src/contract may import, and the files that may import them. */
const CONTRACT_PACKAGES = new Map([
  ['zod', /^src\/contract\//],
  ['big.js', /^src\/contract\/kernel\/decimal\.ts$/],
])

/** Files of src/server that are above the slices and combine them. */
const SERVER_APP = /^src\/server\/(main|run|start|parts|app|machinery|handlers|slice-jobs)\.ts$/
const WEB_APP = /^src\/web\/(main|app|routes)\.tsx?$/

interface Rule {
  title: string
  /** Returns true if an import breaks the rule. */
  breaks: (one: Import) => boolean
}

const within = (path: string | null, folder: string) => path?.startsWith(`${folder}/`) ?? false
const sliceOf = (path: string, side: string) => new RegExp(`^src/${side}/([^/]+)/`).exec(path)?.[1]

const isWebSlice = (folder: string) => folder !== 'kernel' && folder !== 'ui'

const RULES: Rule[] = [
  {
    title: 'the contract imports zod and itself only',
    breaks: ({ from, to, specifier }) =>
      within(from, 'src/contract') &&
      !isTest(from) &&
      !within(to, 'src/contract') &&
      !(to === null && CONTRACT_PACKAGES.get(specifier)?.test(from)),
  },
  {
    title: 'server and console never meet',
    breaks: ({ from, to }) =>
      (within(from, 'src/server') && within(to, 'src/web')) || (within(from, 'src/web') && within(to, 'src/server')),
  },
  {
    title: 'the kernel of the server knows no slice and no application',
    breaks: ({ from, to }) =>
      within(from, 'src/server/kernel') && !isTest(from) && within(to, 'src/server') && !within(to, 'src/server/kernel'),
  },
  {
    title: 'a slice of the server does not know the application above it',
    breaks: ({ from, to }) =>
      !isTest(from) &&
      within(from, 'src/server') &&
      !SERVER_APP.test(from) &&
      SERVER_APP.test(to ?? '') &&
      sliceOf(from, 'server') !== undefined,
  },
  {
    title: 'a slice of the server uses another one only through its front door, the file named like the folder',
    breaks: ({ from, to }) => {
      const [here, there] = [sliceOf(from, 'server'), sliceOf(to ?? '', 'server')]
      if (there === undefined || there === 'kernel' || here === there || isTest(from)) return false
      return !to?.endsWith(`/${there}/${there}.ts`)
    },
  },
  {
    title: 'a slice of the console uses another one only through its front door, the file named like the folder',
    breaks: ({ from, to }) => {
      const [here, there] = [sliceOf(from, 'web'), sliceOf(to ?? '', 'web')]
      if (there === undefined || !isWebSlice(there) || here === there || !within(from, 'src/web') || isTest(from)) return false
      // The application lists the pages of each slice.
      if (WEB_APP.test(from) && to === `src/web/${there}/routes.ts`) return false
      return !new RegExp(`/${there}/${there}\\.tsx?$`).test(to ?? '')
    },
  },
  {
    title: 'src/web/ui knows no domain word: of ours only itself and the money, dates and numbers of the contract’s kernel',
    breaks: ({ from, to }) => within(from, 'src/web/ui') && to !== null && !within(to, 'src/web/ui') && !within(to, 'src/contract/kernel'),
  },
  {
    title: 'the kernel of the console knows no slice',
    breaks: ({ from, to }) =>
      within(from, 'src/web/kernel') && within(to, 'src/web') && !within(to, 'src/web/kernel') && !within(to, 'src/web/ui'),
  },
  {
    title: 'a slice of the console does not know the application above it',
    breaks: ({ from, to }) => sliceOf(from, 'web') !== undefined && !isTest(from) && WEB_APP.test(to ?? ''),
  },
  {
    title: 'nothing under src imports tests, scripts or benches, but tests',
    breaks: ({ from, to }) => !isTest(from) && /^(test|scripts|bench)\//.test(to ?? ''),
  },
]

const told = ({ from, line, specifier }: Import) => `${from}:${line} imports ${specifier}`

describe('who may import whom', () => {
  test('the walk sees the whole of the sources', () => {
    expect(sources.length).toBeGreaterThan(100)
    expect(imports.length).toBeGreaterThan(sources.length)
    expect(
      imports
        .filter(({ to }) => to !== null && !sources.some(({ path }) => path === to) && /\.tsx?$/.test(to) && within(to, 'src'))
        .map(told),
    ).toEqual([])
  })

  test.each(RULES)('$title', ({ breaks }) => {
    expect(imports.filter(breaks).map(told)).toEqual([])
  })

  test('no file reaches itself through its imports', () => {
    expect(findCycles(imports)).toEqual([])
  })

  test.each(['server', 'web'])('no two slices of the %s use each other', (side) => {
    expect(findTwoWayEdges(imports, side)).toEqual([])
  })
})

describe('what is said in one place only', () => {
  test('colours: no raw hex colour under src/web outside the token files', () => {
    const allowed = /^src\/web\/(ui|login|styles)\/(tokens|theme|palette-tokens)[^/]*$/
    expect(
      linesWith(/#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})\b(?!\/)/, (path) => within(path, 'src/web') && !allowed.test(path)),
    ).toEqual([])
  })

  test('settings: process.env is read by config.ts alone', () => {
    expect(linesWith(/\bprocess\.env\b/, (path) => path !== 'src/server/config.ts')).toEqual([])
  })

  test('time: the server and the contract ask the clock', () => {
    const exceptions = new Set([
      'src/server/kernel/clock.ts', // it is the clock
      'src/server/kernel/log.ts', // a log prints the machine's time, even when a test has set the clock
    ])
    const asks = /\bDate\.now\(|\bnew Date\(\s*\)/
    expect(linesWith(asks, (path) => /^src\/(server|contract)\//.test(path) && !exceptions.has(path))).toEqual([])
  })

  test('nothing silences the compiler or the linter', () => {
    const silenced = sources.flatMap(({ path, text }) =>
      /@ts-(ignore|nocheck|expect-error)|(eslint|oxlint)-disable/.test(text) ? [path] : [],
    )
    expect(silenced).toEqual([])
  })
})

describe('the rules themselves can fail', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'meterbook-layers-'))
  afterAll(() => rm(folder, { recursive: true }))

  async function plant(path: string, text: string): Promise<Import[]> {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
    const planted = (await readSources(folder, ['src'])).filter((file) => file.path === path)
    return planted.flatMap(importsOf)
  }

  test.each([
    ['the contract imports zod and itself only', 'src/contract/a.ts', `import pg from 'pg'`],
    ['the contract imports zod and itself only', 'src/contract/b.ts', `export { x } from '../server/kernel/clock.ts'`],
    ['server and console never meet', 'src/web/vendors/a.ts', `import type { X } from '../../server/app.ts'`],
    ['server and console never meet', 'src/server/vendors/b.ts', `const x = await import("../../web/app.tsx")`],
    [
      'the kernel of the server knows no slice and no application',
      'src/server/kernel/a.ts',
      `import { vendors } from '../vendors/vendors.ts'`,
    ],
    ['a slice of the server does not know the application above it', 'src/server/vendors/c.ts', `import { createApp } from '../app.ts'`],
    [
      'a slice of the server uses another one only through its front door, the file named like the folder',
      'src/server/vendors/d.ts',
      `import {\n  x,\n} from '../bills/totals.ts'`,
    ],
    [
      'a slice of the console uses another one only through its front door, the file named like the folder',
      'src/web/vendors/f.tsx',
      `const Page = lazy(() => import('../bills/bill-page.tsx'))`,
    ],
    [
      'a slice of the console uses another one only through its front door, the file named like the folder',
      'src/web/vendors/g.tsx',
      `import styles from '../bills/bills.module.css'`,
    ],
    [
      'src/web/ui knows no domain word: of ours only itself and the money, dates and numbers of the contract’s kernel',
      'src/web/ui/a.tsx',
      `import { x } from '#contract/vendors/vendor.ts'`,
    ],
    ['the kernel of the console knows no slice', 'src/web/kernel/a.ts', `import { x } from '../vendors/list.tsx'`],
    ['a slice of the console does not know the application above it', 'src/web/vendors/e.ts', `import { x } from '../app.tsx'`],
    [
      'nothing under src imports tests, scripts or benches, but tests',
      'src/server/vendors/f.ts',
      `import { x } from '../../../test/support/cluster.ts'`,
    ],
  ])('%s: %s', async (title, path, text) => {
    const planted = await plant(path, text)
    expect(planted).toHaveLength(1)
    expect(planted.filter((one) => RULES.find((rule) => rule.title === title)?.breaks(one))).toHaveLength(1)
  })

  test('an allowed import breaks no rule, and one in a comment is none', async () => {
    const fine = await plant(
      'src/server/vendors/g.ts',
      `// import x from '../../web/app.tsx'\nimport { x } from '../bills/bills.ts'\nimport { y } from '#contract/vendors/vendor.ts'`,
    )
    expect(fine.map(({ line, to }) => [line, to])).toEqual([
      [2, 'src/server/bills/bills.ts'],
      [3, 'src/contract/vendors/vendor.ts'],
    ])
    expect(fine.filter((one) => RULES.some(({ breaks }) => breaks(one)))).toEqual([])
  })

  test('a cycle is found with its path', () => {
    const edge = (from: string, to: string): Import => ({ from, to, line: 1, specifier: to })
    expect(findCycles([edge('a', 'b'), edge('b', 'c'), edge('c', 'a'), edge('d', 'a')])).toEqual(['a > b > c > a'])
  })

  test('slices that use each other are found, and what they have of the kernel is none', () => {
    const edge = (from: string, to: string): Import => ({ from: `src/web/${from}`, to: `src/web/${to}`, line: 1, specifier: to })
    const some = [edge('a/x.ts', 'b/b.ts'), edge('b/y.ts', 'a/a.ts'), edge('a/x.ts', 'c/c.ts'), edge('a/x.ts', 'kernel/k.ts')]
    expect(findTwoWayEdges([...some, edge('kernel/k.ts', 'a/a.ts'), edge('c/c.test.ts', 'a/a.ts')], 'web')).toEqual(['a <> b'])
  })

  test('a colour in a string is found, one in a comment is not', () => {
    const planted: SourceFile[] = [{ path: 'src/web/x.ts', text: `// #fff\nconst c = '#a1b2c3'` }]
    expect(linesWith(/#[0-9a-f]{6}/, () => true, planted)).toEqual(['src/web/x.ts:2'])
  })
})

function linesWith(pattern: RegExp, applies: (path: string) => boolean, files: readonly SourceFile[] = sources): string[] {
  return files
    .filter(({ path }) => applies(path) && !isTest(path))
    .flatMap(({ path, text }) =>
      withoutComments(text)
        .split('\n')
        .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}`] : [])),
    )
}
