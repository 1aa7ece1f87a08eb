/** New references of an edited bill: other bills, lines of supply bills, files. */
import type { CheckedBill } from '#contract/bills/bill-draft.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { faultyReferences, findReferences, type References } from './bill-references.ts'
import type { StoredBill } from './stored-bill.ts'

interface EditReferences {
  readonly references: References
  /** Reasons against the new references, by field. */
  readonly faults: Readonly<Record<string, string[]>>
}

export async function editReferences(context: Context, clientId: number, draft: CheckedBill, before: StoredBill): Promise<EditReferences> {
  const named = newReferences(draft, before)
  const references = await findReferences(context, clientId, [named])
  const faults = {
    ...faultyReferences(named, references),
    ...(await groupFaults(context, clientId, named, before.id)),
    ...selfReferences(draft, before.id),
  }
  return { references, faults }
}

/** References that the bill already had are not checked again: they may lie outside the reach of a user who changes something else. */
function newReferences(draft: CheckedBill, { draft: stored, line_ids, files }: StoredBill): CheckedBill {
  const changed = (key: 'group_bill_id' | 'bill_id'): number | null => (draft[key] === (stored[key] ?? null) ? null : draft[key])
  const isRebill = draft.rebill_of_id !== (stored.rebill_of_id ?? null) || draft.rebill_mode !== (stored.rebill_mode ?? null)
  const known = new Set(stored.service_bills.flatMap((line) => line.supply_bill_id ?? []))
  return {
    ...draft,
    group_bill_id: changed('group_bill_id'),
    bill_id: changed('bill_id'),
    rebill_of_id: isRebill ? draft.rebill_of_id : null,
    linked_service_bill_ids: draft.linked_service_bill_ids.filter((id) => !(stored.linked_service_bill_ids ?? []).includes(id)),
    file_ids: draft.file_ids.filter((id) => !files.some((file) => file.file_id === id)),
    service_bills: draft.service_bills.map((line) =>
      line.supply_bill_id !== null && line_ids.length > 0 && known.has(line.supply_bill_id) ? { ...line, supply_bill_id: null } : line,
    ),
  }
}

/** Groups have one level: a bill that pays for others cannot be paid by another, or the cost of both would be counted nowhere. */
async function groupFaults(
  { tx }: Context,
  clientId: number,
  { group_bill_id }: CheckedBill,
  id: number,
): Promise<Record<string, string[]>> {
  if (group_bill_id === null) return {}
  const { rows } = await sql`select from bills where client_id = ${clientId} and group_bill_id = ${id} limit 1`.execute(tx)
  return rows.length === 0 ? {} : { group_bill_id: ['Other bills belong to this one'] }
}

function selfReferences(draft: CheckedBill, id: number): Record<string, string[]> {
  const keys = (['rebill_of_id', 'group_bill_id', 'bill_id'] as const).filter((key) => draft[key] === id)
  return Object.fromEntries(keys.map((key) => [key, ['This is the bill itself']]))
}
