/**
 * Reads a NACHA file back from its bytes and checks it by the record tables, without knowing how it was written: order, widths, classes, counts,
 * hashes, totals, check digits, trace numbers, addenda and their sums, characters. Only what it reads is trusted.
 */
import { isBankingDay } from './banking-days.ts'
import { type Must, type Place, hasCheckDigit, isDay, longDate, remittance } from './nacha-remittance.ts'

export interface ReadEntry {
  readonly sec: string
  readonly code: string
  readonly routing_number: string
  readonly account_number: string
  readonly amount: number
  readonly identification: string
  readonly receiver: string
  /** Text of the addenda; empty without one. */
  readonly remittance: string
  readonly trace_number: string
  readonly effective_date: string
  readonly company_name: string
}

export interface ReadNacha {
  readonly records: number
  readonly batches: number
  readonly addenda: number
  readonly entry_hash: string
  readonly debit: number
  readonly credit: number
  readonly destination: string
  readonly origin: string
  readonly creation_date: string
  readonly creation_time: string
  readonly modifier: string
  /** True if the header marks the file as a test. */
  readonly is_test: boolean
  /** Credits in the order of the file. */
  readonly entries: readonly ReadEntry[]
  /** The debits that balance batches, in the order of the file. */
  readonly debits: readonly ReadDebit[]
}

export type ReadDebit = Pick<
  ReadEntry,
  'code' | 'routing_number' | 'account_number' | 'amount' | 'identification' | 'receiver' | 'trace_number'
>

export interface NachaForm {
  readonly line_end: 'lf' | 'crlf' | 'none'
  /** Characters that a field may contain besides space, letters and digits. */
  readonly marks: string
}

/** The content of the bytes, or all their faults. */
export type Checked<Read> =
  | { readonly read: Read; readonly faults: readonly [] }
  | { readonly read: null; readonly faults: readonly [string, ...string[]] }

const width = 94
const rowsOfBlock = 10
const hashSize = 10_000_000_000
const codeOfZero = 48
const entriesOfCcd = 1
const creditCodes = ['22', '32', '42', '52']
const debitCodes = ['27', '37']

interface Batch {
  readonly header: string
  readonly entries: { readonly line: string; readonly addenda: string[] }[]
  control: string
}

export function checkNacha(bytes: Uint8Array, form: NachaForm): Checked<ReadNacha> {
  const faults: string[] = []
  const lines = linesOf(bytes, form, faults)
  const shape = faults.length === 0 ? shapeOf(lines, faults) : null
  const read = shape && judged(shape, lines.length, form, faults)
  const [first, ...rest] = faults
  if (first !== undefined) return { read: null, faults: [first, ...rest] }
  if (!read) return { read: null, faults: ['The file is empty.'] }
  return { read, faults: [] }
}

function linesOf(bytes: Uint8Array, { line_end }: NachaForm, faults: string[]): string[] {
  const text = new TextDecoder('latin1').decode(bytes)
  const end = line_end === 'lf' ? '\n' : line_end === 'crlf' ? '\r\n' : ''
  const step = width + end.length
  if (text.length === 0 || text.length % (step * rowsOfBlock) !== 0) {
    faults.push('The file is no whole number of blocks of ten records.')
    return []
  }
  const lines: string[] = []
  for (let at = 0; at < text.length; at += step) {
    const line = text.slice(at, at + width)
    if (text.slice(at + width, at + step) !== end) faults.push(`Record ${lines.length + 1} does not end as the bank wants it.`)
    if (/[^\x20-\x7e]/.test(line)) faults.push(`Record ${lines.length + 1} holds a character that is not plain ASCII.`)
    lines.push(line)
  }
  return lines
}

interface Shape {
  readonly header: string
  readonly batches: readonly Batch[]
  readonly control: string
  readonly used: number
}

