/** The numbers of a client's vendors in its own accounting. */
import {
  clientVendorNumber,
  clientVendorNumberCalls,
  type ClientVendorNumber,
  type ClientVendorNumberDraft,
} from '#contract/clients/client-vendor-number.ts'
import { sql } from 'kysely'
import { clientVendorNumberScope } from '../estate/estate.ts'
import type { Context } from '../kernel/context.ts'
import type { Handler } from '../kernel/handler.ts'
import { invalid } from '../kernel/problem.ts'
import { crudHandlers, resource } from '../kernel/lists/resource.ts'
import { clientVendorNumberTarget } from './client-vendor-number-import.ts'

export const clientVendorNumbers = resource({
  entity: clientVendorNumber,
  table: 'client_vendor_numbers',
  scope: clientVendorNumberScope,
  joins: { vendor: sql`join vendors vendor on vendor.id = client_vendor_numbers.vendor_id` },
  columns: { vendor_name: { sql: sql.ref('vendor.name'), joins: ['vendor'] } },
  // Columns that an import accepts.
  further: () =>
    Promise.resolve([
      { header: 'vendor_short_code', sql: sql`(select short_code from vendors where vendors.id = client_vendor_numbers.vendor_id)` },
    ]),
  search: ['vendor_name', 'vendor_number'],
  check: isOnlyOne,
})

export const clientVendorNumberImportTarget = clientVendorNumberTarget(clientVendorNumbers)

export const clientVendorNumberHandlers: readonly Handler[] = Object.values(crudHandlers(clientVendorNumberCalls, clientVendorNumbers))

/** Gives a readable error for what the unique index guarantees: a client has one number per vendor. */
async function isOnlyOne(
  { tx }: Context,
  { vendor_id }: Partial<ClientVendorNumberDraft>,
  before: ClientVendorNumber | null,
  clientId: number,
): Promise<void> {
  if (vendor_id === undefined) return
  const { rows } = await sql<{ vendor_number: string }>`select vendor_number from client_vendor_numbers
    where client_id = ${clientId} and vendor_id = ${vendor_id} and id is distinct from ${before?.id ?? null}::bigint`.execute(tx)
  if (rows[0]) throw invalid({ vendor_id: [`This vendor has the number ${rows[0].vendor_number} already`] })
}
