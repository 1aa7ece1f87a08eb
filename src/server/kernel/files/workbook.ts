/**
 * Rows as a workbook (XLSX), written as a stream: numbers are numbers, dates are dates, texts are texts that nothing runs. The heading stays
 * in sight, can be filtered by, and a last sheet says what the rows are. More rows than a sheet can have go on in another one.
 */
import { Readable } from 'node:stream'
import { daysBetween, firstDayOf } from '#contract/kernel/date.ts'
import { times } from '#contract/kernel/decimal.ts'
import { zipBytes, type ZipEntry } from './zip-stream.ts'

/** Limits of the format. */
const ROWS_MAX = 1_048_576
const TEXT_MAX = 32_767
/** Rows that are written at once. */
const ROWS_AT_ONCE = 200

export const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Where the look of a kind stands among the styles; the heading's is the last. */
const looks = ['text', 'integer', 'decimal', 'money', 'percent', 'date', 'month'] as const
export type WorkbookKind = (typeof looks)[number]

export interface WorkbookColumn {
  readonly label: string
  readonly kind: WorkbookKind
  /** A text of one short word, such as a unit. */
  readonly short?: boolean
}

/** Dates are YYYY-MM-DD, months YYYY-MM, numbers plain, percents as numbers; null is empty. */
type Cell = string | null
type Row = readonly Cell[]

export interface Workbook {
  /** Name of the first sheet: at most 25 letters, without the signs that sheets may not have. */
  readonly sheet: string
  readonly columns: readonly WorkbookColumn[]
  readonly rows: AsyncIterable<Row>
  /** Lines of the last sheet: a label and its value. */
  readonly about: readonly (readonly [string, string])[]
  readonly dates: 'YYYY-MM-DD' | 'MM/DD/YYYY'
  /** The day of the files in it. */
  readonly day: string
  /** Rows of a sheet with its heading; fewer than the format's only in tests. */
  readonly rowsMax?: number
}

/** @returns the bytes of the file, while the rows are read. */
export function workbookBytes(workbook: Workbook): AsyncGenerator<Buffer> {
  return zipBytes(entriesOf(workbook))
}

interface Feed {
  readonly rows: AsyncIterator<Row>
  next: IteratorResult<Row, unknown>
}

