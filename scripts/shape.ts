import { join } from 'node:path'
import { cloneShare } from './clones.ts'
import { findCycles, findTwoWayEdges, importsOf, readSources, withoutComments, type SourceFile } from '../test/support/imports.ts'
import { countUncheckedRows } from '../test/support/rows/compared-rows.ts'

/**
 * Prints the shape of the sources beside the best values found in the codebases that we compare ourselves with. It is text analysis:
 * functions are counted by braces, and `as` and `!` by their spelling.
 */
const LONG_FUNCTION_LINES = 70

/** Entities with a list, a form and the six calls, and nothing more: contract, server and console without tests. */
const plainEntities = [
  { name: 'cost parameters', file: 'cost-parameter', folder: 'cost-parameters' },
  { name: 'production units', file: 'production-unit', folder: 'production-units' },
  { name: 'facility types', file: 'facility-type', folder: 'facility-types' },
  { name: 'payment methods', file: 'payment-method', folder: 'payment-methods' },
] as const
/** Outline's API keys, the smallest slice of a plain entity among the codebases that we compare ourselves with. */
const plainBest = '19 / 1482, our target 5 / 200'

const COMMENT = /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|(?<![:\\])\/\/[^\n]*/g
/** "What was sent." names no thing; "Where it is empty, …" has its subject after the comma. */
const HEADLESS =
  /^(?:What|Who|Whose|Whoever|Whatever|Of|Said|Told|By what|To what)\b(?![^.:;]*, (?:it|they|he|the|a|an|each|both)\b)|^Where [^,]*[.:;]/
/** Words that a reader has to decode; `settles` is right of a payment file and its day. */
const WORN = /\b(?:tells?|telling|told|said|stands?|dear|worn)\b|\bsettled?\b(?![^.]*\b(?:file|day|payment)s?\b)/i

interface Row {
  name: string
  value: string
  best: string
}

const ROOT = join(import.meta.dirname, '..')
const all = await readSources(ROOT, ['src', 'test', 'scripts', 'bench'])
const isTest = ({ path }: SourceFile) => /\.test\.tsx?$/.test(path) || path.startsWith('test/')
const isGenerated = ({ path }: SourceFile) => path === 'src/server/tables.ts'
const sources = all.filter((file) => file.path.startsWith('src/') && !isTest(file) && !isGenerated(file))
const tests = all.filter(isTest)

const parts = ['contract', 'server', 'web'].map((side) => ({ side, files: sources.filter(({ path }) => path.startsWith(`src/${side}/`)) }))
for (const { side, files } of [{ side: 'all of src', files: sources }, ...parts]) {
  if (files.length === 0) continue
  console.log(`\n${side}: ${files.length} files, ${sum(files.map(lines))} lines`)
  printRows(shapeOf(files))
}
console.log('\nthe whole')
printRows(wholeOf())

