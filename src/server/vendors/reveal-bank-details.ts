/** Shows full numbers: only with the right, a few times an hour, and always with an entry in the audit log. */
import { revealsPerHourMax } from '#contract/vendors/vendor-bank-change.ts'
import { sql } from 'kysely'
import { mustBeProven } from '../access/access.ts'
import type { Context } from '../kernel/context.ts'
import { notFound, refused, tooMuch } from '../kernel/problem.ts'
import { openSecret } from '../kernel/secret.ts'

interface Stored {
  readonly state: string
  readonly po_box: Buffer | null
  readonly payment_identifier: Buffer | null
  readonly account_type: string | null
  readonly account_holder: string | null
}

/** The numbers in force. */
export function revealVendor(context: Context, id: number) {
  return reveal(context, { item: 'vendor', table: 'vendors', id, state: sql`'in force'` })
}

/** The waiting numbers. Refuses once the change is decided: it no longer has any. */
export function revealChange(context: Context, id: number) {
  return reveal(context, { item: 'vendor_bank_change', table: 'vendor_bank_changes', id, state: sql`state` })
}

interface Shown {
  readonly item: 'vendor' | 'vendor_bank_change'
  readonly table: 'vendors' | 'vendor_bank_changes'
  readonly id: number
  readonly state: ReturnType<typeof sql>
}

async function reveal(context: Context, { item, table, id, state }: Shown) {
  const { tx, machinery, principal } = context
  await mustBeProven(context)
  // One at a time for each person, or two at once would both be the last one of the hour.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`bank-details ${principal.user_id}`}, 0))`.execute(tx)
  const { rows } =
    await sql<Stored>`select ${state} as state, po_box_encrypted as po_box, payment_identifier_encrypted as payment_identifier, account_type, account_holder
    from ${sql.table(table)} where id = ${id}`.execute(tx)
  const [stored] = rows
  if (!stored) throw notFound()
  if (item === 'vendor_bank_change' && stored.state !== 'waiting')
    throw refused('This change is decided, and its numbers are no longer kept with it.')
  await refuseTooMany(context)
  const opened = (column: 'po_box' | 'payment_identifier') => {
    const bytes = stored[column]
    return bytes === null ? null : openSecret(machinery.settings.secretKey, { table, column, id }, bytes)
  }
  await context.audit.noted('access', item, id, 0)
  const { account_type, account_holder } = stored
  return { bank_details: { po_box: opened('po_box'), payment_identifier: opened('payment_identifier'), account_type, account_holder } }
}

async function refuseTooMany({ tx, principal }: Context): Promise<void> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from audit_records where user_id = ${principal.user_id}
    and created_at > now() - interval '1 hour' and event = 'access' and item_type in ('vendor', 'vendor_bank_change')`.execute(tx)
  if ((rows[0]?.count ?? 0) >= revealsPerHourMax)
    throw tooMuch('too_many', `Full numbers can be shown ${revealsPerHourMax} times an hour. Please try again later.`, 600)
}
