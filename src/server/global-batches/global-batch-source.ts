/** Global batches: payment batches that the provider's desk creates and pays. */
import { globalBatch, type GlobalBatch } from '#contract/global-batches/global-batch.ts'
import { payTypes } from '#contract/global-batches/pay-type.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { vendorBatchScope } from '../estate/estate.ts'
import type { Context } from '../kernel/context.ts'
import { defineWhere } from '../kernel/lists/export.ts'
import type { Asked } from '../kernel/lists/list.ts'
import { askedBy, resource } from '../kernel/lists/resource.ts'
import { storedRow } from '../kernel/lists/save.ts'

const members = sql`from payment_batch_bills member where member.client_id = payment_batches.client_id
  and member.payment_batch_id = payment_batches.id and member.released_at is null`
const payments = sql`from vendor_payments payment join vendors on vendors.id = payment.vendor_id
  where payment.client_id = payment_batches.client_id and payment.payment_batch_id = payment_batches.id`
const own = { isStoredApart: true } as const

export const effectiveTypeColumn = sql<string | null>`coalesce(payment_batches.temp_pay_method, payment_batches.payment_method)`

export const globalBatches = resource({
  entity: globalBatch,
  table: 'payment_batches',
  scope: vendorBatchScope,
  joins: { client: sql`join clients client on client.id = payment_batches.client_id` },
  columns: {
    global_batch_id: { sql: sql.ref('payment_batches.id') },
    payment_batch_id: { sql: sql.ref('payment_batches.id') },
    payer_type: { sql: sql`'Client'`, ...own },
    payer_id: { sql: sql.ref('payment_batches.client_id'), ...own },
    client_id: { sql: sql.ref('payment_batches.client_id'), ...own },
    payer_name: { sql: sql`client.name`, joins: ['client'] },
    vendor_ids: { sql: sql`array(select distinct payment.vendor_id ${payments} order by payment.vendor_id)` },
    vendor_names: { sql: sql`array(select distinct vendors.name ${payments} order by vendors.name)` },
    exclusive_vendor_names: { sql: sql`array(select distinct vendors.name ${payments} and vendors.is_exclusive order by vendors.name)` },
    bills_payment_method: { sql: sql.ref('payment_batches.payment_method') },
    effective_type: { sql: effectiveTypeColumn },
    batch_total: { sql: sql`(select coalesce(sum(member.amount_paid), 0)::numeric(14,2) ${members})` },
    bill_count: { sql: sql`(select count(*)::int ${members})` },
    payment_count: { sql: sql`(select count(*)::int ${payments})` },
    release_id: {
      sql: sql`(select held.export_release_id from export_release_batches held where held.client_id = payment_batches.client_id
        and held.payment_batch_id = payment_batches.id and held.waits)`,
    },
    bank_details_changed: {
      sql: sql`(not payment_batches.is_paid and exists (select 1 ${payments} and vendors.bank_changed_at > payment_batches.created_at))`,
    },
  },
  search: ['payer_name', 'notes'],
})

/** Excludes unbatched batches, which are history, and finalized ones, which are done. */
const isAtDesk = defineWhere(
  'global_batches_at_desk',
  z.object({}),
  () => sql<boolean>`payment_batches.is_global and payment_batches.unbatched_at is null and not payment_batches.finalized`,
)

/** An exported batch leaves the tab of its type. */
const ofType = defineWhere(
  'global_batches_of_type',
  z.object({ type: z.enum(payTypes) }),
  ({ type }) => sql<boolean>`${effectiveTypeColumn} = ${type} and not payment_batches.is_paid`,
)

/** Live batches, including finalized ones, which can still be viewed. */
const isLive = defineWhere(
  'live_global_batches',
  z.object({}),
  () => sql<boolean>`payment_batches.is_global and payment_batches.unbatched_at is null`,
)

type Wherein = Required<Pick<Asked, 'where' | 'whereKey'>>
const all = (...parts: readonly Wherein[]): Wherein => ({
  where: parts.flatMap(({ where }) => where),
  whereKey: parts.map(({ whereKey }) => whereKey).join('\n'),
})

export interface AskedDesk {
  readonly type?: (typeof payTypes)[number] | undefined
  readonly day?: Wherein | undefined
}

export const atDesk = (context: Context, { type, day }: AskedDesk = {}): Asked => ({
  ...askedBy(context, {}),
  ...all(isAtDesk({}), ...(type === undefined ? [] : [ofType({ type })]), ...(day === undefined ? [] : [day])),
})

export const anyLive = (context: Context): Asked => ({ ...askedBy(context, {}), ...isLive({}) })

/** Returns the batch in the caller's reach, locked if it is about to change. Throws not-found. */
export const readGlobalBatch = (context: Context, id: number, lock = false): Promise<GlobalBatch> =>
  storedRow(context, globalBatches, id, anyLive(context), lock)

/** The batch in the form that the code of vendor batches expects. */
export const askedOf = ({ id, client_id }: { readonly id: number; readonly client_id: number }) => ({
  id,
  client_id,
  payer_type: 'Client' as const,
  payer_id: client_id,
  is_global: true,
})
