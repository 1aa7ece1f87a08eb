/** Text analysis of the sources for what should be written once: lists of field names, and texts of refusals. */
import { withoutComments, type SourceFile } from './imports.ts'

/** A list that names several fields: an object, an array, an interface or a text of SQL. */
export interface FieldList {
  readonly path: string
  readonly line: number
  readonly fields: number
}

const TOKEN = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|[A-Za-z_$][\w$]*|\n|[^\s\w]/g

interface Frame {
  readonly open: string
  readonly names: Set<string>
  readonly line: number
  first: string | null
}

/** Returns every list that names at least `least` of the fields. */
export function listsOfFields(file: SourceFile, fields: ReadonlySet<string>, least: number): FieldList[] {
  const found: FieldList[] = []
  const keep = (names: Iterable<string>, line: number): void => {
    const count = [...new Set(names)].filter((name) => fields.has(name)).length
    if (count >= least) found.push({ path: file.path, line, fields: count })
  }
  const frames: Frame[] = []
  let line = 1
  const tokens = [...withoutComments(file.text).matchAll(TOKEN)].map(([token]) => token)
  for (const [at, token] of tokens.entries()) {
    const frame = frames.at(-1)
    if (token === '\n') line += 1
    else if ('{[('.includes(token)) frames.push({ open: token, names: new Set(), line, first: null })
    else if ('}])'.includes(token)) closeFrame(frames, keep)
    else if (token.startsWith('`')) keep(token.match(/[a-z_]+/g) ?? [], line)
    else if (token.startsWith("'") && frame?.open === '[') addText(frame, token.slice(1, -1))
    else if (frame?.open === '{' && isKey(tokens, at)) frame.names.add(token)
    if (token.startsWith('`')) line += token.split('\n').length - 1
  }
  return found
}

function closeFrame(frames: Frame[], keep: (names: Iterable<string>, line: number) => void): void {
  const closed = frames.pop()
  if (!closed) return
  if (closed.open !== '(') keep(closed.names, closed.line)
  // A row of a table of fields: `['date', 'Bill Date']`.
  const outer = frames.at(-1)
  if (closed.open === '[' && outer?.open === '[' && closed.first !== null) outer.names.add(closed.first)
}

function addText(frame: Frame, text: string): void {
  frame.first ??= text
  frame.names.add(text)
}

/** A name after the opening brace, a comma or a new line, and before a colon, a comma or the closing brace. */
function isKey(tokens: readonly string[], at: number): boolean {
  const before = tokens[at - 1] ?? ''
  const after = tokens[at + 1] === '?' ? tokens[at + 2] : tokens.slice(at + 1).find((token) => token !== '\n')
  return /^\w+$/.test(tokens[at] ?? '') && ['{', ',', ';', '\n', 'readonly'].includes(before) && [':', ',', '}'].includes(after ?? '')
}

/** A text of the sources with the places where it is written. */
export interface RepeatedText {
  readonly text: string
  readonly places: readonly string[]
}

const LITERAL = /'((?:\\.|[^'\\\n]){12,})'|`((?:\\.|[^`\\\n]){12,})`/g
/** A refusal is a sentence that says what is not so, must be so or may not be done. */
const REFUSES =
  /\b(must|cannot|may not|not|no|already|required|is closed|is empty|more than|gone|unknown|at least one|stopped|meanwhile)\b/i

/** Returns the refusals that are written in more than one place. */
export function repeatedRefusals(files: readonly SourceFile[]): RepeatedText[] {
  const places = new Map<string, Set<string>>()
  for (const { path, text } of files)
    for (const [at, line] of withoutComments(text).split('\n').entries())
      for (const match of line.matchAll(LITERAL)) {
        const said = (match[1] ?? match[2] ?? '').replaceAll(/\$\{[^{}]*\}/g, '…')
        if (isRefusal(said)) places.set(said, (places.get(said) ?? new Set()).add(`${path}:${at + 1}`))
      }
  return [...places].flatMap(([text, all]) => (all.size > 1 ? [{ text, places: [...all] }] : []))
}

function isRefusal(text: string): boolean {
  if (!/^(?:[A-Z]|… (?:is|must|has|cannot|holds|was)\b)/.test(text) || text.split(' ').length < 3) return false
  return REFUSES.test(text) && !/ is (?:not )?null\b/.test(text)
}
