/** Reads a written file back with the checker of its family, and compares what it says with what it is for. */
import { entriesAgree, offsetsAgree, rowsAgree } from './file-agrees.ts'
import type { FileGroup } from './file-groups.ts'
import { checkLayout } from './layout-check.ts'
import type { ReadRows } from './layout-sums.ts'
import { checkNacha, type ReadNacha } from './nacha-check.ts'
import type { ExportInput, FileEntry, PlannedFile } from './payment-file.ts'
import type { RowsInput } from './row-values.ts'

/** Characters that a bank accepts besides letters, digits and space; the delimiters of addenda are checked separately. */
const marks = { standard: `.-/&',()#`, narrow: `.-'` } as const

/** The bytes differ from the intended content: a defect of the builder, never of the data. Nothing of the file may be used. */
export class FileRefused extends Error {
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(`The file was refused by its own checker: ${faults.slice(0, 5).join(' ')}`)
    this.name = 'FileRefused'
    this.faults = faults
  }
}

interface WrittenNacha {
  readonly input: ExportInput
  readonly plan: PlannedFile
  readonly group: Extract<FileGroup, { family: 'nacha' }>
  readonly modifier: string
  readonly entries: readonly FileEntry[]
}

/** Returns what the bytes of a NACHA file say. Throws FileRefused. */
export function readBackNacha(bytes: Uint8Array, { input, plan, group, modifier, entries }: WrittenNacha): ReadNacha {
  const [profile] = group.profiles
  if (!profile) throw new RangeError('a NACHA file without a profile')
  const { read, faults } = checkNacha(bytes, { line_end: profile.line_end, marks: marks[profile.character_set] })
  if (!read) throw new FileRefused(faults)
  mustAgree([
    [entriesAgree(group.batches, read.entries, entries), 'An entry is not its payment.'],
    [offsetsAgree(group.batches, read.debits, entries), 'A balancing debit is not at the account of the payer.'],
    [read.credit === plan.total, 'The total is not that of the payments.'],
    [
      read.destination === profile.immediate_destination && read.origin === profile.immediate_origin?.trim(),
      'The file goes to another bank.',
    ],
    [read.creation_date === input.moment.date && read.creation_time === input.moment.time, 'The file names another moment.'],
    [read.modifier === modifier, 'The file has another modifier.'],
    [read.is_test === input.is_test, 'The mark of a test file is missing, or stands on a real one.'],
  ])
  return read
}

/** Returns what the bytes of a file of rows say. Throws FileRefused. */
export function readBackRows(bytes: Uint8Array, rows: RowsInput, plan: PlannedFile): ReadRows {
  const { layout } = rows
  const { read, faults } = checkLayout(bytes, layout)
  if (!read) throw new FileRefused(faults)
  const count = layout.grain === 'payment' ? plan.payment_count : plan.bill_count
  mustAgree([
    [read.rows.length === count, 'A row is missing or too much.'],
    [read.credit === null || read.credit === plan.total, 'The total is not that of the payments.'],
    [rowsAgree(rows, read.rows), 'A row is not its payment or its bill.'],
  ])
  return read
}

function mustAgree(checks: readonly (readonly [holds: boolean, fault: string])[]): void {
  const faults = checks.flatMap(([holds, fault]) => (holds ? [] : [fault]))
  if (faults.length > 0) throw new FileRefused(faults)
}
