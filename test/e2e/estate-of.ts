/** A client's estate by its natural keys, without ids, times and values derived from bills, so that two clients can be compared. */
import { sql, type Kysely } from 'kysely'
import type { Tables } from '../../src/server/kernel/postgres/database.ts'

export type Estate = Record<
  'divisions' | 'facilities' | 'ledger_fields' | 'ledger_accounts' | 'accounts' | 'supply_accounts' | 'services',
  string[]
>

export async function estateOf(db: Kysely<Tables>, clientId: number): Promise<Estate> {
  const read = async (table: string, columns: string, more = ''): Promise<string[]> => {
    const { rows } = await sql<{ line: string }>`select (${sql.raw(columns)})::text as line from ${sql.table(table)} own ${sql.raw(more)}
      where own.client_id = ${clientId} order by 1`.execute(db)
    return rows.map(({ line }) => line)
  }
  const left = `to_jsonb(own) - array['id', 'client_id', 'lock_version', 'created_at', 'updated_at', 'division_id', 'facility_id', 'group_account_id',
    'group_supply_account_id', 'billable_account_id', 'supply_account_id', 'ledger_account_id', 'last_bill_date',
    'billed_until', 'usual_days', 'usual_wait', 'usual_amount']`
  const facility = 'left join facilities facility on facility.client_id = own.client_id and facility.id = own.facility_id'
  return {
    divisions: await read('divisions', left),
    facilities: await read(
      'facilities',
      `${left} || jsonb_build_object('division', division.code)`,
      'join divisions division on division.client_id = own.client_id and division.id = own.division_id',
    ),
    ledger_fields: await read('ledger_fields', left),
    ledger_accounts: await read(
      'ledger_accounts',
      `${left} || jsonb_build_object('fields', (select jsonb_object_agg(field.name, value.value) from ledger_account_fields value
        join ledger_fields field on field.client_id = value.client_id and field.id = value.ledger_field_id where value.client_id = own.client_id and value.ledger_account_id = own.id))`,
    ),
    accounts: await read(
      'billable_accounts',
      `${left} || jsonb_build_object('facility', facility.number, 'group', parent.account_number)`,
      `${facility} left join billable_accounts parent on parent.client_id = own.client_id and parent.id = own.group_account_id`,
    ),
    supply_accounts: await read('supply_accounts', `${left} || jsonb_build_object('facility', facility.number)`, facility),
    services: await read(
      'services',
      `${left} || jsonb_build_object('account', coalesce(billable.account_number, supply.account_number), 'vendor', coalesce(billable.vendor_id, supply.vendor_id), 'ledger', ledger.name,
        'shares', (select jsonb_agg(jsonb_build_array(shared.name, share.share_ratio::text) order by share.position, shared.name) from shared_accounts share
          join ledger_accounts shared on shared.client_id = share.client_id and shared.id = share.ledger_account_id where share.client_id = own.client_id and share.service_id = own.id),
        'entry_fields', (select jsonb_agg(entry_field_id order by 1) from service_entry_fields link where link.client_id = own.client_id and link.service_id = own.id),
        'usage_factors', (select jsonb_agg(usage_factor_id order by 1) from service_usage_factors link where link.client_id = own.client_id and link.service_id = own.id),
        'own_fields', (select jsonb_agg(jsonb_build_array(name, active) order by id) from additional_entry_fields field where field.client_id = own.client_id and field.service_id = own.id))`,
      `left join billable_accounts billable on billable.client_id = own.client_id and billable.id = own.billable_account_id
       left join supply_accounts supply on supply.client_id = own.client_id and supply.id = own.supply_account_id
       left join ledger_accounts ledger on ledger.client_id = own.client_id and ledger.id = own.ledger_account_id`,
    ),
  }
}
