/** Vendors from a CSV file, with how they are paid and the other names that files know them by. */
import { vendorImport } from '#contract/import-reference.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import type { ImportDone, ImportTarget } from '../kernel/import-target.ts'

export function vendorTarget(source: ImportTarget['source']): ImportTarget {
  return {
    kind: vendorImport,
    source,
    may: { create: 'vendor.create', update: 'vendor.update' },
    links: {
      payment_method_ids: { table: 'vendor_payment_methods', parent: 'vendor_id', column: 'payment_method_id', ordered: true },
      aliases: { table: 'vendor_aliases', parent: 'vendor_id', column: 'alias' },
    },
    after: noteBankChanges,
  }
}

/** As with the form: nobody pays to a number before a second person has confirmed its change. */
async function noteBankChanges({ tx, principal }: Context, { withSecret }: ImportDone): Promise<void> {
  await sql`update vendors set bank_changed_by = ${principal.user_id}, bank_changed_at = now(), bank_verified_by = null, bank_verified_at = null
    where id in (${withSecret('po_box', 'payment_identifier')})`.execute(tx)
}
