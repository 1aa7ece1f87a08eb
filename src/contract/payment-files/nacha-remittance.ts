/** Checks the remittance records of a NACHA file, and the check digit of a routing number. */
import { isCalendarDate } from '../kernel/date.ts'

const savingsCode = '32'

/** A batch or an entry. It becomes text only in a fault: a file of 100,000 entries would make as many texts that nobody reads. */
export type Place = string | { readonly batch: string; readonly entry: number }
export type Must = (holds: boolean, fault: string, place?: Place) => void

/** The values that the remittance of an entry must name. */
interface Remitted {
  readonly sec: string
  readonly code: string
  readonly amount: number
  readonly routing: string
  readonly account: string
  /** YYYYMMDD. */
  readonly effective: string
  /** Company identification of the batch. */
  readonly company: string
  readonly identification: string
}

/** The remittance adds up to the entry: one RMR in CCD, a whole 820 in CTX. */
export function remittance(
  padded: string,
  { sec, code, amount, routing, account, effective, company, identification }: Remitted,
  entry: Place,
  allowed: RegExp,
  must: Must,
): void {
  const text = padded.trimEnd()
  must(text.endsWith('\\'), 'the remittance is not ended.', entry)
  const segments = text.slice(0, -1).split('\\')
  const elements = segments.map((segment) => segment.split('*'))
  must(
    elements.every((parts) => parts.every((element) => allowed.test(element))),
    'the remittance holds a character that the bank does not take.',
    entry,
  )
  const invoices = elements.filter(([tag]) => tag === 'RMR')
  for (const invoice of invoices) {
    const [, qualifier, reference = '', action, paid = '', due = ''] = invoice
    must(invoice.length === 6 && action === '' && (qualifier === 'IV' || qualifier === '12'), 'an RMR of another shape.', entry)
    must(/^\S(.{0,28}\S)?$/.test(reference), 'an RMR without a reference.', entry)
    must(isAmount(paid) && isAmount(due), 'an RMR without amounts.', entry)
  }
  const paid = invoices.reduce((sum, invoice) => sum + centsOfText(invoice[4] ?? ''), 0)
  must(paid === amount, 'the bills do not add up to the entry.', entry)
  if (sec === 'CCD') {
    must(segments.length === 1 && invoices.length === 1, 'one addenda is one RMR.', entry)
    return
  }
  const tags = elements.map(([tag]) => tag).join(' ')
  must(/^ST BPR TRN N1 N1 ENT( RMR REF DTM)+ SE$/.test(tags), 'the segments of the 820 are not in order.', entry)
  const [start = [], order = [], trace = [], payer = [], payee = [], party = []] = elements
  const end = elements.at(-1) ?? []
  must(start.join('*') === 'ST*820*0001', 'the 820 does not begin as one.', entry)
  must(party.join('*') === 'ENT*1', 'ENT is wrong.', entry)
  must(payer.length === 3 && payer[1] === 'PR' && payer[2] !== '', 'the payer is not named.', entry)
  must(payee.length === 3 && payee[1] === 'PE' && payee[2] !== '', 'the payee is not named.', entry)
  must(order.length === 17, `BPR has ${order.length - 1} elements.`, entry)
  must(
    order.slice(3, 10).join('*') === 'C*ACH*CTX****' && order[1] === 'C' && order[11] === '' && order[12] === '01',
    'BPR is wrong.',
    entry,
  )
  must(isAmount(order[2] ?? '') && centsOfText(order[2] ?? '') === amount, 'BPR names another amount.', entry)
  must(
    order[13] === routing && order[15] === account && order[14] === (code === savingsCode ? 'SG' : 'DA'),
    'BPR names another account.',
    entry,
  )
  must(order[10] === company && trace[3] === company, 'BPR or TRN names another company than the batch.', entry)
  must(trace.length === 4 && trace[1] === '1' && trace[2] === identification, 'TRN names another payment than the entry.', entry)
  must(order[16] === effective, 'BPR names another day.', entry)
  for (const parts of elements) {
    if (parts[0] === 'REF') must(parts.length === 3 && parts[1] === '12' && parts[2] !== '', 'REF is wrong.', entry)
    if (parts[0] === 'DTM')
      must(
        parts.length === 3 && parts[1] === '003' && /^20\d{6}$/.test(parts[2] ?? '') && isDay((parts[2] ?? '').slice(2)),
        'DTM is wrong.',
        entry,
      )
  }
  must(end.length === 3 && end[1] === String(segments.length) && end[2] === '0001', 'SE counts other segments.', entry)
}

const codeOfZero = 48
const checkWeights = [3, 7, 1, 3, 7, 1, 3, 7, 1]
export function hasCheckDigit(nine: string): boolean {
  let sum = 0
  for (const [at, weight] of checkWeights.entries()) {
    const digit = nine.charCodeAt(at) - codeOfZero
    if (!(digit >= 0 && digit <= 9)) return false
    sum += weight * digit
  }
  return nine.length === checkWeights.length && sum % 10 === 0
}

function isAmount(text: string): boolean {
  return /^-?(0|[1-9]\d{0,7})\.\d\d$/.test(text)
}

function centsOfText(text: string): number {
  return Number(text.replace('.', ''))
}

/** Turns '261125' into '2026-11-25'. */
export function longDate(short: string): string {
  return `20${short.slice(0, 2)}-${short.slice(2, 4)}-${short.slice(4)}`
}

export function isDay(short: string): boolean {
  return /^\d{6}$/.test(short) && isCalendarDate(longDate(short))
}