function shapeOf(files: SourceFile[]): Row[] {
  const lengths = files.map(lines)
  const functions = files.flatMap(functionLengths)
  const imports = files.map((file) => importsOf(file).length)
  const long = functions.filter((length) => length > LONG_FUNCTION_LINES).length
  return [
    {
      name: 'file lines, median / p95 / max',
      value: [quantile(lengths, 0.5), quantile(lengths, 0.95), Math.max(...lengths)].join(' / '),
      best: '40 / 177 / 217',
    },
    { name: 'function lines, median / p95', value: [quantile(functions, 0.5), quantile(functions, 0.95)].join(' / '), best: '8 / 35' },
    { name: `functions over ${LONG_FUNCTION_LINES} lines`, value: percent(long, functions.length), best: '0.9 %' },
    { name: 'imports of a file, median / p95', value: [quantile(imports, 0.5), quantile(imports, 0.95)].join(' / '), best: '4 / 9' },
    {
      name: 'any / as / ! per 1,000 lines',
      value: [/[:<|(]\s*any\b(?!\()/g, /\bas (?!const\b)[A-Za-z{[(]/g, /[\w)\]]!(?=[.,;)\]\s[]|$)(?!=)/gm]
        .map((pattern) => perThousand(files, pattern))
        .join(' / '),
      best: '0.1 / 1.0 / 0.0',
    },
  ]
}

function wholeOf(): Row[] {
  const comments = all.flatMap(commentsOf)
  const headless = comments.filter((one) => HEADLESS.test(one))
  const imports = sources.flatMap(importsOf)
  const cyclic = new Set(findCycles(imports).flatMap((cycle) => cycle.split(' > ')))
  return [
    { name: 'files in import cycles', value: percent(cyclic.size, sources.length), best: '0 %' },
    ...['server', 'web'].map((side) => ({
      name: `slices of the ${side} that use each other`,
      value: findTwoWayEdges(imports, side).join(', ') || '0',
      best: '0',
    })),
    { name: 'lines that stand twice', value: `${(100 * cloneShare(sources)).toFixed(2)} %`, best: '1.2 %' },
    { name: 'rows of the database that nothing checks', value: String(countUncheckedRows()), best: 'our target 60' },
    { name: 'comments without a subject', value: `${headless.length} of ${comments.length}`, best: 'our target 0' },
    {
      name: 'comments with tell, said, stands, settle',
      value: String(comments.filter((one) => WORN.test(one)).length),
      best: 'our target 0',
    },
    { name: 'test lines to source lines', value: (sum(tests.map(lines)) / sum(sources.map(lines))).toFixed(2), best: '1.14' },
    ...plainEntities.map(({ file, folder, name }) => ({ name: `${name}: files / lines`, value: costOf(file, folder), best: plainBest })),
    { name: 'vendors, which are plain no longer', value: costOf('vendor', 'vendors'), best: plainBest },
  ]
}

/** Returns the comments of a file as running text. */
function commentsOf({ text }: SourceFile): string[] {
  return [...text.matchAll(COMMENT)].flatMap(([whole, literal]) =>
    literal === undefined
      ? [
          whole
            .replaceAll(/^\/\*+|\*\/$|^\/\//g, '')
            .replaceAll(/\n\s*(?:\*|\/\/)?/g, ' ')
            .replaceAll(/\s+/g, ' ')
            .trim(),
        ]
      : [],
  )
}

function costOf(file: string, folder: string): string {
  const mine = sources.filter(
    ({ path }) =>
      (path.startsWith('src/contract/') && path.endsWith(`/${file}.ts`)) ||
      path.startsWith(`src/server/${folder}/`) ||
      path.startsWith(`src/web/${folder}/`),
  )
  return `${mine.length} / ${sum(mine.map(lines))}`
}

function printRows(rows: Row[]): void {
  for (const { name, value, best } of rows) console.log(`  ${name.padEnd(42)}${value.padEnd(22)}best seen: ${best}`)
}

function lines({ text }: SourceFile): number {
  return text.split('\n').length - 1
}

/** A body is the text between a brace at the end of a signature's line and its matching brace. */
function functionLengths(file: SourceFile): number[] {
  const code = withoutComments(file.text).replaceAll(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g, (text) =>
    text.replaceAll(/[^\n]/g, ' '),
  )
  return [...code.matchAll(/(?:\bfunction\b(?:(?!\bfunction\b)[\s\S]){0,600}?[^({,:|&<=\s]\s*|=>\s*)\{\n/g)].map((match) => {
    const start = match.index + (match[0].startsWith('=>') ? 0 : match[0].search(/\bfunction\b/))
    const end = closingBrace(code, match.index + match[0].length - 2)
    return code.slice(start, end).split('\n').length
  })
}

function closingBrace(code: string, open: number): number {
  let depth = 0
  for (let at = open; at < code.length; at += 1) {
    if (code[at] === '{') depth += 1
    if (code[at] === '}') depth -= 1
    if (depth === 0) return at
  }
  return code.length
}

function perThousand(files: SourceFile[], pattern: RegExp): string {
  const blankTexts = (text: string) =>
    withoutComments(text)
      .replaceAll(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|>[^<>{}]*</g, '""')
      .replaceAll(/^import .*$|\* as /gm, '')
  const hits = sum(files.map(({ text }) => [...blankTexts(text).matchAll(pattern)].length))
  return ((hits * 1000) / sum(files.map(lines))).toFixed(1)
}

function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / Math.max(whole, 1)).toFixed(1)} %`
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
