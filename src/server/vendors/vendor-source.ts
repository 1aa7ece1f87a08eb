/** Vendors for lists and forms. */
import { bankChangeShownDays } from '#contract/vendors/vendor-bank-change.ts'
import { vendor } from '#contract/vendors/vendor.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { mayIn } from '../kernel/principal.ts'
import type { RowRule } from '../kernel/lists/row-rules.ts'
import { isFree, resource } from '../kernel/lists/resource.ts'
import { nameOfUser } from '../kernel/lists/name-of-user.ts'

/** Returns a user's name, or a number for a deleted user. */
export function personName(id: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`coalesce((select ${nameOfUser('person')}
    from users person where person.id = ${id}), 'User #' || ${id})`
}

const waitingNote = sql`(select json_build_object('id', waiting.id, 'requested_at', waiting.requested_at, 'requested_by', ${personName(sql`waiting.requested_by`)})
  from vendor_bank_changes waiting where waiting.vendor_id = vendors.id and waiting.state = 'waiting')`
const changedNote = sql`(case when vendors.bank_verified_at > now() - make_interval(days => ${sql.lit(bankChangeShownDays)}) then
  json_build_object('at', vendors.bank_verified_at, 'requested_by', ${personName(sql`vendors.bank_changed_by`)}, 'approved_by', ${personName(sql`vendors.bank_verified_by`)}) end)`
const methodsOf = sql`from vendor_payment_methods chosen join payment_methods on payment_methods.id = chosen.payment_method_id where chosen.vendor_id = vendors.id`

const hasRemittanceAddress: RowRule = {
  field: 'remittance_email',
  about: ['remittance_email', 'remittance_by_mail'],
  message: 'Remittance Email is required where remittance advice goes by mail',
  when: ({ will }) => sql<SqlBool>`${will('remittance_by_mail')} and ${will('remittance_email')} is null`,
}

export const vendors = resource({
  entity: vendor,
  table: 'vendors',
  scope: 'shared', // reference data: changed by provider staff, read by every client
  columns: {
    display_name: { sql: sql`vendors.name || ' (' || vendors.short_code || ')'` },
    payment_methods: {
      sql: sql`(select coalesce(json_agg(json_build_object('id', payment_methods.id, 'name', payment_methods.name) order by chosen.position, payment_methods.id), '[]') ${methodsOf})`,
    },
    aliases: { sql: sql`array(select alias from vendor_aliases where vendor_id = vendors.id order by id)` },
    bank_notes: {
      sql: sql`(select json_build_object('waiting', noted.waiting, 'changed', noted.changed) from (select ${waitingNote} as waiting, ${changedNote} as changed) noted
        where noted.waiting is not null or noted.changed is not null)`,
    },
  },
  // In the form that an import accepts.
  cells: {
    payment_methods: () => sql`(select string_agg(payment_methods.name, ';' order by chosen.position, payment_methods.id) ${methodsOf})`,
  },
  search: ['name', 'short_code'],
  rules: [isFree('vendors', 'short_code', 'Short Code'), hasRemittanceAddress],
  // Notes on bank details are not shown to client users.
  present: async ({ principal }, rows) =>
    mayIn(principal, 'vendor.update') ? [...rows] : rows.map((row) => ({ ...row, bank_notes: null })),
})
