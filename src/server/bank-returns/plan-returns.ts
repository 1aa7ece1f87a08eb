/** Lays each entry of a bank's return file against the payment that it names, and says what applying it would do. Nothing is stored here. */
import type { PlannedReturn } from '#contract/bank-returns/bank-return.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { centsOf, formatMoney, wireOf } from '#contract/kernel/money.ts'
import { correctedDetails, type CorrectedDetails } from '#contract/payment-files/corrected-details.ts'
import type { ReadReturn } from '#contract/payment-files/nacha-returns.ts'
import { bankCodeWords, returnCodeOf, unknownCodeWords } from '#contract/payment-files/return-codes.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { scopeCondition } from '../kernel/lists/list.ts'
import { invalid } from '../kernel/problem.ts'
import { fingerprintOf } from '../kernel/secret.ts'

/** An entry with the payment that it belongs to, as far as there is one. */
export interface LaidReturn {
  readonly entry: ReadReturn
  readonly sent: SentEntry | null
  /** 'left': it can be applied. */
  readonly state: PlannedReturn['state']
  readonly outcome: string
  /** The vendor's corrected details, where the entry is a notice that can be applied. */
  readonly details: CorrectedDetails | null
}

/** The payment that a payment file has sent under a trace number. */
export interface SentEntry {
  readonly id: number
  readonly client_id: number
  readonly payer_name: string
  readonly vendor_id: number
  readonly vendor_name: string
  readonly vendor_payment_id: number
  readonly payment_batch_id: number
  /** Where each bill was paid by an entry of its own. */
  readonly bill_id: number | null
  readonly amount: string
  /** Bills that the entry has paid and that are still paid, and what they come to. */
  readonly bills: number
  readonly paid: string
  readonly reversed_on: string | null
}

/** In the order of the file. Throws 422 where it names payments of clients that the caller does not reach: a file is read as a whole. */
export async function layReturns(context: Context, entries: readonly ReadReturn[]): Promise<LaidReturn[]> {
  const found = Map.groupBy(await readSent(context, entries), ({ line }) => line)
  if ([...found.values()].flat().some(({ reached }) => !reached))
    throw invalid({ content: ['This file names payments of clients that you do not reach. Somebody who reaches them must read it.'] })
  const seen = new Map<string, number>()
  const wishes = new Map<number, string>()
  return entries.map((entry) => {
    const candidates = found.get(entry.line) ?? []
    // Trace numbers start again after ten million entries: the amount tells which of them is meant, and else the newest.
    const sent = candidates.find(({ amount }) => entry.kind === 'return' && centsOf(amount) === entry.amount) ?? candidates[0] ?? null
    const laid = { entry, sent, ...judged(context, entry, sent, wishes) }
    if (laid.state !== 'left' || sent === null) return laid
    const key = `${sent.id} ${entry.kind} ${entry.kind === 'notice' ? entry.code : ''}`
    const before = seen.get(key)
    seen.set(key, before ?? entry.line)
    return before === undefined
      ? laid
      : { ...laid, state: 'repeated', outcome: `Line ${before} of this file says it already.`, details: null }
  })
}

export function plannedOf({ entry, sent, state, outcome }: LaidReturn): PlannedReturn {
  return {
    line: entry.line,
    kind: entry.kind,
    code: entry.code,
    code_words: bankCodeWords(entry.code),
    state,
    outcome,
    amount: wireOf(entry.amount),
    client_id: sent?.client_id ?? null,
    payer_name: sent?.payer_name ?? null,
    vendor_id: sent?.vendor_id ?? null,
    vendor_name: sent?.vendor_name ?? null,
    payment_name: sent === null ? null : `VP-${sent.vendor_payment_id}`,
    payment_batch_id: sent?.payment_batch_id ?? null,
    original_trace: entry.original_trace,
    receiver: entry.receiver,
    remark: entry.remark,
  }
}

interface Found extends SentEntry {
  readonly line: number
  readonly reached: boolean
  readonly applied_at: string | null
  readonly po_box_fingerprint: Buffer | null
  readonly payment_identifier_fingerprint: Buffer | null
  readonly account_type: string
  readonly account_holder: string | null
}

/** The newest first. The statement is about all clients at once: a bank's file names payments of several. */
async function readSent({ tx, reach }: Context, entries: readonly ReadReturn[]): Promise<Found[]> {
  const asked = entries.map(({ line, kind, code, original_trace }) => ({ line, kind, code, original_trace }))
  const members = sql`from payment_batch_bills member join bills on bills.client_id = member.client_id and bills.id = member.bill_id
    where member.client_id = entry.client_id and member.vendor_payment_id = entry.vendor_payment_id and member.released_at is null
      and (entry.bill_id is null or entry.bill_id = member.bill_id) and (bills.paid or bills.finalized)`
  const { rows } = await sql<Found>`select asked.line, entry.id, entry.client_id, client.name as payer_name, vendor.id as vendor_id,
      vendor.name as vendor_name, entry.vendor_payment_id, payment.payment_batch_id, entry.bill_id, entry.amount::text as amount,
      (select count(*)::int ${members}) as bills, (select coalesce(sum(member.amount_paid), 0)::numeric(14,2)::text ${members}) as paid,
      (select max(reversal.reversed_date) from payment_reversals reversal where reversal.client_id = entry.client_id
        and reversal.vendor_payment_id = entry.vendor_payment_id and (entry.bill_id is null or entry.bill_id = reversal.bill_id)) as reversed_on,
      (select max(known.applied_at) from bank_returns known where known.payer_id = entry.client_id and known.global_batch_file_payment_id = entry.id
        and known.state = 'applied' and known.kind = asked.kind and (known.kind = 'return' or known.code = asked.code)) as applied_at,
      vendor.po_box_fingerprint, vendor.payment_identifier_fingerprint, vendor.account_type, vendor.account_holder,
      ${scopeCondition({ scope: { client: sql.ref('entry.client_id'), levels: {} } }, { reach })} as reached
    from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as asked(line int, kind text, code text, original_trace text)
    join global_batch_file_payments entry on entry.trace_number = asked.original_trace
    join vendor_payments payment on payment.client_id = entry.client_id and payment.id = entry.vendor_payment_id
    join vendors vendor on vendor.id = payment.vendor_id join clients client on client.id = entry.client_id
    order by asked.line, entry.id desc`.execute(tx)
  return rows
}

