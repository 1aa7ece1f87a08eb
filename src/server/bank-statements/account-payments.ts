/** The payments that were sent from a bank account, and what of them is still to be seen on its statements. */
import { clearablesOf, type SentPayment } from '#contract/bank-statements/clearable.ts'
import { spentWords, type MatchGround } from '#contract/bank-statements/match-lines.ts'
import { centsOf } from '#contract/kernel/money.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { scopeCondition } from '../kernel/lists/list.ts'
import { outOfReach, payingFrom, type BankAccount } from './bank-account.ts'
import { clearedOn, dayOf, isSent, reversedOn, wayOf } from './sent-entries.ts'

/** A check stays with the account on which it was drawn; any other payment belongs to the account from which its payer pays. */
async function entriesOf(context: Context, account: BankAccount) {
  const { clients, isProviders } = await payingFrom(context, account)
  const isOfPayer = sql`issued.id is null and (entry.client_id = any(${clients}::bigint[])
    or (${isProviders}::boolean and not exists (select 1 from originating_profiles profile where profile.client_id = entry.client_id)))`
  return sql`from global_batch_file_payments entry join global_batch_files file on file.id = entry.global_batch_file_id
    left join issued_checks issued on issued.payer_id = entry.client_id and issued.global_batch_file_payment_id = entry.id
    where ${isSent} and entry.amount > 0
      and (issued.account_fingerprint = decode(${account.fingerprint}, 'hex') or (${isOfPayer}))`
}

const isCleared = (direction: 'out' | 'back') => sql<boolean>`exists (select 1 from bank_clearings clearing
  where clearing.payer_id = entry.client_id and clearing.global_batch_file_payment_id = entry.id and clearing.direction = ${sql.lit(direction)})`

interface Found extends Omit<SentPayment, 'amount'> {
  readonly amount: string
  readonly reached: boolean
}

/**
 * The payments of files of which something is still awaited: what is wholly cleared, which is nearly everything, is not read.
 * Throws 422 if the account pays for clients out of reach: a statement is read as a whole.
 */
export async function readPayments(context: Context, account: BankAccount): Promise<SentPayment[]> {
  const entries = await entriesOf(context, account)
  const { rows } = await sql<Found>`with unfinished as (select file.id ${entries} and not ${isCleared('out')}
      union select file.id ${entries} and not ${isCleared('back')} and exists (select 1 from payment_reversals reversal
        where reversal.client_id = entry.client_id and reversal.vendor_payment_id = entry.vendor_payment_id)),
    sent as (
      select entry.id, entry.client_id, entry.vendor_payment_id, entry.trace_number, entry.amount, file.id as file_id, file.file_name, ${wayOf} as way,
        ${dayOf} as day, issued.check_number::text as check_number, ${reversedOn('entry')} as reversed_on,
        ${isCleared('out')} as is_cleared, ${isCleared('back')} as is_back
      ${entries} and file.id in (select id from unfinished))
    select sent.id, sent.client_id, client.name as payer_name, vendor.name as vendor_name, sent.vendor_payment_id, sent.file_id, sent.file_name,
      sent.way, sent.amount::text as amount, sent.day, sent.check_number, sent.reversed_on, sent.is_cleared, sent.is_back,
      array_remove(array[sent.trace_number] || array(select distinct trim(member.notes) from payment_batch_bills member
        where member.client_id = sent.client_id and member.vendor_payment_id = sent.vendor_payment_id and trim(member.notes) <> ''), null) as references,
      ${scopeCondition({ scope: { client: sql.ref('sent.client_id'), levels: {} } }, { reach: context.reach })} as reached
    from sent join vendor_payments payment on payment.client_id = sent.client_id and payment.id = sent.vendor_payment_id
    join vendors vendor on vendor.id = payment.vendor_id join clients client on client.id = sent.client_id
    order by sent.id`.execute(context.tx)
  if (rows.some(({ reached }) => !reached)) throw outOfReach('content')
  return rows.map(({ amount, reached: _reached, ...row }) => ({ ...row, amount: centsOf(amount) }))
}

/** Everything that lines with these check numbers may be. */
export async function readGround(context: Context, account: BankAccount, numbers: readonly string[]): Promise<MatchGround> {
  const clearables = clearablesOf(await readPayments(context, account))
  const { rows } = await sql<{
    number: string
    cleared_on: string | null
    reversed_on: string | null
  }>`select issued.check_number::text as number,
      ${clearedOn('entry', 'out')} as cleared_on, ${reversedOn('entry')} as reversed_on
    from issued_checks issued join global_batch_file_payments entry on entry.client_id = issued.payer_id
      and entry.id = issued.global_batch_file_payment_id
    where issued.account_fingerprint = decode(${account.fingerprint}, 'hex') and issued.check_number = any(${numbers}::bigint[])`.execute(
    context.tx,
  )
  const spent = rows.filter(({ cleared_on, reversed_on }) => cleared_on !== null || reversed_on !== null)
  return { clearables, spent: new Map(spent.map((row) => [row.number, spentWords(row.number, row)])) }
}

/** The payments of an account that no statement up to a day shows. */
export async function outstandingOn(context: Context, account: BankAccount, day: string): Promise<{ count: number; total: string }> {
  const { rows } = await sql<{
    count: number
    total: string
  }>`select count(*)::int as count, coalesce(sum(amount), 0)::numeric(14,2)::text as total
    from (select entry.amount, ${wayOf} as way, ${dayOf} as day, ${clearedOn('entry', 'out')} as cleared_on, ${reversedOn('entry')} as reversed_on,
        ${clearedOn('entry', 'back')} as back_on
      ${await entriesOf(context, account)}) sent
    where day <= ${day}::date and (cleared_on is null or cleared_on > ${day}::date)
      and (way = 'file' or cleared_on is not null or back_on is not null or reversed_on is null or reversed_on > ${day}::date)`.execute(
    context.tx,
  )
  return rows[0] ?? { count: 0, total: '0.00' }
}
