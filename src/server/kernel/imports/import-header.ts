/** Maps the headers of a file to columns, and collects warnings and faults about them. */
import { plainHeader, type ImportColumn, type ImportKind } from '#contract/kernel/import.ts'

export interface HeaderReading {
  /** In the order of the file; null if a header is ignored. */
  readonly headers: readonly { readonly header: string; readonly column: string | null }[]
  /** Columns that the file has, each with the position of its cells. */
  readonly columns: readonly { readonly column: ImportColumn; readonly place: number }[]
  readonly faults: readonly string[]
  readonly warnings: readonly string[]
}

/** Exports use this suffix for columns of ids. Imports refer to records by names and numbers that people know. */
const holdsIds = / ID$/
const headersShown = 300
const headerLengthMax = 200
/** A message lists at most this many names; the guide has all of them. */
const namesSaid = 12

/** Reads the first row of a file. Case, spaces and underscores of headers do not matter. */
export function readHeader(kind: ImportKind, cells: readonly string[]): HeaderReading {
  const named = cells.map((cell) => ({ header: cell.trim().slice(0, headerLengthMax), column: columnOf(kind, cell) }))
  const faults: string[] = []
  const warnings: string[] = []
  if (!named.some(({ column }) => column)) {
    return {
      headers: shown(named),
      columns: [],
      faults: [`The first row names no column of this import. ${columnsSaid(kind)}`],
      warnings,
    }
  }
  for (const { name } of kind.columns.filter((column) => kind.key.includes(column.name) && column.required))
    if (!named.some(({ column }) => column?.name === name)) faults.push(`The column ${name} is missing: it says which record a row means.`)
  const lacking = kind.columns.filter(
    ({ name, required, part }) => required && !part && !kind.key.includes(name) && !named.some((one) => one.column?.name === name),
  )
  if (lacking.length > 0) warnings.push(`The file lacks ${lacking.map(({ name }) => name).join(', ')}: rows that would be new are refused.`)
  // Files of refused rows are sent again with their error column.
  const passedOver = ['errors', ...(kind.passedOver ?? [])].map(plainHeader)
  const unknown = named.filter(
    ({ header, column }) => !column && header !== '' && !passedOver.includes(plainHeader(header)) && !holdsIds.test(header),
  )
  for (const { header } of unknown.slice(0, headersShown)) warnings.push(`The column "${header}" means nothing here and is passed over.`)
  return { headers: shown(named), columns: placesOf(columnsOf(kind, named), named, warnings), faults, warnings }
}

function columnsSaid({ columns }: ImportKind): string {
  const names = columns.slice(0, namesSaid).map(({ name }) => name)
  const more = columns.length - names.length
  return more === 0 ? `Its columns are ${names.join(', ')}.` : `It begins with ${names.join(', ')}; the guide names these and ${more} more.`
}

type Named = readonly { readonly header: string; readonly column: ImportColumn | null }[]

function shown(named: Named): HeaderReading['headers'] {
  return named.slice(0, headersShown).map(({ header, column }) => ({ header, column: column?.name ?? null }))
}

/** Returns the columns of the kind, then the columns made from headers, each once. */
function columnsOf(kind: ImportKind, named: Named): ImportColumn[] {
  const made = named.flatMap(({ column }) => (column && !kind.columns.includes(column) ? [column] : []))
  return [...kind.columns, ...new Map(made.map((column) => [column.name, column])).values()]
}

/**
 * If several headers mean the same column, the one with the column's name counts, otherwise the last: an export writes a record's id before
 * its name.
 */
function placesOf(columns: readonly ImportColumn[], named: Named, warnings: string[]): HeaderReading['columns'] {
  return columns.flatMap((column) => {
    const places = named.flatMap((one, place) => (one.column?.name === column.name ? [place] : []))
    const exact = places.filter((place) => named[place]?.header === column.name)
    const place = exact.at(-1) ?? places.at(-1)
    if (place === undefined) return []
    if (exact.length !== 1 && places.length > 1) warnings.push(`${places.length} columns are headed ${column.name}; the last one counts.`)
    return [{ column, place }]
  })
}

/**
 * A reference is matched only by its own header, because exports write ids under the field's label. The same holds for a column of a part,
 * because the record has the same labels.
 */
function columnOf(kind: ImportKind, header: string): ImportColumn | null {
  const wanted = plainHeader(header)
  const exact = kind.columns.find(({ name }) => name === header.trim())
  if (exact) return exact
  if (wanted === '') return null
  const means = (column: ImportColumn): boolean => {
    const isNamedAlone = column.reference ?? column.part ?? column.of
    const labels = isNamedAlone ? [] : [column.key, column.field.label]
    return [column.name, ...labels, ...(column.headers ?? [])].some((name) => plainHeader(name) === wanted)
  }
  return kind.columns.find(({ name }) => plainHeader(name) === wanted) ?? kind.columns.find(means) ?? kind.madeBy?.(header.trim()) ?? null
}
