/** Vendors from a CSV file, with their payment methods and the aliases that files use. */
import { vendorImport } from '#contract/clients/import-reference.ts'
import type { ImportTarget } from '../kernel/imports/import-target.ts'
import { withdrawImported } from './decide-bank-changes.ts'
import { requestBankChanges } from './request-bank-changes.ts'

export function vendorTarget(source: ImportTarget['source']): ImportTarget {
  return {
    kind: vendorImport,
    source,
    may: { create: 'vendor.create', update: 'vendor.update' },
    links: {
      payment_method_ids: { table: 'vendor_payment_methods', parent: 'vendor_id', column: 'payment_method_id', ordered: true },
      aliases: { table: 'vendor_aliases', parent: 'vendor_id', column: 'alias' },
    },
    // As in the form: numbers from a file wait for a second user.
    secrets: {
      take: async (context, importId, rows) => {
        await requestBankChanges(
          context,
          rows.map(({ id, values: { po_box, payment_identifier } }) => ({ vendorId: id, draft: { po_box, payment_identifier } })),
          importId,
        )
      },
      giveBack: withdrawImported,
    },
  }
}
