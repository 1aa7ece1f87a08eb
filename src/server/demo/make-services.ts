/** Makes the services of the demo's accounts, with their fields. */
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import type { Ids, MadeClients } from './make-clients.ts'
import { expenseKey, type Ledger, type LedgerAccount } from './make-ledger.ts'
import type { AccountPlan, ClientPlan, FacilityPlan, ServicePlan } from './plan.ts'
import { idOf } from './plan-bills.ts'
import { idsByName, insertNumbered, insertRows, takeIds, type Row } from './store-rows.ts'

/** Share of a service's charges per ledger account. */
export interface Share {
  readonly account: LedgerAccount
  readonly ratio: string
}

/**
 * Returns the ledger accounts of a meter: those of its division; for a main meter of the first client, a third goes to the next division.
 */
export function sharesOf(account: AccountPlan, service: ServicePlan, ledger: Ledger): Share[] {
  const { client, facility } = account
  const own = ledger.accounts.get(expenseKey(facility.division, service.utility))
  if (!own || !client.sample.subscriptions[3]) return own ? [{ account: own, ratio: '1.0000' }] : []
  const other = client.divisions.find((division) => division !== facility.division)
  const second = other && ledger.accounts.get(expenseKey(other, service.utility))
  if (!second || service.title !== 'Main Meter' || Number(facility.number) % 3 !== 0) return [{ account: own, ratio: '1.0000' }]
  return [
    { account: own, ratio: '0.6667' },
    { account: second, ratio: '0.3333' },
  ]
}

interface WantedService {
  readonly account: AccountPlan
  readonly service: ServicePlan
  readonly rank: number
  readonly isSupply: boolean
}

export async function makeServices(tx: Tx, accounts: readonly AccountPlan[], { ids, ledgers }: MadeClients, at: string): Promise<void> {
  const wanted = accounts.flatMap((account): WantedService[] => [
    ...account.services.map((service, place) => ({ account, service, rank: place + 1, isSupply: false })),
    ...(account.supply ? [{ account, service: account.supply.service, rank: 1, isSupply: true }] : []),
  ])
  const taken = await takeIds(tx, 'services', wanted.length)
  for (const [place, { service }] of wanted.entries()) ids.set(service, taken[place] ?? 0)
  const utilityId = await idsByName(tx, 'utility_services', 'code')
  const unitId = await usageUnitIds(tx)
  const shares = wanted.map(({ account, service, isSupply }) =>
    isSupply ? [] : sharesOf(account, service, ledgerOf(ledgers, account.client)),
  )
  await insertRows(
    tx,
    'services',
    wanted.map((one, place) => ({
      ...serviceRow(one, ids),
      id: taken[place],
      ledger_account_id: shares[place]?.length === 1 ? shares[place][0]?.account.id : null,
      utility_service_id: utilityId(one.service.utility),
      usage_unit_id: unitId.get(`${one.service.utility} ${one.service.unit}`),
      lock_version: 0,
      created_at: at,
      updated_at: at,
    })),
  )
  await insertNumbered(
    tx,
    'shared_accounts',
    wanted.flatMap(({ account }, place) =>
      (shares[place] ?? []).length < 2
        ? []
        : (shares[place] ?? []).map((share, position) => ({
            client_id: ids.get(account.client),
            service_id: taken[place],
            ledger_account_id: share.account.id,
            share_ratio: share.ratio,
            position,
            created_at: at,
            updated_at: at,
          })),
    ),
  )
  await makeFields(tx, wanted, ids, at)
}

/** Creates the fields of each meter's lines. */
async function makeFields(tx: Tx, wanted: readonly WantedService[], ids: Ids, at: string): Promise<void> {
  const entryId = await idsByName(tx, 'entry_fields', 'name')
  const keys = ({ account, service }: WantedService) => ({ client_id: idOf(ids, account.client), service_id: idOf(ids, service) })
  await insertRows(
    tx,
    'service_entry_fields',
    wanted.flatMap((one) => entryFields(one).map((name) => ({ ...keys(one), entry_field_id: entryId(name) }))),
  )
  const { rows } = await sql<{
    id: number
    name: string
  }>`select usage_factors.id, utility_services.code || ' ' || usage_factors.name as name
    from usage_factors join utility_services on utility_services.id = usage_factors.utility_service_id`.execute(tx)
  const factorId = new Map(rows.map((row) => [row.name, row.id]))
  await insertRows(
    tx,
    'service_usage_factors',
    wanted.flatMap((one) =>
      one.isSupply
        ? []
        : factorNames(one.service).map((name) => ({ ...keys(one), usage_factor_id: factorId.get(`${one.service.utility} ${name}`) })),
    ),
  )
  await insertNumbered(
    tx,
    'additional_entry_fields',
    wanted.flatMap((one) =>
      one.service.extraField === null ? [] : [{ ...keys(one), name: one.service.extraField, active: true, created_at: at, updated_at: at }],
    ),
  )
}

function entryFields({ service, isSupply }: WantedService): string[] {
  const taxed = (name: string): string[] => (service.tax > 0 ? [name] : [])
  if (isSupply) return ['Supply Charges', ...taxed('Supply Taxes')]
  return [
    'Utility Charges',
    ...taxed('Utility Taxes'),
    ...(service.supplyRate === null ? [] : ['Supply Charges', ...taxed('Supply Taxes')]),
    ...(service.recRate > 0 ? ['REC Charge'] : []),
  ]
}

function factorNames(service: ServicePlan): string[] {
  if (service.thermFactor !== null) return ['Therm Factor']
  return service.loadFactor === null ? [] : ['KW Actual', 'KW Billed', 'Power Factor']
}

function serviceRow({ account, service, rank, isSupply }: WantedService, ids: Ids): Row {
  return {
    client_id: ids.get(account.client),
    billable_account_id: isSupply ? null : ids.get(account),
    supply_account_id: isSupply && account.supply ? ids.get(account.supply) : null,
    active: true,
    metered: service.metered,
    net_metered: false,
    meter_number: service.meter,
    service_name_1: service.title,
    service_name_2: account.facility.name,
    rate_schedule: service.schedule,
    contract_demand_capacity: service.loadFactor === null ? null : `${Math.ceil(service.daily / 24 / service.loadFactor / 50) * 50} kW`,
    meter_multiplier: service.multiplier,
    rank,
    supply: isSupply,
    billable_ledgers: isSupply,
    audits_off: false,
    audit_settings: {},
    accruals_off: false,
  }
}

async function usageUnitIds(tx: Tx): Promise<Map<string, number>> {
  const { rows } = await sql<{
    id: number
    name: string
  }>`select usage_units.id, utility_services.code || ' ' || units.symbol as name from usage_units
    join utility_services on utility_services.id = usage_units.utility_service_id join units on units.id = usage_units.unit_id`.execute(tx)
  return new Map(rows.map((row) => [row.name, row.id]))
}

export function ledgerOf(ledgers: MadeClients['ledgers'], client: ClientPlan): Ledger {
  const ledger = ledgers.get(client)
  if (!ledger) throw new Error(`${client.sample.name} has no ledger`)
  return ledger
}

export function place({ street, city, state, zip }: FacilityPlan): Row {
  return { street_address_1: street, city, state, zip }
}
