/** The batches of a request: in reach, locked, and allowed to be managed together. */
import type { GlobalBatch } from '#contract/global-batches/global-batch.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { scopeCondition } from '../kernel/lists/list.ts'
import { joinsFor, selectedKeys, selection } from '../kernel/lists/list-source.ts'
import { askedBy } from '../kernel/lists/resource.ts'
import { invalid, notFound, refused } from '../kernel/problem.ts'
import { globalBatches } from './global-batch-source.ts'

/** A batch with its client, which every global batch has. */
export type ChosenBatch = GlobalBatch & { readonly client_id: number }

/**
 * Locks the batches in the order of client and id, so that two requests never deadlock. Throws not-found if one is out of reach, 409 if one is
 * paid already, and 422 if one has an exclusive vendor that the others do not have. Without `lock` they are only read.
 */
export async function chooseBatches(context: Context, ids: readonly number[], lock = true): Promise<ChosenBatch[]> {
  const wanted = [...new Set(ids)]
  const keys = selectedKeys(globalBatches)
  const { rows: locked } = await sql<{ id: number }>`select id from payment_batches where id = any(${wanted}::bigint[])
    and ${scopeCondition(globalBatches, askedBy(context, {}))} and is_global and unbatched_at is null
    order by client_id, id ${lock ? sql`for update` : sql``}`.execute(context.tx)
  if (locked.length < wanted.length) throw notFound('Global Batch not found.')
  const { rows } =
    await sql<ChosenBatch>`select ${selection(context.tx, globalBatches, keys, context).words} from payment_batches ${joinsFor(globalBatches, keys)}
    where payment_batches.id = any(${wanted}::bigint[]) order by payment_batches.client_id, payment_batches.id`.execute(context.tx)
  const done = rows.find((row) => row.is_paid || row.finalized)
  if (done) throw refused(`${batchName(done)} is ${done.finalized ? 'finalized' : 'paid'} already.`, done.id)
  refuseExclusive(rows)
  return rows
}

/** 'Batch 12 of Harvest Lane Markets'. */
export const batchName = ({ id, payer_name }: Pick<GlobalBatch, 'id' | 'payer_name'>): string => `Batch ${id} of ${payer_name}`

/**
 * Batches of an exclusive vendor may only be managed with batches of that vendor. A batch that held other vendors before its vendor became
 * exclusive keeps its state, and is managed alone.
 */
function refuseExclusive(batches: readonly ChosenBatch[]): void {
  for (const batch of batches)
    for (const vendor of batch.exclusive_vendor_names)
      if (batches.some((other) => other.id !== batch.id && (other.vendor_names.length !== 1 || other.vendor_names[0] !== vendor)))
        throw invalid({ ids: [`Batches with the vendor ${vendor} can only be managed with batches with that same vendor.`] })
}

/** Returns what a person should know before a batch is paid that could not be made any more. */
export function mixedWarnings(batches: readonly ChosenBatch[]): string[] {
  return batches.flatMap((batch) => {
    const [vendor] = batch.exclusive_vendor_names
    if (vendor === undefined || batch.vendor_names.length < 2) return []
    return [`${batchName(batch)} pays ${vendor} together with other vendors: ${vendor} became exclusive after it was made.`]
  })
}
