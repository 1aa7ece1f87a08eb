/** Files of exports and imports, interpreted by the meaning of their columns. */
import { parse } from 'csv-parse/sync'
import { expect } from 'vitest'
import { readCell } from '#contract/kernel/import-cell.ts'
import { csvLine, type ImportColumn } from '#contract/kernel/import.ts'

export type Row = Readonly<Record<string, string>>

export function fileOf(headers: readonly string[], rows: readonly Row[]): string {
  return [headers, ...rows.map((row) => headers.map((name) => row[name] ?? ''))].map(csvLine).join('')
}

export type Headers = readonly { readonly header: string; readonly column: string | null }[]

/** Returns the meaning of a cell, so that two spellings of it are equal. */
export function meaning(column: ImportColumn, cell: string): string {
  const reading = readCell(column, cell)
  const value = 'value' in reading ? reading.value : null
  if (value === null || value === undefined) return ''
  if (Array.isArray(value))
    return value
      .map((one) => shortest(String(one)))
      .toSorted()
      .join('\n')
  if (typeof value !== 'string') return JSON.stringify(value)
  return ['decimal', 'money'].includes(column.field.kind) ? shortest(value) : value
}

function shortest(number: string): string {
  return number.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '')
}

/** Returns the rows of an exported file by the columns that its headers mean; the heading with the column's own name takes precedence. */
export function cellsOf(file: string, headers: Headers): Row[] {
  const [, ...lines]: string[][] = parse(file)
  const inOrder = headers
    .map(({ header, column }, place) => ({ column, place, own: header === column }))
    .toSorted((a, b) => Number(a.own) - Number(b.own))
  return lines.map((line) =>
    Object.fromEntries(inOrder.flatMap(({ column, place }) => (column === null ? [] : [[column, line[place] ?? '']]))),
  )
}

/** Together with the first column of other kinds, these identify a row. */
const keyNames = ['period', 'account_number', 'meter_number', 'date', 'm1_meter_number', 'm1_service']

/** Returns sent cells that the file lacks or has with another value. */
export function saidOtherwise(columns: readonly ImportColumn[], sent: readonly Row[], file: string, headers: Headers): string[] {
  const exported = cellsOf(file, headers)
  const inFile = columns.filter(({ name }) => headers.some(({ column }) => column === name))
  const keys = inFile.filter(({ name, part }) => keyNames.includes(name) || (!part && name === columns[0]?.name))
  const keyOf = (row: Row): string => keys.map((column) => meaning(column, row[column.name] ?? '')).join('\n')
  const byKey = new Map(exported.map((row) => [keyOf(row), row]))
  return sent
    .filter((row) => keys.every(({ name }) => name !== 'meter_number' || row[name] !== ''))
    .flatMap((row) => {
      const found = byKey.get(keyOf(row))
      if (!found) return [`${keyOf(row)} is missing`]
      return inFile.flatMap((column) => {
        const [was, is] = [row[column.name] ?? '', found[column.name] ?? ''].map((cell) => meaning(column, cell))
        return was === '' || was === is ? [] : [`${column.name}: ${was} became ${is}`]
      })
    })
    .slice(0, 5)
}

export function withKey(file: string, heading: string, change: (cell: string) => string): string {
  const [headings = [], ...rows]: string[][] = parse(file)
  const place = headings.indexOf(heading)
  return [headings, ...rows.map((row) => row.map((cell, at) => (at === place ? change(cell) : cell)))].map(csvLine).join('')
}

/** Returns rows as text, their cells by heading, in a canonical order. */
export function withoutIds(file: string, known: readonly string[] | null): string[] {
  const [headings = [], ...rows]: string[][] = parse(file)
  expect(headings.length, 'no heading stands twice').toBe(new Set(headings).size)
  const kept = (heading: string): boolean =>
    heading !== 'ID' && !heading.endsWith(' ID') && heading !== 'Client' && (known === null || known.includes(heading))
  const cells = (row: readonly string[]) => headings.map((heading, at) => [heading, row[at]]).filter(([heading]) => kept(heading ?? ''))
  return rows.map((row) => JSON.stringify(cells(row).toSorted())).toSorted()
}
