/** Reads the services of accounts for the audits. */
import type { AccountType } from '#contract/bills/bill.ts'
import type { AuditAccount, AuditService, AuditSettingsPatch } from '#contract/bill-audits/bill-audits.ts'
import { auditSettingsPatch } from '#contract/bill-audits/bill-audits.ts'
import type { BookService, NamedField, UsageFactor } from '#contract/bills/bill-book.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { supplySides, type SupplySide } from './supply-links.ts'

export interface AccountRow extends AuditAccount {
  readonly id: number
  readonly account_type: AccountType
  readonly account_number: string
  readonly vendor_id: number | null
  readonly facility_id: number | null
  readonly division_id: number | null
  readonly audit_settings: unknown
}

interface ServiceRow extends Omit<
  BookService,
  'usage_units' | 'usage_factors' | 'audit_settings' | 'additional_entry_fields' | 'ledger_shares' | keyof SupplySide
> {
  readonly supply: boolean
  readonly billable_account_id: number | null
  readonly supply_account_id: number | null
  readonly audit_settings: unknown
  readonly asked_factor_ids: readonly number[]
  readonly additional_entry_fields: readonly NamedField[]
}

export async function servicesOf(
  context: Pick<Context, 'tx' | 'reach'>,
  clientId: number,
  accounts: readonly AccountRow[],
): Promise<Map<string, BookService[]>> {
  const ids = (type: AccountType): number[] => accounts.filter((account) => account.account_type === type).map((account) => account.id)
  const { rows } = await sql<ServiceRow>`
    select service.id, service.billable_account_id, service.supply_account_id, service.supply_account_id is not null as is_supply, service.supply, service.meter_number, service.active, service.metered, service.net_metered, service.meter_multiplier,
      service.rate_schedule, service.tax_code, service.effective_from, service.effective_to, service.audits_off, service.audit_settings, service.utility_service_id,
      (select unit_id from usage_units where usage_units.id = service.usage_unit_id) as usage_unit_id,
      (select units.symbol from usage_units join units on units.id = usage_units.unit_id where usage_units.utility_service_id = service.utility_service_id and usage_units.standard) as standard_unit,
      array(select entry_fields.name from service_entry_fields asked join entry_fields on entry_fields.id = asked.entry_field_id
        where asked.client_id = service.client_id and asked.service_id = service.id order by entry_fields.position) as entry_fields,
      array(select usage_factor_id from service_usage_factors asked where asked.client_id = service.client_id and asked.service_id = service.id) as asked_factor_ids,
      (select coalesce(jsonb_agg(jsonb_build_object('id', field.id, 'name', field.name) order by field.id), '[]') from additional_entry_fields field
        where field.client_id = service.client_id and field.service_id = service.id and field.active) as additional_entry_fields
    from services service where service.client_id = ${clientId}
      and (service.billable_account_id = any(${ids('BillableAccount')}::bigint[]) or service.supply_account_id = any(${ids('SupplyAccount')}::bigint[]))
    order by service.rank nulls last, service.id`.execute(context.tx)
  const utilities = await utilitiesOf(context, [...new Set(rows.flatMap((row) => row.utility_service_id ?? []))])
  const sides = await supplySides(context.tx, clientId, rows)
  const books = rows.map((row) => ({
    key: row.billable_account_id === null ? `SupplyAccount ${row.supply_account_id}` : `BillableAccount ${row.billable_account_id}`,
    service: bookService(row, utilities, sides.get(row.id) ?? noSupply),
  }))
  return new Map([...Map.groupBy(books, (book) => book.key)].map(([key, ofAccount]) => [key, ofAccount.map((book) => book.service)]))
}

interface Utility {
  readonly usage_units: AuditService['usage_units']
  readonly usage_factors: readonly UsageFactor[]
}

const noSupply: SupplySide = { expects_supply_bill: false, lacks_delivery: false, linked_lines: [] }

/** The shares of a service are read when a client batch closes, not here: gl_incomplete runs then. */
function bookService(row: ServiceRow, utilities: ReadonlyMap<number, Utility>, side: SupplySide): BookService {
  const utility = row.utility_service_id === null ? undefined : utilities.get(row.utility_service_id)
  return {
    ...row,
    ...side,
    audit_settings: settingsOf(row.audit_settings),
    usage_units: utility?.usage_units ?? [],
    usage_factors: (utility?.usage_factors ?? []).map((factor) => ({ ...factor, asked: row.asked_factor_ids.includes(factor.id) })),
    ledger_shares: [],
  }
}

async function utilitiesOf(context: Pick<Context, 'tx' | 'reach'>, ids: readonly number[]): Promise<Map<number, Utility>> {
  const units = await sql<{ utility_service_id: number; unit_id: number; symbol: string; conversion_factor: string }>`
    select usage_units.utility_service_id, usage_units.unit_id, units.symbol, usage_units.conversion_factor from usage_units join units on units.id = usage_units.unit_id
    where usage_units.utility_service_id = any(${ids}::bigint[]) order by usage_units.standard desc, units.symbol`.execute(context.tx)
  const factors = await sql<UsageFactor & { utility_service_id: number }>`
    select id, utility_service_id, name, adjustment_factor, default_value from usage_factors where utility_service_id = any(${ids}::bigint[]) order by id`.execute(
    context.tx,
  )
  return new Map(
    ids.map((id) => [
      id,
      {
        usage_units: units.rows.filter((unit) => unit.utility_service_id === id),
        usage_factors: factors.rows.filter((factor) => factor.utility_service_id === id),
      },
    ]),
  )
}

/** Stored settings are checked when they are saved; a setting that a later version no longer knows must not block a bill. */
export function settingsOf(stored: unknown): AuditSettingsPatch {
  const settings = auditSettingsPatch.safeParse(stored ?? {})
  return settings.success ? settings.data : {}
}
