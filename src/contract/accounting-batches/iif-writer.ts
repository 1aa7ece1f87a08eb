/** Writes the IIF file of a client batch: transactions for QuickBooks. */
import { formatDate } from '../kernel/date.ts'
import { wireOf, type Cents } from '../kernel/money.ts'
import type { UploadLine } from './upload-file.ts'
import { type WidthFault, invoiceNumberOf } from './upload-cells.ts'

/** A row of the file. Rows of an IIF file without an amount have none. */
export interface UploadRow {
  readonly cells: readonly string[]
  /** Cents; a debit is positive. */
  readonly amount: Cents | null
  readonly faults: readonly WidthFault[]
}

export interface UploadWriter {
  /** Lines before the first row; empty if the layout has none. */
  readonly heading: readonly (readonly string[])[]
  /** Returns the rows that these further lines complete. Lines of one bill are consecutive. */
  take(lines: readonly UploadLine[]): UploadRow[]
  /** Returns the rows that were waiting for further lines. */
  end(): UploadRow[]
  /** Returns the cents of the payable lines that the layout leaves out, negative if vendors are owed. */
  leftOut(): Cents
  text(cells: readonly string[]): string
}

// ---------------------------------------------------------------- QuickBooks

/** Used if a ledger has no payable account of its own. */
const payableName = 'Accounts Payable'
const iifHeading = [
  ['!TRNS', 'TRNSTYPE', 'DATE', 'ACCNT', 'NAME', 'AMOUNT', 'DOCNUM', 'MEMO', 'DUEDATE'],
  ['!SPL', 'TRNSTYPE', 'DATE', 'ACCNT', 'NAME', 'AMOUNT', 'DOCNUM', 'MEMO'],
  ['!ENDTRNS'],
] as const
/** Position of the amount in the rows of an IIF file. */
export const iifAmountAt = 5

/** Writes one transaction per bill: the amount owed to the vendor, then the accounts it is booked on. Together they are zero. */
export function iifWriter(): UploadWriter {
  let waiting: UploadLine[] = []
  const flush = (): UploadRow[] => {
    const rows = transactionOf(waiting)
    waiting = []
    return rows
  }
  return {
    heading: iifHeading,
    take: (lines) =>
      lines.flatMap((line) => {
        const done = waiting[0] !== undefined && waiting[0].bill_id !== line.bill_id ? flush() : []
        waiting.push(line)
        return done
      }),
    end: flush,
    leftOut: () => 0,
    text: (cells) => `${cells.join('\t')}\r\n`,
  }
}

function transactionOf(lines: readonly UploadLine[]): UploadRow[] {
  const owed = lines.find((line) => line.is_payable)
  if (!owed) return []
  // A credit of the vendor is another transaction type.
  const type = owed.amount > 0 ? 'BILL REFUND' : 'BILL'
  const cells = (word: 'TRNS' | 'SPL', line: UploadLine): string[] => [
    word,
    type,
    formatDate(line.bill_date),
    plain(line.ledger_account_name || (line.is_payable ? payableName : '')),
    plain(line.vendor_name),
    wireOf(line.amount),
    plain(invoiceNumberOf(line)),
    plain(line.description),
    ...(word === 'TRNS' ? [formatDate(line.due_date)] : []),
  ]
  return [
    { cells: cells('TRNS', owed), amount: owed.amount, faults: [] },
    ...lines.filter((line) => line !== owed).map((line) => ({ cells: cells('SPL', line), amount: line.amount, faults: [] })),
    { cells: ['ENDTRNS'], amount: null, faults: [] },
  ]
}

/** IIF has no quoting: a tab or line break in a text would split it. */
function plain(value: string): string {
  return value.replaceAll(/[\r\n\t"]+/g, ' ').trim()
}