type Verdict = Pick<LaidReturn, 'state' | 'outcome' | 'details'>

function judged(context: Context, entry: ReadReturn, sent: Found | null, wishes: Map<number, string>): Verdict {
  const no = (state: PlannedReturn['state'], outcome: string): Verdict => ({ state, outcome, details: null })
  if (bankCodeWords(entry.code) === unknownCodeWords) return no('by_hand', `${entry.code} is in no list of codes. Ask the bank.`)
  if (entry.kind === 'return' && returnCodeOf(entry.code)?.isBetweenBanks === true)
    return no('by_hand', 'Banks argue about an earlier return. Ask the bank where the money is.')
  if (sent === null) return no('unmatched', `No payment file has the trace number ${entry.original_trace}.`)
  if (sent.applied_at !== null) return no('repeated', `Applied on ${formatDate(dayOf(sent.applied_at))} already.`)
  return entry.kind === 'return' ? judgedReturn(entry, sent, no) : judgedNotice(context, entry, sent, wishes, no)
}

type No = (state: PlannedReturn['state'], outcome: string) => Verdict

function judgedReturn({ amount }: ReadReturn, sent: SentEntry, no: No): Verdict {
  const name = `VP-${sent.vendor_payment_id}`
  if (centsOf(sent.amount) !== amount)
    return no('by_hand', `The bank returns ${formatMoney(wireOf(amount))}, and ${name} sent ${formatMoney(sent.amount)}.`)
  if (sent.bills === 0 && sent.reversed_on !== null)
    return no('repeated', `${name} was reversed on ${formatDate(sent.reversed_on)} already.`)
  if (sent.bills === 0) return no('by_hand', `${name} has no paid bill.`)
  if (centsOf(sent.paid) !== amount)
    return no('by_hand', `The bank returns ${formatMoney(wireOf(amount))}, and ${formatMoney(sent.paid)} of ${name} is still paid.`)
  return { state: 'left', outcome: `Reopens ${reopened(sent)}.`, details: null }
}

/** '2 bills of VP-12, $303.00'. */
export const reopened = ({ bills, vendor_payment_id, paid }: SentEntry): string =>
  `${bills === 1 ? '1 bill' : `${bills.toLocaleString('en-US')} bills`} of VP-${vendor_payment_id}, ${formatMoney(paid)}`

function judgedNotice(context: Context, { code, corrected }: ReadReturn, sent: Found, wishes: Map<number, string>, no: No): Verdict {
  const details = correctedDetails(code, corrected)
  if (details === null) return no('by_hand', 'It changes nothing of the vendor. Compare the bank profile of the payer with it.')
  if (details === 'unreadable') return no('by_hand', `The correction is not what ${code} announces. Ask the bank.`)
  if (isInForce(context, details, sent)) return no('repeated', `${sent.vendor_name} has these details already.`)
  const wish = JSON.stringify(details)
  const other = wishes.get(sent.vendor_id)
  if (other !== undefined && other !== wish)
    return no('by_hand', `An earlier line of this file asks for other details of ${sent.vendor_name}.`)
  if (other !== undefined) return no('repeated', `An earlier line of this file asks for the same details of ${sent.vendor_name}.`)
  wishes.set(sent.vendor_id, wish)
  return { state: 'left', outcome: `Asks a second person to change ${changedWords(details)} of ${sent.vendor_name}.`, details }
}

function isInForce({ machinery }: Context, details: CorrectedDetails, sent: Found): boolean {
  const same = (column: 'po_box' | 'payment_identifier') => {
    const value = details[column]
    const stored = sent[`${column}_fingerprint`]
    return value === undefined || (stored !== null && fingerprintOf(machinery.settings.secretKey, column, value).equals(stored))
  }
  return (
    same('po_box') &&
    same('payment_identifier') &&
    (details.account_type === undefined || details.account_type === sent.account_type) &&
    (details.account_holder === undefined || details.account_holder === sent.account_holder)
  )
}

const labels = {
  po_box: 'the routing number',
  payment_identifier: 'the accounting number',
  account_type: 'the account type',
  account_holder: 'the account holder',
}

/** 'the routing number and the accounting number': never the numbers themselves. */
export function changedWords(details: CorrectedDetails): string {
  const named = (['po_box', 'payment_identifier', 'account_type', 'account_holder'] as const).filter((key) => details[key] !== undefined)
  return new Intl.ListFormat('en-US').format(named.map((key) => labels[key]))
}

const dayOf = (instant: string): string => todayIn(NEW_YORK, new Date(instant))
