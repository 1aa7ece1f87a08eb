/** What stands in the way of another vendor for many accounts, and what should be known before. */
import type { BulkKindName } from '#contract/bulk-change.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { BulkCheck, BulkCheckParts } from './bulk-target.ts'

/** The form's rule on aliases, over all accounts at once: those that the act moves count as the new vendor's already. */
export function aliasRefusals(kind: BulkKindName, { clientId, given, selected }: BulkCheckParts): BulkCheck[] {
  const vendor = given('vendor_id')
  if (!vendor) return []
  const numbers = (of: BulkKindName): RawBuilder<unknown> => {
    const moved = of === kind ? sql`or account.id in (${selected})` : sql``
    return sql`select ${of}::text as kind, account.id, account.account_number as name from ${sql.table(`${of}s`)} account
      where account.client_id = ${clientId} and (account.vendor_id is not distinct from ${vendor} ${moved})`
  }
  const names = sql`(${numbers('billable_account')} union all ${numbers('supply_account')})`
  return [
    {
      message: 'An alias is a number or an alias of another account of the same vendor',
      when: sql<SqlBool>`item.vendor_id is distinct from ${vendor} and item.id in (
        select own.${sql.ref(`${kind}_id`)} from account_aliases own join (
          select kind, id, name from ${names} account
          union all select account.kind, account.id, other.alias from ${names} account join account_aliases other on other.client_id = ${clientId}
            and ((account.kind = 'billable_account' and other.billable_account_id = account.id) or (account.kind = 'supply_account' and other.supply_account_id = account.id))
        ) said on translate(said.name, ' -', '') = translate(own.alias, ' -', '') and (said.kind <> ${kind} or said.id <> own.${sql.ref(`${kind}_id`)})
        where own.client_id = ${clientId} and own.${sql.ref(`${kind}_id`)} in (${selected}))`,
    },
  ]
}

/** The form lets these pass too, where a person sees the one account that they are about. */
export function vendorWarnings(kind: BulkKindName, table: string, { given, selected }: BulkCheckParts): BulkCheck[] {
  const vendor = given('vendor_id')
  if (!vendor) return []
  const isNew = sql<SqlBool>`item.vendor_id is distinct from ${vendor}`
  return [
    {
      message: 'The vendor has an account with this number already',
      when: sql<SqlBool>`${isNew} and exists (select from ${sql.table(table)} other where other.client_id = item.client_id
        and other.account_number = item.account_number and other.id <> item.id and (other.vendor_id = ${vendor} or other.id in (${selected})))`,
    },
    {
      message: 'Bills that are in a payment keep the vendor that it names',
      when: sql<SqlBool>`${isNew} and exists (select from bills where bills.client_id = item.client_id and ${sql.ref(`bills.${kind}_id`)} = item.id
        and (bills.paid or bills.vendor_payment_id is not null))`,
    },
  ]
}
