/** The part of a bill's page that its list does not have. */
import type { BillDetail } from '#contract/bills/bill-detail.ts'
import { pageFields } from '#contract/bills/bill-fields.ts'
import type { StatusFacts } from '#contract/bills/status-facts.ts'
import { namesOf, ownOf } from '#contract/kernel/record.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { noSuch } from '../kernel/problem.ts'
import { anyLinkedErrors } from './bill-status-sql.ts'

type OwnHead = Pick<BillDetail, keyof typeof pageFields | 'override_reason' | 'source' | 'payment_batch_notes'>
interface Head extends OwnHead, Pick<BillDetail, 'missing_fields' | 'vendor_payment'> {
  readonly facts: StatusFacts
}

interface HeadRow extends StatusFacts, OwnHead {
  readonly missing_fields: string[]
  readonly vendor_name: string | null
  readonly payment_methods: string | null
}

export async function headOf(context: Context, clientId: number, id: number): Promise<Head> {
  const { rows } = await sql<HeadRow>`
    select ${sql.join(namesOf(pageFields).map((name) => sql.ref(`bills.${name}`)))}, bills.override_reason, bills.source, bills.missing_fields, payment_batch.notes as payment_batch_notes,
      bills.superseded_by_id, bills.finalized, bills.paid, bills.vendor_payment_id, payment_batch.is_global as payment_batch_is_global, bills.parked, bills.qc, bills.open_errors,
      bills.open_blocking, ${anyLinkedErrors} as any_linked_errors, bills.accounting_batch_id, accounting_batch.closed as accounting_batch_closed,
      accounting_batch.invoiced as accounting_batch_invoiced, vendor.name as vendor_name,
      (select string_agg(payment_methods.name, ', ' order by method.position, payment_methods.id) from vendor_payment_methods method
        join payment_methods on payment_methods.id = method.payment_method_id where method.vendor_id = vendor_payment.vendor_id) as payment_methods
    from bills
    left join vendor_payments vendor_payment on vendor_payment.client_id = bills.client_id and vendor_payment.id = bills.vendor_payment_id
    left join payment_batches payment_batch on payment_batch.client_id = vendor_payment.client_id and payment_batch.id = vendor_payment.payment_batch_id
    left join vendors vendor on vendor.id = vendor_payment.vendor_id
    left join accounting_batches accounting_batch on accounting_batch.client_id = bills.client_id and accounting_batch.id = bills.accounting_batch_id
    where bills.client_id = ${clientId} and bills.id = ${id}`.execute(context.tx)
  const row = rows[0]
  if (!row) throw noSuch('Bill')
  const { override_reason, source, missing_fields, payment_batch_notes, vendor_name, payment_methods, vendor_payment_id } = row
  const vendor_payment =
    vendor_payment_id === null
      ? null
      : { id: vendor_payment_id, full_name: `VP-${vendor_payment_id} ${vendor_name ?? ''}`.trim(), vendor_name, payment_methods }
  return { ...ownOf(pageFields, row), override_reason, source, missing_fields, payment_batch_notes, vendor_payment, facts: row }
}
