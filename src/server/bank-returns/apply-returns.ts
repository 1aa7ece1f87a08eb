/** Applies entries of a return file: returns reopen the bills of their payments, notices ask a second person to change a vendor's bank details. */
import { returnCodeOf } from '#contract/payment-files/return-codes.ts'
import { centsOf, sumCents } from '#contract/kernel/money.ts'
import { reversalReasonMax } from '#contract/payment-batches/payment-reversal.ts'
import { sql } from 'kysely'
import { today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { reversePayments, type Reversing } from '../payment-batches/payment-batches.ts'
import { requestBankChanges } from '../vendors/vendors.ts'
import type { ReadReturn } from '#contract/payment-files/nacha-returns.ts'
import { changedWords, layReturns, reopened, type LaidReturn, type SentEntry } from './plan-returns.ts'

/**
 * Locks the batches of what is to be applied, lays the entries against the payments again as they are now, and applies those of these lines that
 * still can be. `day` is the file's. @returns all entries, with what was done.
 */
export async function applyReturns(
  context: Context,
  entries: readonly ReadReturn[],
  { lines, day }: { readonly lines: ReadonlySet<number>; readonly day: string },
): Promise<LaidReturn[]> {
  const batches = (await layReturns(context, entries)).flatMap(({ sent }) => (sent === null ? [] : [sent.payment_batch_id]))
  await sql`select id from payment_batches where id = any(${[...new Set(batches)]}::bigint[]) order by client_id, id for update`.execute(
    context.tx,
  )
  const laid = await layReturns(context, entries)
  const chosen = laid.filter((one): one is Applying => one.state === 'left' && one.sent !== null && lines.has(one.entry.line))
  const returned = chosen.filter(({ entry }) => entry.kind === 'return')
  const noticed = chosen.filter(({ entry }) => entry.kind === 'notice')
  await reopen(context, returned, day)
  await requestBankChanges(
    context,
    noticed.flatMap(({ sent, details }) => (details === null ? [] : [{ vendorId: sent.vendor_id, draft: details }])),
  )
  const applied = new Map([...returned, ...noticed].map((one) => [one.entry.line, one]))
  return laid.map((one) => {
    const done = applied.get(one.entry.line)
    return done ? { ...one, state: 'applied', outcome: doneWords(done) } : one
  })
}

type Applying = LaidReturn & { readonly sent: SentEntry }

async function reopen(context: Context, returned: readonly Applying[], day: string): Promise<void> {
  const reversedOn = day > today() ? today() : day
  for (const [clientId, own] of Map.groupBy(returned, ({ sent }) => sent.client_id)) {
    const bills = await reversePayments(
      context,
      clientId,
      own.map((one): Reversing => reversingOf(one, reversedOn)),
    )
    if (sumCents(bills.map(({ amount }) => centsOf(amount))) !== sumCents(own.map(({ entry }) => entry.amount)))
      throw new Error('the bills that were reopened do not come to what the bank returned')
  }
}

function reversingOf({ entry, sent }: Applying, reversed_date: string): Reversing {
  const words = [`${entry.code} ${returnCodeOf(entry.code)?.words ?? ''}`, entry.remark].filter((part) => part !== '').join('. ')
  return {
    payment_batch_id: sent.payment_batch_id,
    vendor_payment_id: sent.vendor_payment_id,
    bill_id: sent.bill_id,
    kind: 'ach_return',
    return_code: entry.code,
    reversed_date,
    reason: words.slice(0, reversalReasonMax),
  }
}

function doneWords({ entry, sent, details }: Applying): string {
  if (entry.kind === 'return') return `Reopened ${reopened(sent)}.`
  return `Asked a second person to change ${details === null ? '' : changedWords(details)} of ${sent.vendor_name}.`
}
