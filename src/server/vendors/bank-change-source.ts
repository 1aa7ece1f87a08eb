/** Changes of bank details for lists: numbers by their last four digits, before and after. */
import { vendorBankChange } from '#contract/vendors/vendor-bank-change.ts'
import { sql, type RawBuilder } from 'kysely'
import { z } from 'zod'
import { defineWhere } from '../kernel/lists/export.ts'
import { resource } from '../kernel/lists/resource.ts'
import { maskPrefix } from '../kernel/secret.ts'
import { personName } from './vendor-source.ts'

const joins = ['vendor']
const masked = (last4: RawBuilder<unknown>) => sql`${maskPrefix}::text || ${last4}`
/** While a change waits, the values in force are the vendor's. */
const before = (inForce: string, noted: string) =>
  sql`case when vendor_bank_changes.state = 'waiting' then ${sql.ref(`vendors.${inForce}`)} else ${sql.ref(`vendor_bank_changes.${noted}`)} end`

export const vendorBankChanges = resource({
  entity: vendorBankChange,
  table: 'vendor_bank_changes',
  scope: 'shared',
  joins: { vendor: sql`join vendors on vendors.id = vendor_bank_changes.vendor_id` },
  columns: {
    vendor_name: { sql: sql`vendors.name`, joins },
    po_box_before: { sql: masked(before('po_box_last4', 'po_box_last4_before')), joins },
    payment_identifier_before: { sql: masked(before('payment_identifier_last4', 'payment_identifier_last4_before')), joins },
    account_type_before: { sql: before('account_type', 'account_type_before'), joins },
    account_holder_before: { sql: before('account_holder', 'account_holder_before'), joins },
    also_used_by: {
      sql: sql`(select string_agg(other.name || ' (' || other.short_code || ')', ', ' order by other.name) from vendors other
        where other.payment_identifier_fingerprint = vendor_bank_changes.payment_identifier_fingerprint and other.id <> vendor_bank_changes.vendor_id)`,
    },
    is_own: { sql: sql`false` },
    requested_by_name: { sql: personName(sql`vendor_bank_changes.requested_by`) },
    decided_by_name: {
      sql: sql`case when vendor_bank_changes.decided_by is not null then ${personName(sql`vendor_bank_changes.decided_by`)} end`,
    },
  },
  search: ['vendor_name'],
  present: async ({ principal }, rows) => rows.map((row) => ({ ...row, is_own: row.requested_by === principal.user_id })),
})

/** The changes of one vendor. */
export const changesOfVendor = defineWhere(
  'changes_of_vendor',
  z.object({ vendor_id: z.int() }),
  ({ vendor_id }) => sql<boolean>`vendor_bank_changes.vendor_id = ${vendor_id}`,
)