/** The order of records: 1, then batches of 5, (6, 7*)+, 8, then 9, then filler. */
function shapeOf(lines: readonly string[], faults: string[]): Shape | null {
  const [header = ''] = lines
  if (!header.startsWith('1')) faults.push('The first record is no file header.')
  const batches: Batch[] = []
  let open: Batch | null = null
  let at = 1
  for (; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const type = line[0] ?? ''
    if (type === '5' && !open) {
      open = { header: line, entries: [], control: '' }
      batches.push(open)
    } else if (type === '6' && open) open.entries.push({ line, addenda: [] })
    else if (type === '7' && open && open.entries.length > 0) open.entries.at(-1)?.addenda.push(line)
    else if (type === '8' && open && open.entries.length > 0) {
      open.control = line
      open = null
    } else if (type === '9' && !open && batches.length > 0) break
    else {
      faults.push(`Record ${at + 1} of type ${type} must not stand there.`)
      return null
    }
  }
  const control = lines[at]
  if (control === undefined) {
    faults.push('The file control is missing.')
    return null
  }
  const filler = lines.slice(at + 1)
  if (filler.length >= rowsOfBlock) faults.push('More filler than the last block needs.')
  if (filler.some((line) => line !== '9'.repeat(width))) faults.push('A filler record is not all nines.')
  return { header, batches, control, used: at + 1 }
}

