/** The rules of a layout that a bank profile has of its own, so that the file can be written, read back by the checker, and taken by its reader. */
import { needsWidths } from '../kernel/file-column.ts'
import { columnSources, type ColumnSource } from './layout-sources.ts'
import { formatsWithNumbers, totalWord, type FileFormat, type Layout, type LayoutColumn } from './layout.ts'

/** The formats whose layout can be edited. NACHA records are fixed by the rules, and the accounting export is one file of all clients. */
export const editableFormats = [
  'ach_2',
  'ach_bank',
  'avid',
  'check_request',
  'positive_pay',
  'op_worklist',
  'np_register',
  'autopay_register',
] as const satisfies readonly FileFormat[]
export type EditableFormat = (typeof editableFormats)[number]

/** Formats by which somebody pays. A fixed text in them could take the place of a payee or an account. */
export const payingFormats: readonly FileFormat[] = ['ach_bank', 'avid', 'check_request']

/** Columns that a file is of no use without. */
const neededSources: Readonly<Partial<Record<FileFormat, readonly ColumnSource[]>>> = {
  ach_bank: ['account_holder', 'routing_number', 'account_number', 'payment_amount'],
  avid: ['payment_number', 'payee', 'payment_amount'],
  check_request: ['payee', 'payment_number', 'payment_amount'],
  positive_pay: ['check_state', 'payer_account', 'check_number', 'payment_amount'],
}

/** Our words of a source that knows only these; a column may say the bank's words for them. */
export const wordsOfSource: Readonly<Partial<Record<ColumnSource, readonly string[]>>> = {
  account_type: ['checking', 'savings', 'general_ledger', 'loan'],
  check_state: ['issued', 'void'],
  delivery: ['STANDARD', 'OVERNIGHT'],
}

const billSources: readonly ColumnSource[] = [
  'bill_id',
  'utility_account_number',
  'invoice_number',
  'bill_date',
  'due_date',
  'amount_due',
  'amount_paid',
  'notes',
]
/** Texts that keep their sense when they are cut. A number that is cut would be another number. */
const namingSources: readonly ColumnSource[] = [
  'payer',
  'payer_street_address_1',
  'payer_street_address_2',
  'vendor',
  'payee',
  'payee_street_address_1',
  'payee_street_address_2',
  'account_holder',
  'notes',
]
const zeroFilledTexts: readonly ColumnSource[] = ['check_number', 'payer_account']

