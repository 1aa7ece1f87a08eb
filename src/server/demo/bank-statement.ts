/** The statement of one bank account of yesterday: payments that it names are cleared, others wait to be confirmed, and a fee to be explained. */
import type { CalendarDate } from '#contract/kernel/date.ts'
import { centsOf, wireOf, type Cents } from '#contract/kernel/money.ts'
import { sql } from 'kysely'
import { readStatementFile } from '../bank-statements/bank-statements.ts'
import type { Context } from '../kernel/context.ts'

const OPENING_CENTS = 250_000_000
const FEE_CENTS = 3_500
const CHECKS_MAX = 5

interface Posted {
  readonly text: string
  readonly reference: string
  readonly cents: Cents
}

export async function makeBankStatement(context: Context, day: CalendarDate): Promise<void> {
  const sent = await paymentsOfOneAccount(context)
  const [first] = sent
  if (!first) return
  const payments = sent.map(({ id, amount }, at) => ({
    text: 'CHECK PAID',
    // The bank names every second payment by its number, and writes the amount of the others alone.
    reference: at % 2 === 0 ? `VP-${id}` : '',
    cents: -centsOf(amount),
  }))
  const content = csvOf(day, [...payments, { text: 'ACCOUNT ANALYSIS FEE', reference: '', cents: -FEE_CENTS }])
  const file_name = `statement-${day}.csv`
  const typed = { mapping: null, opening: wireOf(OPENING_CENTS), closing: null }
  await readStatementFile(context, { originating_profile_id: first.profile_id, file_name, content, ...typed })
}

/** Checks that left the account with the most of them. A payer without a profile pays from the account of the provider. */
async function paymentsOfOneAccount({ tx }: Context): Promise<{ id: number; amount: string; profile_id: number }[]> {
  const { rows } = await sql<{ id: number; amount: string; profile_id: number }>`with sent as (
      select entry.vendor_payment_id as id, entry.id as entry_id, entry.amount, (select profile.id from originating_profiles profile
        where profile.client_id in (entry.client_id, 0) and profile.is_default and profile.active
        order by profile.client_id desc limit 1) as profile_id
      from global_batch_file_payments entry join global_batch_files file on file.id = entry.global_batch_file_id
      where file.purpose = 'payment' and file.format = 'check_request' and entry.amount > 0)
    select id, amount::text as amount, profile_id from sent
    where profile_id = (select profile_id from sent where profile_id is not null group by profile_id order by count(*) desc, profile_id limit 1)
    order by entry_id limit ${CHECKS_MAX}`.execute(tx)
  return rows
}

function csvOf(day: CalendarDate, posted: readonly Posted[]): string {
  let balance: Cents = OPENING_CENTS
  const rows = posted.map(({ text, reference, cents }) => {
    balance += cents
    return [day, text, reference, wireOf(cents), wireOf(balance)].join(',')
  })
  return ['Date,Description,Reference,Amount,Balance', ...rows, ''].join('\n')
}
