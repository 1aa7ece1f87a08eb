/** Writes a NACHA file: header, batches, control, and filler to a full block. */
import { sumCents, type Cents } from '../kernel/money.ts'
import { bankText, cutText } from './file-text.ts'
import { tracesOfBatch, type NachaBatch } from './nacha-batches.ts'
import { code, digits, record, recordLength, recordsPerBlock, words } from './nacha-record.ts'
import type { FileEntry, FileMoment, ProfileForFile } from './payment-file.ts'
import { entryDetail, addenda, fileEntry, offset } from './nacha-entries.ts'

const hashSize = 10_000_000_000

export interface NachaIdentity {
  readonly destination_name: string
  readonly origin_name: string
  readonly moment: FileMoment
  readonly modifier: string
  readonly first_trace: number
  readonly is_test: boolean
}

interface Written {
  readonly lines: readonly string[]
  readonly count: number
  readonly hash: number
  readonly debit: Cents
  readonly credit: Cents
}

/** Returns the bytes as text, and the payment of each entry. Every batch has the same bank and sender. */
export function nachaFile(batches: readonly NachaBatch[], identity: NachaIdentity): { text: string; entries: FileEntry[] } {
  const [first] = batches
  if (!first) throw new RangeError('a file without batches')
  const entries: FileEntry[] = []
  const written: Written[] = []
  let trace = identity.first_trace
  for (const [at, batch] of batches.entries()) {
    written.push(writeBatch(batch, at + 1, trace, entries))
    trace += tracesOfBatch(batch)
  }
  const lines = [fileHeader(first.profile, identity), ...written.flatMap((batch) => batch.lines)]
  const blocks = Math.ceil((lines.length + 1) / recordsPerBlock)
  lines.push(fileControl(written, blocks))
  while (lines.length % recordsPerBlock !== 0) lines.push('9'.repeat(recordLength))
  return { text: joined(lines, first.profile.line_end), entries }
}

function joined(lines: readonly string[], lineEnd: ProfileForFile['line_end']): string {
  const end = { lf: '\n', crlf: '\r\n', none: '' }[lineEnd]
  return lines.join(end) + end
}

function fileHeader(profile: ProfileForFile, { moment, modifier, is_test, destination_name, origin_name }: NachaIdentity): string {
  const set = profile.character_set
  return record(
    '1',
    '01',
    code((profile.immediate_destination ?? '').padStart(10), 10),
    code((profile.immediate_origin ?? '').padStart(10), 10),
    shortDate(moment.date),
    code(moment.time.replace(':', ''), 4),
    code(modifier, 1),
    '094',
    '10',
    '1',
    words(cutText(bankText(destination_name, set), 23), 23),
    words(cutText(bankText(origin_name, set), 23), 23),
    words(is_test ? 'TEST' : '', 8),
  )
}

function writeBatch(batch: NachaBatch, number: number, firstTrace: number, entries: FileEntry[]): Written {
  const { profile } = batch
  const odfi = (profile.routing_number ?? '').slice(0, 8)
  const serviceClass = profile.balanced ? '200' : '220'
  const lines: string[] = []
  let hash = 0
  let trace = firstTrace
  for (const entry of batch.entries) {
    const traceNumber = odfi + digits(trace, 7)
    const routing = entry.payment.vendor.routing_number ?? ''
    lines.push(entryDetail(batch, entry, traceNumber))
    for (const [at, text] of entry.addenda.entries()) lines.push(addenda(text, at + 1, trace))
    entries.push(fileEntry(batch, entry, traceNumber))
    hash += Number(routing.slice(0, 8))
    trace += 1
  }
  if (profile.balanced) {
    lines.push(offset(batch, odfi + digits(trace, 7)))
    hash += Number(odfi)
  }
  const count = lines.length
  const debit = profile.balanced ? batch.total : 0
  const identity = [code(profile.company_id ?? '', 10)] as const
  const header = record(
    '5',
    serviceClass,
    words(batch.company_name, 16),
    words(cutText(bankText(profile.discretionary_data ?? '', profile.character_set), 20), 20),
    ...identity,
    batch.sec,
    words(bankText(profile.entry_description, profile.character_set), 10),
    words('', 6),
    shortDate(batch.effective_date),
    words('', 3),
    '1',
    code(odfi, 8),
    digits(number, 7),
  )
  const control = record(
    '8',
    serviceClass,
    digits(count, 6),
    digits(hash % hashSize, 10),
    digits(debit, 12),
    digits(batch.total, 12),
    ...identity,
    words('', 19),
    words('', 6),
    code(odfi, 8),
    digits(number, 7),
  )
  return { lines: [header, ...lines, control], count, hash: hash % hashSize, debit, credit: batch.total }
}

function fileControl(batches: readonly Written[], blocks: number): string {
  return record(
    '9',
    digits(batches.length, 6),
    digits(blocks, 6),
    digits(
      batches.reduce((sum, batch) => sum + batch.count, 0),
      8,
    ),
    digits(batches.reduce((sum, batch) => sum + batch.hash, 0) % hashSize, 10),
    digits(sumCents(batches.map((batch) => batch.debit)), 12),
    digits(sumCents(batches.map((batch) => batch.credit)), 12),
    words('', 39),
  )
}

/** Turns '2026-11-25' into '261125'. */
function shortDate(date: string): string {
  return code(date.slice(2).replaceAll('-', ''), 6)
}
