import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'

/** One import as written, and its target file relative to the root; null for a package. */
export interface Import {
  from: string
  line: number
  specifier: string
  to: string | null
}

/** A source file relative to the root, with its text. */
export interface SourceFile {
  path: string
  text: string
}

const SPECIFIER = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)(['"])([.#@\w][^'"\s]*)\1/g

/** Returns every TypeScript file under the folders, including tests and generated ones. */
export async function readSources(root: string, folders: readonly string[]): Promise<SourceFile[]> {
  const paths = await Promise.all(
    folders.map(async (folder) => {
      if (!existsSync(join(root, folder))) return []
      const names = await readdir(join(root, folder), { recursive: true })
      return names.filter((name) => /\.tsx?$/.test(name)).map((name) => join(folder, name).split(sep).join('/'))
    }),
  )
  return Promise.all(
    paths
      .flat()
      .toSorted()
      .map(async (path) => ({ path, text: await readFile(join(root, path), 'utf8') })),
  )
}

/** Returns the imports of a file, both of types and at run time. Comments do not count. */
export function importsOf({ path, text }: SourceFile): Import[] {
  const code = withoutComments(text)
  return [...code.matchAll(SPECIFIER)].map((match) => {
    const specifier = match[2] ?? ''
    return { from: path, line: code.slice(0, match.index).split('\n').length, specifier, to: resolveSpecifier(path, specifier) }
  })
}

/** Returns the text with comments blanked out and line ends kept, so that line numbers stay valid. */
export function withoutComments(text: string): string {
  return text.replaceAll(
    /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|(?<![:\\])\/\/[^\n]*/g,
    (whole: string, literal: string | undefined) => (literal === undefined ? whole.replaceAll(/[^\n]/g, ' ') : whole),
  )
}

function resolveSpecifier(from: string, specifier: string): string | null {
  if (specifier.startsWith('#contract/')) return join('src/contract', specifier.slice('#contract/'.length))
  if (!specifier.startsWith('.')) return null
  return relative('.', join(dirname(from), specifier.replace(/\?.*$/, '')))
    .split(sep)
    .join('/')
}

/** Returns each cycle once, as the path from its alphabetically first file back to itself. */
export function findCycles(all: readonly Import[]): string[] {
  const targets = Map.groupBy(
    all.filter(({ to }) => to !== null),
    ({ from }) => from,
  )
  const found = new Set<string>()
  const done = new Set<string>()
  const visit = (file: string, path: string[]): void => {
    const at = path.indexOf(file)
    if (at >= 0) found.add(nameCycle(path.slice(at)))
    if (at >= 0 || done.has(file)) return
    for (const { to } of targets.get(file) ?? []) if (to !== null) visit(to, [...path, file])
    done.add(file)
  }
  for (const file of targets.keys()) visit(file, [])
  return [...found].toSorted()
}

function nameCycle(files: string[]): string {
  const first = files.indexOf(files.toSorted()[0] ?? '')
  const turned = [...files.slice(first), ...files.slice(0, first)]
  return [...turned, turned[0]].join(' > ')
}

/**
 * Returns pairs of slices that use each other, each once, as `one <> other`. Kernels, the UI kit and files above the slices are not slices.
 */
export function findTwoWayEdges(all: readonly Import[], side: string): string[] {
  const sliceOf = (path: string | null): string | undefined => new RegExp(`^src/${side}/(?!(?:kernel|ui)/)([^/]+)/`).exec(path ?? '')?.[1]
  const edges = new Set<string>()
  for (const { from, to } of all) {
    const [one, other] = [sliceOf(from), sliceOf(to)]
    if (one !== undefined && other !== undefined && one !== other && !/\.test\.tsx?$/.test(from)) edges.add(`${one} > ${other}`)
  }
  return [...edges].flatMap((edge) => {
    const [one = '', other = ''] = edge.split(' > ')
    return one < other && edges.has(`${other} > ${one}`) ? [`${one} <> ${other}`] : []
  })
}
