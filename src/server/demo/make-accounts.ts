/** The accounts of the demo clients with their meters, ledger shares and vendor numbers. */
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import { diceOf } from './dice.ts'
import { expenseKey, type Ids, type Ledger, type LedgerAccount, type MadeClients } from './make-clients.ts'
import type { Reference } from './make-reference.ts'
import type { AccountPlan, ClientPlan, EstatePlan, FacilityPlan, ServicePlan } from './plan.ts'
import { idOf } from './plan-bills.ts'
import { idsByName, insertNumbered, insertRows, takeIds, type Row } from './store-rows.ts'

/** Share of a service's charges per ledger account. */
export interface Share {
  readonly account: LedgerAccount
  readonly ratio: string
}

/** Effective dates and other properties that a planted problem needs. */
export interface Particulars {
  readonly rows: ReadonlyMap<AccountPlan, Row>
  /** Accounts whose supplier does not name the meter that it supplies. */
  readonly unlinked: ReadonlySet<AccountPlan>
}

export async function makeAccounts(
  tx: Tx,
  plan: EstatePlan,
  made: MadeClients,
  reference: Reference,
  particulars: Particulars,
  at: string,
): Promise<void> {
  const { ids } = made
  // A subaccount names its group, which therefore comes first.
  const accounts = plan.accounts.toSorted((a, b) => Number(b.kind === 'group') - Number(a.kind === 'group'))
  const taken = await takeIds(tx, 'billable_accounts', accounts.length)
  for (const [place, account] of accounts.entries()) ids.set(account, taken[place] ?? 0)
  const utilityId = await idsByName(tx, 'utility_services', 'code')
  const own = { lock_version: 0, created_at: at, updated_at: at }
  await insertRows(
    tx,
    'billable_accounts',
    accounts.map((account) => ({
      ...accountRow(account, ids, reference),
      utility_service_id: utilityOf(account, utilityId),
      effective_to: null,
      ...own,
      ...particulars.rows.get(account),
    })),
  )
  const supplied = accounts.flatMap((account) => (account.supply ? [{ account, supply: account.supply }] : []))
  const supplyIds = await insertNumbered(
    tx,
    'supply_accounts',
    supplied.map(({ account, supply }) => ({ ...supplyRow(account, supply.number, supply.vendor.code, ids, reference), ...own })),
  )
  for (const [place, { supply }] of supplied.entries()) ids.set(supply, supplyIds[place] ?? 0)
  await makeServices(tx, accounts, made, at)
  await insertRows(
    tx,
    'supply_account_billable_services',
    supplied
      .filter(({ account }) => !particulars.unlinked.has(account))
      .flatMap(({ account, supply }) =>
        account.services
          .slice(0, 1)
          .map((service) => ({ client_id: ids.get(account.client), supply_account_id: ids.get(supply), service_id: ids.get(service) })),
      ),
  )
  await insertNumbered(
    tx,
    'client_vendor_numbers',
    vendorNumbers(accounts, ids, reference).map((row) => ({ ...row, ...own })),
  )
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

async function makeServices(tx: Tx, accounts: readonly AccountPlan[], { ids, ledgers }: MadeClients, at: string): Promise<void> {
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

function accountRow(account: AccountPlan, ids: Ids, reference: Reference): Row {
  const group = account.isInGroup ? groupOf(ids, account.client) : null
  return {
    ...place(account.facility),
    client_id: ids.get(account.client),
    id: ids.get(account),
    facility_id: ids.get(account.facility),
    vendor_id: reference.vendors.get(account.vendor.code),
    active: true,
    is_group_account: account.kind === 'group',
    group_account_id: group,
    name: account.name,
    account_number: account.number,
    tax_id: account.taxId,
    billing_period: account.months === 3 ? 3 : 2,
    billing_cycle: account.months === 2 ? 61 : 30,
    audits_off: false,
    audit_settings: {},
    accruals_off: false,
  }
}

/** The group account of a client is the one that got an id before its subaccounts. */
function groupOf(ids: Ids, client: ClientPlan): number | null {
  for (const [plan, id] of ids) if ('kind' in plan && plan.kind === 'group' && 'client' in plan && plan.client === client) return id
  return null
}

function supplyRow(account: AccountPlan, number: string, vendorCode: string, ids: Ids, reference: Reference): Row {
  return {
    ...place(account.facility),
    client_id: ids.get(account.client),
    facility_id: ids.get(account.facility),
    vendor_id: reference.vendors.get(vendorCode),
    active: true,
    is_group_account: false,
    name: `${account.facility.name} Electric Supply`,
    account_number: number,
    billing_period: 2,
    billing_cycle: 30,
    service_identifiers: [account.number],
    tax_ids: account.taxId === null ? [] : [account.taxId],
    audits_off: false,
    audit_settings: {},
    accruals_off: false,
  }
}

function place({ street, city, state, zip }: FacilityPlan): Row {
  return { street_address_1: street, city, state, zip }
}

function utilityOf(account: AccountPlan, utilityId: (code: string) => number): number | null {
  const [service] = account.services
  return account.services.length === 1 && service ? utilityId(service.utility) : null
}

/** Returns the number of each vendor in the client's own books. */
function vendorNumbers(accounts: readonly AccountPlan[], ids: Ids, reference: Reference): Row[] {
  const pairs = accounts.flatMap((account) =>
    [account.vendor, ...(account.supply ? [account.supply.vendor] : [])].map((vendor) => ({ client: account.client, vendor })),
  )
  const once = new Map(pairs.map((pair) => [`${pair.client.sample.code} ${pair.vendor.code}`, pair]))
  return [...once].map(([key, { client, vendor }]) => ({
    client_id: ids.get(client),
    vendor_id: reference.vendors.get(vendor.code),
    vendor_number: `V-${diceOf(`number ${key}`).digits(5)}`,
  }))
}