export interface LayoutFault {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** Returns what prevents the layout from being used for the format, each with its place. */
export function layoutFaults(format: FileFormat, layout: Layout): LayoutFault[] {
  return [
    ...wholeFaults(format, layout),
    ...layout.columns.flatMap((column, place) => {
      const at = (key: string, message: string): LayoutFault => ({
        path: ['columns', place, key],
        message: `Column ${place + 1}: ${message}`,
      })
      return [
        ...sourceFaults(format, layout, column, at),
        ...textFaults(format, layout, column, at),
        ...shapeFaults(layout, column, at),
        ...totalFaults(layout, column, at),
      ]
    }),
  ]
}

/** True for a source whose values may be cut. */
export const mayCut = (source: ColumnSource | null): boolean => source !== null && namingSources.includes(source)
/** True for a source whose values may have zeros in front. */
export const mayFillZeros = (source: ColumnSource | null): boolean =>
  source !== null && (['amount', 'number'].includes(columnSources[source].kind) || zeroFilledTexts.includes(source))

function wholeFaults(format: FileFormat, layout: Layout): LayoutFault[] {
  const has = (source: ColumnSource) => layout.columns.some((column) => column.source === source)
  const whole = (key: string, message: string): LayoutFault => ({ path: [key], message })
  const missing = (neededSources[format] ?? []).filter((source) => !has(source))
  const amount = layout.grain === 'payment' ? 'payment_amount' : 'amount_paid'
  const twice = layout.columns.flatMap(({ source }, place) =>
    source !== null && layout.columns.findIndex((other) => other.source === source) < place ? [place] : [],
  )
  return [
    ...missing.map((source) => whole('columns', `Columns lack ${columnSources[source].label}`)),
    ...(has(amount) ? [] : [whole('columns', `Columns lack ${columnSources[amount].label}, and each ${layout.grain} has a row`)]),
    ...(layout.kind === 'fixed' && layout.heading ? [whole('heading', 'A file of fixed width has no heading')] : []),
    ...(format === 'ach_bank' && layout.grain === 'bill' ? [whole('grain', 'A bank pays one row for each payment')] : []),
    ...(layout.total_row && payingFormats.includes(format) && format !== 'check_request'
      ? [whole('total_row', 'A last row with totals would be read as a payment')]
      : []),
    ...twice.map((place): LayoutFault => ({
      path: ['columns', place, 'source'],
      message: `Column ${place + 1}: its source is in the file already`,
    })),
  ]
}

type At = (key: string, message: string) => LayoutFault

function sourceFaults(format: FileFormat, { grain }: Layout, { source, values }: LayoutColumn, at: At): LayoutFault[] {
  if (source === null) return []
  const hasNumbers = formatsWithNumbers.includes(format)
  const words = wordsOfSource[source]
  const strange = Object.keys(values).filter((word) => words?.includes(word) !== true)
  return [
    ...(grain === 'payment' && billSources.includes(source)
      ? [at('source', `${columnSources[source].label} needs one row for each bill`)]
      : []),
    ...(source === 'account_number' && !hasNumbers
      ? [at('source', 'the account number of a vendor stands only in the files of ACH; take its last 4')]
      : []),
    ...(source === 'payer_account' && format !== 'positive_pay' && format !== 'ach_bank'
      ? [at('source', 'the account number of a payer stands only in files for its bank; take its last 4')]
      : []),
    ...strange.map((word) => at('values', `${columnSources[source].label} has no value ${word}`)),
  ]
}

const isPlain = /^[\x20-\x7e]*$/
const isOneLine = /^[^\p{Cc}\p{Cf}\u2028\u2029]*$/u
const wouldRun = /^[=+\-@]/

function textFaults(
  format: FileFormat,
  layout: Layout,
  { source, heading, text, values, width, required }: LayoutColumn,
  at: At,
): LayoutFault[] {
  const written = [
    ...(layout.heading ? [{ key: 'heading', what: 'a heading', said: heading }] : []),
    ...(source === null ? [{ key: 'text', what: 'a fixed text', said: text }] : []),
    ...Object.values(values).map((said) => ({ key: 'values', what: 'a word', said })),
  ]
  const letters = layout.characters === 'ascii' ? isPlain : isOneLine
  return [
    ...written.flatMap(({ key, what, said }) => [
      ...(letters.test(said) ? [] : [at(key, `${what} has only characters of the file`)]),
      ...(wouldRun.test(said) ? [at(key, `${what} does not begin with = + - or @, which a spreadsheet would run`)] : []),
      ...(said === said.trim() && !said.includes('  ') ? [] : [at(key, `${what} has no spaces around it, and no two together`)]),
      ...(key !== 'heading' && width !== null && said.length > width
        ? [at(key, `${what} has at most ${width} characters, like its column`)]
        : []),
    ]),
    ...(source === null && required && text === '' ? [at('text', 'a required text is not empty')] : []),
    ...(source === null && format === 'ach_bank' && /\d/.test(text) ? [at('text', 'a fixed text that a bank pays by has no digits')] : []),
    ...(source !== null && text !== '' ? [at('text', 'only a column without a source has a fixed text')] : []),
  ]
}

function shapeFaults({ kind }: Layout, { source, width, too_long, justify, fill }: LayoutColumn, at: At): LayoutFault[] {
  return [
    ...(kind === 'fixed' && width === null ? [at('width', needsWidths)] : []),
    ...(too_long === 'cut' && !mayCut(source) ? [at('too_long', 'only names and notes may be cut')] : []),
    ...(too_long === 'cut' && width === null ? [at('width', 'a text is cut to a width')] : []),
    ...(fill === 'zero' && (kind !== 'fixed' || justify !== 'right' || !mayFillZeros(source))
      ? [at('fill', 'zeros stand in front of numbers and amounts at the right of a fixed column')]
      : []),
  ]
}

function totalFaults({ columns, grain, total_row }: Layout, { source, total, width, fill }: LayoutColumn, at: At): LayoutFault[] {
  if (!total_row || total === null) return []
  const has = (wanted: ColumnSource) => columns.some((column) => column.source === wanted)
  const lacks = (wanted: ColumnSource) =>
    has(wanted) ? [] : [at('total', `this total needs a column with ${columnSources[wanted].label}`)]
  const isOfAmount = source !== null && columnSources[source].kind === 'amount'
  switch (total) {
    case 'batches':
      return lacks('batch_id')
    case 'payments':
      return lacks('payment_number')
    case 'bills':
      return grain === 'bill' ? [] : lacks('bill_count')
    case 'amount':
      return isOfAmount ? [] : [at('total', 'the total amount stands below an amount')]
    case 'label':
      return [
        ...(fill === 'zero' ? [at('total', `${totalWord} does not stand below zeros`)] : []),
        ...(width !== null && width < totalWord.length ? [at('width', `${totalWord} needs ${totalWord.length} characters`)] : []),
      ]
  }
}
