/** Default entry fields of new services, whatever their origin: a service without a money field could have no charge. */
import { startingEntryFieldNames } from '#contract/services/service.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'

/** Gives services without any chosen entry field that were never billed the default fields of their kind. */
export async function startEntryFields(tx: Tx, clientId: number, serviceIds: RawBuilder<unknown>): Promise<void> {
  await sql`insert into service_entry_fields (client_id, service_id, entry_field_id)
    select service.client_id, service.id, field.id from services service
    join entry_fields field on field.name = any(case when service.supply_account_id is null then ${startingEntryFieldNames(false)}::text[] else ${startingEntryFieldNames(true)}::text[] end)
    where service.client_id = ${clientId} and service.id in (${serviceIds})
      and not exists (select 1 from service_entry_fields asked where asked.client_id = service.client_id and asked.service_id = service.id)
      and not exists (select 1 from additional_entry_fields own where own.client_id = service.client_id and own.service_id = service.id)
      and not exists (select 1 from service_bills line where line.client_id = service.client_id and line.service_id = service.id)`.execute(
    tx,
  )
}
