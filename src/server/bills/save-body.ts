/** First steps of every save of a body, and the form of its refusals. */
import { reasonsByWire, type BillOfBody } from '#contract/bills/bill-body.ts'
import type { FieldReasons } from '#contract/bills/bill-draft.ts'
import type { BillAttributes } from '#contract/bills/bill-attributes.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { invalid } from '../kernel/problem.ts'
import { filesOfSave } from './bill-file-ids.ts'

/** Returns the files that the body names; undefined if it does not contain them. */
export async function filesOf(context: Context, clientId: number, body: BillAttributes): Promise<number[] | undefined> {
  return body.signed_file_ids === undefined ? undefined : filesOfSave(context, clientId, body.signed_file_ids)
}

/** Returns the refusal of a draft, by the fields that were sent. */
export const refusal = (reasons: FieldReasons, bill: Pick<BillOfBody, 'lines' | 'charges'>) => invalid(reasonsByWire(reasons, bill))

export function refuseFaults(faults: FieldReasons): void {
  if (Object.keys(faults).length > 0) throw invalid(faults)
}

/** A linked line that is sent with its bill must belong to that bill; the domain function reports lines that cannot be found. */
export async function refuseOtherSupplyBills(context: Context, clientId: number, body: BillAttributes): Promise<void> {
  const claims = (body.linked_service_bills_attributes ?? []).flatMap(({ service_bill_id, supply_bill_id, _destroy }, place) =>
    supply_bill_id === null || supply_bill_id === undefined || _destroy ? [] : [{ place, service_bill_id, supply_bill_id }],
  )
  if (claims.length === 0) return
  const { rows } = await sql<{ place: number }>`select claim.place from jsonb_to_recordset(${JSON.stringify(claims)}::jsonb)
      as claim(place int, service_bill_id bigint, supply_bill_id bigint)
    where not exists (select from service_bills line where line.client_id = ${clientId} and line.id = claim.service_bill_id and line.bill_id = claim.supply_bill_id)
    order by claim.place`.execute(context.tx)
  refuseFaults(
    Object.fromEntries(
      rows.map(({ place }) => [`linked_service_bills_attributes.${place}.supply_bill_id`, ['The line is none of this bill’s']]),
    ),
  )
}
