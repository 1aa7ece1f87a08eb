/**
 * Vendors, and the example of a plain slice: a resource, its handlers, and the little that only vendors have.
 * The two bank numbers are secrets: the kernel encrypts them, masks them in every answer and keeps them out of the trail and of exports.
 */
import { vendor, vendorCalls, type VendorDraft } from '#contract/vendor.ts'
import { sql } from 'kysely'
import { saveLinks } from '../kernel/children.ts'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import type { Handler } from '../kernel/handler.ts'
import { crudHandlers, isFree, optionsHandler, resource } from '../kernel/resource.ts'
import { isMasked } from '../kernel/secret.ts'
import { vendorTarget } from './vendor-import.ts'

export const vendors = resource({
  entity: vendor,
  table: 'vendors',
  scope: 'shared', // reference data: kept by provider staff, read by every client
  columns: {
    display_name: { sql: sql`vendors.name || ' (' || vendors.short_code || ')'` },
    payment_methods: {
      sql: sql`(select coalesce(json_agg(json_build_object('id', payment_methods.id, 'name', payment_methods.name) order by chosen.position, payment_methods.id), '[]')
        from vendor_payment_methods chosen join payment_methods on payment_methods.id = chosen.payment_method_id where chosen.vendor_id = vendors.id)`,
    },
  },
  search: ['name', 'short_code'],
  check: isFree('vendors', 'short_code', 'Short Code'),
})

export const vendorImportTarget = vendorTarget(vendors)

export const vendorHandlers: readonly Handler[] = Object.values({
  ...crudHandlers(vendorCalls, vendors, { added: bankChange, children: savePaymentMethods }),
  selectOptions: optionsHandler(vendorCalls.selectOptions, vendors, ['id', 'name', 'display_name']),
})

/** The order of the ids is the vendor's order: the first method is how it is paid. */
function savePaymentMethods({ tx }: Context, { payment_method_ids }: Partial<VendorDraft>, { id }: { readonly id: number }): Promise<void> {
  return saveLinks(
    tx,
    { table: 'vendor_payment_methods', parent: { vendor_id: id }, column: 'payment_method_id', ordered: true },
    payment_method_ids,
  )
}

/** Remembers who changed a bank number: nobody pays to it before a second person has confirmed the change. */
async function bankChange({ principal }: Context, draft: Partial<VendorDraft>): Promise<Record<string, unknown>> {
  const typed = [draft.po_box, draft.payment_identifier].some((value) => value !== undefined && !isMasked(value))
  return typed
    ? { bank_changed_by: principal.user_id, bank_changed_at: now().toISOString(), bank_verified_by: null, bank_verified_at: null }
    : {}
}
