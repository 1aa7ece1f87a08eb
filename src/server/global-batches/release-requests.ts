/** Requests for the release of an export: asked for instead of a file, and ended by a decision or by a change of what was to be paid. */
import { firstPaymentText } from '#contract/global-batches/first-payment.ts'
import type { GlobalExport } from '#contract/global-batches/global-payment.ts'
import { formatMoney, sumCents, wireOf } from '#contract/kernel/money.ts'
import { sql } from 'kysely'
import type { AuditEntry } from '../kernel/audit.ts'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { batchName, type ChosenBatch } from './chosen-batches.ts'
import { noReference, type BatchFault } from './export-checks.ts'
import type { ReadyExport } from './pay-by-files.ts'
import { fingerprintsOf } from './release-fingerprints.ts'
import type { Weighed } from './release-rules.ts'
import { releaseHref, tellAsker, tellReleasers } from './tell-of-releases.ts'

/** Most payers that a request names; all are counted. */
const NAMED_PAYERS_MAX = 20

/** Stores the request; its batches wait from now on. @returns what the answer tells of it. */
export async function askForRelease(
  context: Context,
  batches: readonly ChosenBatch[],
  { way, input, first }: ReadyExport,
  { weighed, confirmed = [] }: { readonly weighed: Weighed; readonly confirmed?: GlobalExport['confirmed_vendors'] },
): Promise<{ id: number; reasons: string[] }> {
  const reasons = weighed.reasons.join('; ')
  const total = wireOf(sumCents(input.payments.map(({ amount }) => amount)))
  const payer_names = namesOf(batches.map(({ payer_name }) => payer_name))
  const { rows } = await sql<{
    id: number
  }>`insert into export_releases (pay_method, format, vendor_name, confirmed_vendors, reasons, fingerprints, apart,
      payer_names, batch_count, payment_count, total, requested_by, requested_at)
    values (${way.type}, ${way.format}, ${way.vendor_name}::text, ${JSON.stringify(confirmed)}::jsonb, ${reasons},
      ${JSON.stringify(await fingerprintsOf(context, input, weighed))}::jsonb, ${weighed.apart}, ${payer_names}, ${batches.length},
      ${input.payments.length}, ${total}, ${context.principal.user_id}, ${now()}) returning id`.execute(context.tx)
  const id = rows[0]?.id
  if (id === undefined) throw new Error('a request that was stored has no id')
  await sql`insert into export_release_batches (client_id, export_release_id, payment_batch_id)
    select client_id, ${id}, batch_id from jsonb_to_recordset(${JSON.stringify(
      batches.map((batch) => ({ client_id: batch.client_id, batch_id: batch.id })),
    )}::jsonb) as one(client_id bigint, batch_id bigint) order by client_id, batch_id`.execute(context.tx)
  const first_payments = first.map((one) => `${firstPaymentText(one)}, to ${one.vendor_name}`).join('; ')
  await context.audit.created('export_release', id, 0, {
    pay_method: way.type,
    total,
    reasons,
    payer_names,
    ...(first_payments === '' ? {} : { first_payments }),
  })
  await noteOnBatches(context, batches, `waits for release ${id}: ${reasons}`)
  await tellReleasers(context, { id, total, reasons })
  return { id, reasons: [...weighed.reasons] }
}

function namesOf(payers: readonly string[]): string {
  const names = [...new Set(payers)]
  const more = names.length - NAMED_PAYERS_MAX
  return names.slice(0, NAMED_PAYERS_MAX).join(', ') + (more > 0 ? ` and ${more.toLocaleString('en-US')} more` : '')
}

/** What waits for a release is neither exported nor asked for again. */
export function waitingFaults(batches: readonly ChosenBatch[]): BatchFault[] {
  return batches.flatMap((batch) =>
    batch.release_id === null
      ? []
      : [
          {
            ...noReference,
            client_id: batch.client_id,
            batch_id: batch.id,
            sentence: `${batchName(batch)} waits for a release by a second person.`,
            link: releaseHref(batch.release_id),
          },
        ],
  )
}

interface Ending {
  readonly id: number
  readonly state: 'released' | 'refused' | 'withdrawn' | 'void'
  readonly note: string | null
}

/** Ends a waiting request, whose row the transaction holds. Its batches are free again, or paid. */
export async function endRelease(context: Context, { id, state, note }: Ending): Promise<void> {
  await sql`update export_releases set state = ${state}, decided_by = ${context.principal.user_id}, decided_at = ${now()}, note = ${note}::text,
      updated_at = ${now()} where id = ${id}`.execute(context.tx)
  const { rows } = await sql<{ id: number; client_id: number }>`update export_release_batches set waits = false
    where export_release_id = ${id} and waits returning client_id, payment_batch_id as id`.execute(context.tx)
  await context.audit.updated('export_release', id, 0, {
    state: { from: 'waiting', to: state },
    ...(note === null ? {} : { note: { from: null, to: note } }),
  })
  await noteOnBatches(context, rows, `release ${id} is ${state}${note === null ? '' : `: ${note}`}`)
}

/** A change of a batch makes the request void that it waits for; who asked for it is told. The batches are locked. */
export async function voidReleases(context: Context, batches: readonly number[], why: string): Promise<void> {
  const { rows } = await sql<{ id: number; requested_by: number; total: string }>`select id, requested_by, total from export_releases
    where state = 'waiting' and id in (select export_release_id from export_release_batches
      where payment_batch_id = any(${batches}::bigint[]) and waits) order by id for update`.execute(context.tx)
  for (const request of rows) {
    await endRelease(context, { id: request.id, state: 'void', note: why })
    await tellAsker(context, { ...request, state: 'void', note: why })
  }
}

/** 'waits for the release of $120,000.00'. */
export const waitsMessage = (total: string): string => `The export of ${formatMoney(total)} waits for a release by a second person`

async function noteOnBatches(
  context: Context,
  batches: readonly { readonly id: number; readonly client_id: number }[],
  words: string,
): Promise<void> {
  await context.audit.many(
    batches.map(({ id, client_id }): AuditEntry => ({
      event: 'update',
      item_type: 'global_batch',
      item_id: id,
      client_id,
      changes: { release: { from: null, to: words } },
    })),
  )
}