function judged({ header, batches, control }: Shape, records: number, form: NachaForm, faults: string[]): ReadNacha {
  const must: Must = (holds, fault, place) => {
    if (holds) return
    const where = typeof place === 'object' ? `${place.batch}, entry ${place.entry}` : place
    faults.push(where === undefined ? fault : `${where}: ${fault}`)
  }
  const allowed = new RegExp(`^[A-Z0-9 ${form.marks.replaceAll(/[\\\]^-]/g, '\\$&')}]*$`)
  const part = (line: string, from: number, to: number) => line.slice(from - 1, to)
  const number = (line: string, from: number, to: number, what: string, place?: Place) => {
    let value = 0
    for (let at = from - 1; at < to; at += 1) {
      const digit = line.charCodeAt(at) - codeOfZero
      if (digit < 0 || digit > 9) {
        must(false, `${what} is no number.`, place)
        return Number.NaN
      }
      value = value * 10 + digit
    }
    return value
  }
  const name = (line: string, [from, to]: readonly [number, number], need: boolean, what: string, place?: Place) => {
    const text = part(line, from, to)
    if (!allowed.test(text)) must(false, `${what} holds a character that the bank does not take.`, place)
    if (text.startsWith(' ') && text.trim() !== '') must(false, `${what} does not begin at its left.`, place)
    if (need && !/[A-Z1-9]/.test(text)) must(false, `${what} is empty.`, place)
    return text.trimEnd()
  }
  const blank = (line: string, from: number, to: number, what: string, place?: Place) => {
    if (part(line, from, to).trim() !== '') must(false, `${what} is not blank.`, place)
  }

  // The head of the file.
  const destination = part(header, 4, 13)
  must(part(header, 2, 3) === '01', 'The priority is not 01.')
  must(/^ \d{9}$/.test(destination) && hasCheckDigit(destination.slice(1)), 'The immediate destination is no routing number.')
  const origin = part(header, 14, 23)
  must(/^( \d{9}|[A-Z0-9]{10})$/.test(origin), 'The immediate origin is neither a routing number nor ten characters.')
  const created = part(header, 24, 29)
  must(isDay(created), 'The creation date is no day.')
  const time = part(header, 30, 33)
  must(/^([01]\d|2[0-3])[0-5]\d$/.test(time), 'The creation time is no time.')
  const modifier = part(header, 34, 34)
  must(/^[A-Z0-9]$/.test(modifier), 'The file ID modifier is neither a letter nor a digit.')
  must(part(header, 35, 40) === '094101', 'Record size, blocking factor or format code is wrong.')
  name(header, [41, 63], false, 'The destination name')
  name(header, [64, 86], false, 'The origin name')
  must(/^(TEST)? +$/.test(part(header, 87, 94)), 'The reference code is neither blank nor TEST.')

  const entries: ReadEntry[] = []
  const debits: ReadDebit[] = []
  // Sequences by bank: a set of whole numbers of 15 digits as text took a third of the time of the checker.
  const traces = new Map<string, Set<number>>()
  const sums = { entries: 0, addenda: 0, hash: 0, debit: 0, credit: 0 }
  for (const [at, batch] of batches.entries()) {
    const { header: head } = batch
    const which = `Batch ${at + 1}`
    const serviceClass = part(head, 2, 4)
    must(serviceClass === '220' || serviceClass === '200', 'the service class is neither 220 nor 200.', which)
    const companyName = name(head, [5, 20], true, 'the company name', which)
    name(head, [21, 40], false, 'the discretionary data', which)
    must(/^[A-Z0-9]{10}$/.test(part(head, 41, 50)), 'the company identification has not ten characters.', which)
    const sec = part(head, 51, 53)
    must(sec === 'CCD' || sec === 'CTX', 'the entry class is neither CCD nor CTX.', which)
    const description = name(head, [54, 63], true, 'the entry description', which)
    must(!['PAYROLL', 'PURCHASE', 'REVERSAL'].includes(description), 'the entry description is reserved.', which)
    blank(head, 64, 69, 'the descriptive date', which)
    const effective = part(head, 70, 75)
    must(isDay(effective) && isBankingDay(longDate(effective)), 'the effective date is no banking day.', which)
    must(effective >= created, 'the effective date lies before the day of the file.', which)
    blank(head, 76, 78, 'the settlement date', which)
    must(part(head, 79, 79) === '1', 'the originator status is not 1.', which)
    const odfi = part(head, 80, 87)
    must(/^\d{8}$/.test(odfi), 'the originating bank has not eight digits.', which)
    must(number(head, 88, 94, 'the batch number', which) === at + 1, 'the batch number does not follow.', which)

    const own = { entries: 0, hash: 0, debit: 0, credit: 0 }
    const sequences = traces.get(odfi) ?? new Set<number>()
    traces.set(odfi, sequences)
    let lastTrace = -1
    for (const [place, { line, addenda }] of batch.entries.entries()) {
      const entry = { batch: which, entry: place + 1 }
      const code = part(line, 2, 3)
      const isDebit = debitCodes.includes(code)
      must(isDebit || creditCodes.includes(code), `${code} is no transaction code of ours.`, entry)
      const routing = part(line, 4, 12)
      must(hasCheckDigit(routing), 'the check digit of the routing number is wrong.', entry)
      const account = part(line, 13, 29).trimEnd()
      must(/^[A-Z0-9-]{4,17}$/.test(account), 'the account number is none.', entry)
      const amount = number(line, 30, 39, 'the amount', entry)
      must(amount > 0, 'the amount is zero.', entry)
      const identification = part(line, 40, 54).trimEnd()
      must(/^[A-Z0-9-]+$/.test(identification), 'the identification number is empty.', entry)
      const counted = sec === 'CTX' ? number(line, 55, 58, 'the number of addenda', entry) : null
      const receiver = name(line, sec === 'CTX' ? [59, 74] : [55, 76], true, 'the receiver', entry)
      if (sec === 'CTX') blank(line, 75, 76, 'the reserved field', entry)
      blank(line, 77, 78, 'the discretionary data', entry)
      must(part(line, 79, 79) === (addenda.length > 0 ? '1' : '0'), 'the addenda indicator is wrong.', entry)
      must(sec === 'CTX' ? counted === addenda.length : addenda.length <= entriesOfCcd, 'the number of addenda is wrong.', entry)
      const trace = part(line, 80, 94)
      must(/^\d{15}$/.test(trace) && trace.startsWith(odfi), 'the trace number does not begin with the originating bank.', entry)
      const sequence = number(line, 88, 94, 'the trace number', entry)
      must(sequence > lastTrace && sequence > 0, 'the trace numbers do not ascend.', entry)
      lastTrace = sequence
      must(!sequences.has(sequence), 'the trace number stands in the file twice.', entry)
      sequences.add(sequence)
      for (const [nth, added] of addenda.entries()) {
        must(part(added, 2, 3) === '05', 'an addenda of another type than 05.', entry)
        must(number(added, 84, 87, 'the addenda sequence', entry) === nth + 1, 'the addenda do not follow each other.', entry)
        must(part(added, 88, 94) === trace.slice(8), 'an addenda belongs to another entry.', entry)
      }
      const text = addenda.length === 0 ? '' : addenda.map((added) => part(added, 4, 83)).join('')
      if (addenda.length > 0)
        remittance(
          text,
          { sec, code, amount, routing, account, effective: `20${effective}`, company: part(head, 41, 50), identification },
          entry,
          allowed,
          must,
        )
      own.entries += 1 + addenda.length
      own.hash += Number(routing.slice(0, 8))
      own[isDebit ? 'debit' : 'credit'] += amount
      sums.addenda += addenda.length
      if (isDebit) {
        must(serviceClass === '200' && place === batch.entries.length - 1, 'a debit that balances nothing.', entry)
        must(routing.startsWith(odfi), `the debit is at another bank than the payer's.`, entry)
        debits.push({ code, routing_number: routing, account_number: account, amount, identification, receiver, trace_number: trace })
      } else
        entries.push({
          sec,
          code,
          routing_number: routing,
          account_number: account,
          amount,
          identification,
          receiver,
          remittance: text.trimEnd(),
          trace_number: trace,
          effective_date: longDate(effective),
          company_name: companyName,
        })
    }
    must(serviceClass === '220' ? own.debit === 0 : own.debit === own.credit, 'debits and credits do not balance.', which)

    const foot = batch.control
    must(part(foot, 2, 4) === serviceClass, 'the control has another service class.', which)
    must(number(foot, 5, 10, 'the count', which) === own.entries, 'the count of entries and addenda is wrong.', which)
    must(number(foot, 11, 20, 'the hash', which) === own.hash % hashSize, 'the entry hash is wrong.', which)
    must(number(foot, 21, 32, 'the debits', which) === own.debit, 'the total of debits is wrong.', which)
    must(number(foot, 33, 44, 'the credits', which) === own.credit, 'the total of credits is wrong.', which)
    must(part(foot, 45, 54) === part(head, 41, 50), 'the control names another company.', which)
    blank(foot, 55, 79, 'authentication and reserved fields', which)
    must(part(foot, 80, 94) === part(head, 80, 94), 'the control names another bank or batch.', which)
    sums.entries += own.entries
    sums.hash += own.hash % hashSize
    sums.debit += own.debit
    sums.credit += own.credit
  }

  // The foot of the file.
  must(number(control, 2, 7, 'The batch count') === batches.length, 'The count of batches is wrong.')
  must(number(control, 8, 13, 'The block count') === records / rowsOfBlock, 'The count of blocks is wrong.')
  must(number(control, 14, 21, 'The entry count') === sums.entries, 'The count of entries and addenda is wrong.')
  must(number(control, 22, 31, 'The hash') === sums.hash % hashSize, 'The entry hash of the file is wrong.')
  must(number(control, 32, 43, 'The debits') === sums.debit, 'The total of debits is wrong.')
  must(number(control, 44, 55, 'The credits') === sums.credit, 'The total of credits is wrong.')
  blank(control, 56, 94, 'The reserved field of the file control')
  return {
    records,
    batches: batches.length,
    addenda: sums.addenda,
    entry_hash: part(control, 22, 31),
    debit: sums.debit,
    credit: sums.credit,
    destination: destination.trim(),
    origin: origin.trim(),
    creation_date: longDate(created),
    creation_time: `${time.slice(0, 2)}:${time.slice(2)}`,
    modifier,
    is_test: part(header, 87, 90) === 'TEST',
    entries,
    debits,
  }
}
