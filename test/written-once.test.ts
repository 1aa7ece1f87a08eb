/** The fields of a bill and of its lines, and the text of each refusal, are written in one place. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { headFields, lineFields } from '#contract/bills/bill-fields.ts'
import { namesOf } from '#contract/kernel/record.ts'
import { readSources, type SourceFile } from './support/imports.ts'
import { listsOfFields, repeatedRefusals, type FieldList } from './support/repeated-words.ts'

const ROOT = join(import.meta.dirname, '..')
const sources = (await readSources(ROOT, ['src'])).filter(
  ({ path }) => !/\.test\.tsx?$/.test(path) && path !== 'src/server/tables.ts' && !path.startsWith('src/server/demo/'),
)
const RECORD = 'src/contract/bills/bill-fields.ts'
/** A list of fewer fields means those fields, and not the bill. */
const LEAST = 6

/** The goal is 12 of both together. Most that remain are records of their own: statements, files, invoices and readings. */
const HEAD_LISTS_MAX = 41
const LINE_LISTS_MAX = 32
/** The goal is none. */
const REPEATED_REFUSALS_MAX = 48

const told = ({ path, line, fields }: FieldList): string => `${path}:${line} names ${fields}`

test.each([
  ['a bill', namesOf(headFields), HEAD_LISTS_MAX],
  ['a line', namesOf(lineFields), LINE_LISTS_MAX],
] as const)(`the fields of %s are listed outside of their record in no more places than before`, (name, fields, most) => {
  const lists = sources.filter(({ path }) => path !== RECORD).flatMap((file) => listsOfFields(file, new Set<string>(fields), LEAST))
  console.log(
    `written-once: ${lists.length} lists of ${LEAST} or more fields of ${name} in ${new Set(lists.map(({ path }) => path)).size} files`,
  )
  expect(lists.length, lists.map(told).join('\n')).toBeLessThanOrEqual(most)
})

test('no refusal is written a second time in the contract and the server', () => {
  const repeated = repeatedRefusals(sources.filter(({ path }) => !path.startsWith('src/web/')))
  console.log(`written-once: ${repeated.length} refusals are written more than once`)
  expect(repeated.length, repeated.map(({ text, places }) => `${text}: ${places.join(', ')}`).join('\n')).toBeLessThanOrEqual(
    REPEATED_REFUSALS_MAX,
  )
})

const planted = (text: string): SourceFile => ({ path: 'src/x.ts', text })
const three = new Set(['date', 'due_date', 'usage'])

test.each([
  `const a = { date: 1, due_date: 2, usage }`,
  `interface A {\n  readonly date: string\n  due_date?: string\n  usage: string\n}`,
  `const a = ['date', 'due_date', 'usage']`,
  `const a = [['date', 'Date'], ['due_date', 'Due'], ['usage', 'Usage']]`,
  'const a = sql`select date, due_date, usage from bills`',
  `const { date, due_date, usage } = bill`,
])('a list is found: %s', (text) => {
  expect(listsOfFields(planted(text), three, 3)).toHaveLength(1)
})

test.each([`// { date, due_date, usage }`, `f(date, due_date, usage)`, `const a = { date: { due_date: 1 }, usage: 2 }`])(
  'no list is found: %s',
  (text) => {
    expect(listsOfFields(planted(text), three, 3)).toEqual([])
  },
)

test('a refusal that is written twice is found, and a label is none', () => {
  const twice = `const a = 'The batch is closed already'\nconst b = 'The batch is closed already'\nconst c = 'Bill Date'\nconst d = 'Bill Date'`
  expect(repeatedRefusals([planted(twice)]).map(({ text }) => text)).toEqual(['The batch is closed already'])
  expect(repeatedRefusals([planted('f(`${name} must be a number`)\ng(`${other} must be a number`)')])).toHaveLength(1)
})
