import { withoutComments, type SourceFile } from '../test/support/imports.ts'

/** Shorter runs are alike by chance. Tools that look for copies start with these limits. */
const CLONE_TOKENS = 50
const CLONE_LINES = 5
const TOKEN = /'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|[\w$]+|=>|[=!<>&|?+*-]+|\S/g

interface Token {
  readonly text: string
  readonly line: number
}

/** Returns the share of duplicated lines, from 0 to 1: runs of the same tokens, regardless of spaces. Imports do not count. */
export function cloneShare(files: readonly SourceFile[]): number {
  const seen = new Map<string, string>()
  const doubled = new Set<string>()
  let lines = 0
  for (const { path, text } of files) {
    lines += text.split('\n').length - 1
    const tokens = tokensOf(text)
    for (let at = 0; at + CLONE_TOKENS <= tokens.length; at += 1) {
      const run = tokens.slice(at, at + CLONE_TOKENS)
      if (linesOf(run) < CLONE_LINES) continue
      const key = run.map((token) => token.text).join(' ')
      const first = seen.get(key)
      if (first === undefined) seen.set(key, `${path}:${at}`)
      else if (!overlaps(first, path, at)) for (const { line } of run) doubled.add(`${path}:${line}`)
    }
  }
  return doubled.size / Math.max(lines, 1)
}

/** A run that repeats itself, as a list of similar elements does, is not a copy of another place. */
function overlaps(first: string, path: string, at: number): boolean {
  const [file, place] = first.split(':')
  return file === path && at - Number(place) < CLONE_TOKENS
}

function linesOf(run: readonly Token[]): number {
  return (run.at(-1)?.line ?? 0) - (run[0]?.line ?? 0) + 1
}

function tokensOf(text: string): Token[] {
  const code = withoutComments(text).replaceAll(/^(?:import|export) (?:type )?[^;=()]*? from '[^']+'$/gm, (whole) =>
    whole.replaceAll(/[^\n]/g, ' '),
  )
  let line = 1
  let last = 0
  return [...code.matchAll(TOKEN)].map((match) => {
    line += code.slice(last, match.index).split('\n').length - 1
    last = match.index
    return { text: match[0], line }
  })
}
