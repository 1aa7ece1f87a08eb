/** Stores the numbers of checks, and corrects them until they are reported to the bank. The trail keeps each change. */
import type { CheckNumberDraft } from '#contract/issued-checks/issued-check.ts'
import { plainCheckNumber } from '#contract/issued-checks/issued-check.ts'
import { sql } from 'kysely'
import type { AuditEntry } from '../kernel/audit.ts'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { storedRow } from '../kernel/lists/save.ts'
import { invalid, refused } from '../kernel/problem.ts'
import { judgeNumber, readEntries, readGround, type JudgedNumber } from './check-entries.ts'
import { askedChecks, issuedChecks } from './check-source.ts'

/** Two people at once: the second waits for the lock of the entry, and then gets the number that is there. */
export async function recordNumber(context: Context, id: number, { check_number, check_date, seen_check_number }: CheckNumberDraft) {
  await storedRow(context, issuedChecks, id, askedChecks(context), true)
  const [entry] = await readEntries(context, { ids: [id] }, true)
  const number = plainCheckNumber(check_number)
  if (!entry || number === null) throw new Error('a check that was read is not there')
  if (entry.check_number !== seen_check_number)
    throw refused(
      entry.check_number === null
        ? 'The number of this check was taken away meanwhile. Load the page again.'
        : `Somebody has recorded number ${entry.check_number} for this check meanwhile. Load the page again.`,
      id,
    )
  if (entry.is_reported) throw refused(`The bank was told of check ${entry.check_number}, so its number and date stay as they are.`, id)
  const wanted = { check_number: number, check_date, amount: null }
  const judged = judgeNumber(wanted, entry, await readGround(context, [entry], [number]), new Map())
  if ('sentence' in judged) throw invalid({ [judged.field]: [judged.sentence] })
  await storeNumbers(context, [judged])
  return { success: true, message: `Check ${number} recorded for VP-${entry.vendor_payment_id}`, id }
}

/** Stores what is new or differs. @returns how many were stored. */
export async function storeNumbers(context: Context, judged: readonly JudgedNumber[]): Promise<number> {
  const changed = judged.filter(({ entry, ...one }) => one.check_number !== entry.check_number || one.check_date !== entry.check_date)
  await insertNumbers(
    context,
    changed.filter(({ entry }) => entry.check_id === null),
  )
  await correctNumbers(
    context,
    changed.filter(({ entry }) => entry.check_id !== null),
  )
  for (const [clientId, own] of Map.groupBy(changed, ({ entry }) => entry.client_id)) await showOnPayments(context, clientId, own)
  await context.audit.many(changed.flatMap(entriesOf))
  return changed.length
}

const rowsOf = (judged: readonly JudgedNumber[]): string =>
  JSON.stringify(judged.map(({ entry, account, check_number, check_date }) => ({ ...entry, ...account, check_number, check_date })))

async function insertNumbers(context: Context, judged: readonly JudgedNumber[]): Promise<void> {
  if (judged.length === 0) return
  const { rows } =
    await sql`insert into issued_checks (payer_id, global_batch_file_payment_id, vendor_payment_id, account_fingerprint, account_last4,
      check_number, check_date, amount, payee, created_by, created_at, updated_at)
    select client_id, id, vendor_payment_id, decode(fingerprint, 'hex'), last4, check_number, check_date, amount, payee,
      ${context.principal.user_id}, ${now()}, ${now()}
    from jsonb_to_recordset(${rowsOf(judged)}::jsonb) as one(client_id bigint, id bigint, vendor_payment_id bigint, fingerprint text, last4 text,
      check_number bigint, check_date date, amount numeric(14,2), payee text) order by client_id, id
    on conflict do nothing returning id`.execute(context.tx)
  if (rows.length < judged.length) throw refused('Somebody else has recorded one of these numbers at the same moment. Load the page again.')
}

async function correctNumbers(context: Context, judged: readonly JudgedNumber[]): Promise<void> {
  if (judged.length === 0) return
  const { rows } = await sql`update issued_checks set check_number = one.check_number, check_date = one.check_date, updated_at = ${now()}
    from jsonb_to_recordset(${rowsOf(judged)}::jsonb) as one(check_id bigint, check_number bigint, check_date date)
    where issued_checks.id = one.check_id and issued_checks.issue_file_id is null and issued_checks.void_file_id is null
    returning issued_checks.id`.execute(context.tx)
  if (rows.length < judged.length) throw refused('The bank was told of one of these checks meanwhile. Load the page again.')
}

/** Bills, reports and trails show the number of the payment. */
async function showOnPayments(context: Context, clientId: number, judged: readonly JudgedNumber[]): Promise<void> {
  const told = judged.map(({ entry, check_number }) => ({ id: entry.vendor_payment_id, check_number }))
  await sql`update vendor_payments set check_number = told.check_number, lock_version = lock_version + 1, updated_at = ${now()}
    from jsonb_to_recordset(${JSON.stringify(told)}::jsonb) as told(id bigint, check_number text)
    where vendor_payments.client_id = ${clientId} and vendor_payments.id = told.id`.execute(context.tx)
}

function entriesOf({ entry, check_number, check_date }: JudgedNumber): AuditEntry[] {
  const { client_id } = entry
  const changes = {
    ...(check_number === entry.check_number ? {} : { check_number: { from: entry.check_number, to: check_number } }),
    ...(check_date === entry.check_date ? {} : { check_date: { from: entry.check_date, to: check_date } }),
  }
  const event = entry.check_id === null ? 'create' : 'update'
  return [
    { event, item_type: 'issued_check', item_id: entry.id, client_id, changes },
    ...(check_number === entry.payment_number
      ? []
      : [
          {
            event: 'update' as const,
            item_type: 'vendor_payment',
            item_id: entry.vendor_payment_id,
            client_id,
            changes: { check_number: { from: entry.payment_number, to: check_number } },
          },
        ]),
  ]
}
