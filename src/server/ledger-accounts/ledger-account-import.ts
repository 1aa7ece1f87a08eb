/** Ledger accounts from a CSV file, with a column for each ledger field of the client. */
import { ledgerAccountImport } from '#contract/ledger/import-ledger.ts'
import { sql } from 'kysely'
import type { ImportOwn, ImportTarget } from '../kernel/imports/import-target.ts'

export function ledgerAccountTarget(source: ImportTarget['source']): ImportTarget {
  return {
    kind: ledgerAccountImport,
    source,
    may: { create: 'ledger_account.create', update: 'ledger_account.update' },
    own: { ledger_account_fields: values },
  }
}

const listed = sql`jsonb_agg(jsonb_build_object('ledger_field_id', field.id, 'ledger_field_name', field.name, 'value', own.value) order by field."order", field.id)`

/** Without a column for the field, or with a blank cell, the account keeps its value. */
const values: ImportOwn = {
  now: sql`(select coalesce(${listed}, '[]') from ledger_account_fields own join ledger_fields field on field.client_id = own.client_id and field.id = own.ledger_field_id
    where own.client_id = item.client_id and own.ledger_account_id = item.id)`,
  given: ({ clientId, json }) => {
    const sent = json('ledger_account_fields')
    return sql`(select coalesce(${listed}, '[]') from ledger_fields field cross join lateral (select case when ${sent} ? field.id::text then ${sent} ->> field.id::text
        else (select stored.value from ledger_account_fields stored where stored.client_id = field.client_id and stored.ledger_account_id = item.id
          and stored.ledger_field_id = field.id) end as value) own
      where field.client_id = ${clientId} and own.value is not null)`
  },
  store: async ({ tx }, clientId, rows) => {
    await sql`delete from ledger_account_fields where client_id = ${clientId} and ledger_account_id in (select item_id from (${rows}) written)`.execute(
      tx,
    )
    await sql`insert into ledger_account_fields (client_id, ledger_account_id, ledger_field_id, value)
      select ${clientId}::bigint, written.item_id, own.ledger_field_id, own.value
      from (${rows}) written, jsonb_to_recordset(coalesce(written.value, '[]')) as own(ledger_field_id bigint, value text)`.execute(tx)
  },
}