async function* entriesOf(workbook: Workbook): AsyncGenerator<ZipEntry> {
  const { day: date, about, dates, sheet, rowsMax = ROWS_MAX } = workbook
  const entry = (name: string, text: string): ZipEntry => ({ name, date, content: Buffer.from(`${XML}${text}`, 'utf8') })
  const rows = workbook.rows[Symbol.asyncIterator]()
  const feed: Feed = { rows, next: await rows.next() }
  const names: string[] = []
  // Each sheet is read to its end before the next one begins.
  do {
    names.push(names.length === 0 ? sheet : `${sheet} ${names.length + 1}`)
    const content = Readable.from(sheetText(workbook.columns, feed, { rowsMax, isFirst: names.length === 1 }), { objectMode: false })
    yield { name: `xl/worksheets/sheet${names.length}.xml`, date, content }
  } while (feed.next.done !== true)
  names.push('About')
  yield entry(`xl/worksheets/sheet${names.length}.xml`, aboutText(about))
  yield entry('xl/styles.xml', stylesText(dates))
  yield entry(
    'xl/workbook.xml',
    `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}/relationships"><sheets>${names
      .map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
      .join('')}</sheets></workbook>`,
  )
  yield entry(
    'xl/_rels/workbook.xml.rels',
    relations([...names.map((_, at) => ['worksheet', `worksheets/sheet${at + 1}.xml`] as const), ['styles', 'styles.xml'] as const]),
  )
  yield entry('_rels/.rels', relations([['officeDocument', 'xl/workbook.xml']]))
  yield entry(
    '[Content_Types].xml',
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${SHEETML}.sheet.main+xml"/>
<Override PartName="/xl/styles.xml" ContentType="${SHEETML}.styles+xml"/>${names
      .map((_, at) => `<Override PartName="/xl/worksheets/sheet${at + 1}.xml" ContentType="${SHEETML}.worksheet+xml"/>`)
      .join('')}</Types>`,
  )
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const SHEETML = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

function relations(targets: readonly (readonly [string, string])[]): string {
  return `<Relationships xmlns="${PACKAGE}/relationships">${targets
    .map(([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${OFFICE}/relationships/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`
}

const HEADING = looks.length + 1
/** Formats of our own are numbered from here. */
const OWN_FORMATS = 164

function stylesText(dates: Workbook['dates']): string {
  const formats: Readonly<Record<WorkbookKind, string>> = {
    text: 'General',
    integer: '0',
    decimal: 'General',
    money: '#,##0.00',
    percent: '0.00%',
    date: dates === 'MM/DD/YYYY' ? 'mm/dd/yyyy' : 'yyyy-mm-dd',
    month: 'mmm yyyy',
  }
  const idOf = (kind: WorkbookKind): number => (formats[kind] === 'General' ? 0 : OWN_FORMATS + looks.indexOf(kind))
  const own = looks.filter((kind) => idOf(kind) > 0)
  return `<styleSheet xmlns="${MAIN}"><numFmts count="${own.length}">${own
    .map((kind) => `<numFmt numFmtId="${idOf(kind)}" formatCode="${escaped(formats[kind])}"/>`)
    .join('')}</numFmts>
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>
<borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border><border><left/><right/><top/><bottom style="thin"/><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="${looks.length + 2}"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>${looks
    .map((kind) => `<xf numFmtId="${idOf(kind)}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`)
    .join(
      '',
    )}<xf numFmtId="0" fontId="1" fillId="0" borderId="1" xfId="0" applyFont="1" applyBorder="1" applyAlignment="1"><alignment vertical="bottom" wrapText="1"/></xf></cellXfs>
</styleSheet>`
}

async function* sheetText(
  columns: readonly WorkbookColumn[],
  feed: Feed,
  { rowsMax, isFirst }: { readonly rowsMax: number; readonly isFirst: boolean },
): AsyncGenerator<string> {
  const letters = columns.map((_, at) => lettersOf(at))
  yield `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"${isFirst ? ' tabSelected="1"' : ''}><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columns
    .map((column, at) => `<col min="${at + 1}" max="${at + 1}" width="${widthOf(column)}" customWidth="1"/>`)
    .join('')}</cols><sheetData>`
  yield `<row r="1">${columns.map(({ label }, at) => textCell(`${letters[at]}1`, label, HEADING)).join('')}</row>`
  let row = 1
  let some: string[] = []
  while (feed.next.done !== true && row < rowsMax) {
    row += 1
    const { value } = feed.next
    some.push(
      `<row r="${row}">${columns.map((column, at) => cellText(`${letters[at]}${row}`, column.kind, value[at] ?? null)).join('')}</row>`,
    )
    if (some.length >= ROWS_AT_ONCE) {
      yield some.join('')
      some = []
    }
    feed.next = await feed.rows.next()
  }
  yield `${some.join('')}</sheetData><autoFilter ref="A1:${letters.at(-1) ?? 'A'}${row}"/></worksheet>`
}

function aboutText(about: Workbook['about']): string {
  const rows = about.map(
    ([label, text], at) => `<row r="${at + 1}">${textCell(`A${at + 1}`, label, HEADING)}${textCell(`B${at + 1}`, text, 0)}</row>`,
  )
  return `<worksheet xmlns="${MAIN}"><cols><col min="1" max="1" width="24" customWidth="1"/><col min="2" max="2" width="90" customWidth="1"/></cols><sheetData>${rows.join('')}</sheetData></worksheet>`
}

/** Widths in letters, so that no usual figure shows as hashes. */
const kindWidths: Readonly<Record<WorkbookKind, number>> = {
  text: 24,
  date: 12,
  month: 11,
  integer: 11,
  decimal: 14,
  money: 15,
  percent: 11,
}

function widthOf({ kind, short, label }: WorkbookColumn): number {
  const longest = Math.max(...label.split(' ').map((word) => word.length))
  return Math.max(short ? 10 : kindWidths[kind], longest + 3)
}

/** 0 is A, 26 is AA. */
function lettersOf(at: number): string {
  const last = String.fromCharCode(65 + (at % 26))
  return at < 26 ? last : `${lettersOf(Math.floor(at / 26) - 1)}${last}`
}

const plainNumber = /^-?\d+(\.\d+)?$/

function cellText(at: string, kind: WorkbookKind, cell: Cell): string {
  if (cell === null || cell === '') return ''
  const style = looks.indexOf(kind) + 1
  const number = numberOf(kind, cell)
  return number === null ? textCell(at, cell, style) : `<c r="${at}" s="${style}"><v>${number}</v></c>`
}

/** Days are counted as spreadsheets do, from the day before 1900. */
const DAY_ZERO = '1899-12-30'

function numberOf(kind: WorkbookKind, cell: string): string | null {
  if (kind === 'text') return null
  if (kind === 'date') return /^\d{4}-\d\d-\d\d$/.test(cell) ? String(daysBetween(DAY_ZERO, cell)) : null
  if (kind === 'month') return /^\d{4}-\d\d$/.test(cell) ? String(daysBetween(DAY_ZERO, firstDayOf(cell))) : null
  if (!plainNumber.test(cell)) return null
  return kind === 'percent' ? times(cell, '0.01') : cell
}

function textCell(at: string, text: string, style: number): string {
  return `<c r="${at}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(text.slice(0, TEXT_MAX))}</t></is></c>`
}

/** Signs that XML cannot hold become question marks; what looks like the format's own escape of a sign is escaped itself. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '?')
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
