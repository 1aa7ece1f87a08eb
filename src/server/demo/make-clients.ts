/** The demo clients with their batch groups, divisions, facilities, ledgers and bank profiles. */
import { sealSecret } from '../kernel/secret.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { diceOf } from './dice.ts'
import type { Reference } from './make-reference.ts'
import type { Stations } from './make-weather.ts'
import type { ClientPlan, EstatePlan } from './plan.ts'
import { asBytea, idsByName, insertNumbered, insertRows, takeIds } from './store-rows.ts'
import { type Ledger, makeLedger } from './make-ledger.ts'

/** Ids by their planned object: clients, divisions, facilities, accounts, suppliers' accounts, services. */
export type Ids = Map<object, number>

export interface MadeClients {
  readonly ids: Ids
  readonly groups: ReadonlyMap<ClientPlan, readonly number[]>
  readonly ledgers: ReadonlyMap<ClientPlan, Ledger>
}

export async function makeClients(
  tx: Tx,
  plan: EstatePlan,
  { reference, stations }: { readonly reference: Reference; readonly stations: Stations },
  secretKey: string,
  at: string,
): Promise<MadeClients> {
  const ids: Ids = new Map()
  const made = { lock_version: 0, created_at: at, updated_at: at }
  const clientIds = await insertNumbered(
    tx,
    'clients',
    plan.clients.map((client) => ({ ...clientRow(client, reference), ...made })),
  )
  for (const [place, client] of plan.clients.entries()) ids.set(client, clientIds[place] ?? 0)
  const groups = new Map<ClientPlan, readonly number[]>()
  const ledgers = new Map<ClientPlan, Ledger>()
  const typeId = await idsByName(tx, 'facility_types', 'name')
  for (const client of plan.clients) {
    const client_id = ids.get(client) ?? 0
    const own = { client_id, ...made }
    const groupIds = await insertNumbered(
      tx,
      'batch_groups',
      client.sample.groups.map((name) => ({ name, ...own })),
    )
    groups.set(client, groupIds)
    const divisionIds = await insertNumbered(
      tx,
      'divisions',
      client.divisions.map(({ name, code, group }) => ({
        name,
        short_code: code.split('-')[1],
        code,
        batch_group_id: groupIds[group],
        ...own,
      })),
    )
    for (const [place, division] of client.divisions.entries()) ids.set(division, divisionIds[place] ?? 0)
    const facilityIds = await insertNumbered(
      tx,
      'facilities',
      client.facilities.map(({ name, number, street, city, state, zip, feet, building, division, region }) => ({
        name,
        number,
        street_address_1: street,
        city,
        state,
        zip,
        square_footage: feet,
        facility_type_id: typeId(building.type),
        weather_station_id: stations.get(region),
        division_id: ids.get(division),
        ...own,
      })),
    )
    for (const [place, facility] of client.facilities.entries()) ids.set(facility, facilityIds[place] ?? 0)
    await insertRows(
      tx,
      'facility_production_units',
      client.facilities.flatMap((facility) =>
        facility.productionUnit
          ? [{ client_id, facility_id: ids.get(facility), production_unit_id: reference.productionUnit(facility.productionUnit) }]
          : [],
      ),
    )
    ledgers.set(client, await makeLedger(tx, client, client_id, at))
    if (client.sample.subscriptions[1]) await makeProfile(tx, client, client_id, secretKey, at)
  }
  return { ids, groups, ledgers }
}

function clientRow({ sample }: ClientPlan, reference: Reference) {
  const [user_management, utility_payment_management, accounting_batch_management, ledger_account_management] = sample.subscriptions
  return {
    name: sample.name,
    short_code: sample.code,
    identifier: sample.identifier,
    active: sample.left === undefined,
    channel_partner_id: sample.partner === null ? null : (reference.partners[sample.partner] ?? null),
    bills_due_on: 'Upon Receipt',
    notes: sample.left === undefined ? null : 'Contract ended; kept for its history.',
    user_management,
    utility_payment_management,
    accounting_batch_management,
    ledger_account_management,
    fiscal_year_start: sample.fiscalYearStart ?? 1,
    audit_settings: {},
    override_limit: '1000.00',
    qc_on_error: false,
    client_batch_before_payment: false,
    export_date_format: 'MM/DD/YYYY',
    retrieval_settings: {},
  }
}

/**
 * Fictional banks: the third digit of their routing numbers belongs to no office of the Federal Reserve, while the check digit is right.
 * Clients of one bank go into one file.
 */
const banks = [
  { name: 'First Meridian Bank', routing: '010000126' },
  { name: 'Harbor Savings Bank', routing: '060000215' },
  { name: 'Plainfield Trust', routing: '070000315' },
] as const
/** Id that these banks have assigned to the provider, which sends the files. */
const senderId = '9000123456'

/** Creates the profile of the paying account, which a payment file needs. */
async function makeProfile(tx: Tx, client: ClientPlan, client_id: number, secretKey: string, at: string): Promise<void> {
  const dice = diceOf(`bank ${client.sample.code}`)
  const bank = banks[client_id % banks.length] ?? banks[0]
  const account = dice.digits(10)
  const [id = 0] = await takeIds(tx, 'originating_profiles', 1)
  await insertRows(tx, 'originating_profiles', [
    {
      client_id,
      id,
      name: 'Operating account',
      active: true,
      is_default: true,
      bank_name: bank.name,
      routing_number: bank.routing,
      immediate_destination: bank.routing,
      immediate_destination_name: bank.name,
      immediate_origin: senderId,
      immediate_origin_name: 'METERBOOK DEMO',
      company_name: client.sample.name.slice(0, 16).trimEnd(),
      company_id: `1${dice.digits(9)}`,
      entry_description: 'UTIL PYMT',
      account_type: 'checking',
      balanced: false,
      lead_days: 1,
      cutoff_time: '17:00',
      same_day_allowed: false,
      line_end: 'lf',
      character_set: 'standard',
      layouts: {},
      avid_payer_id: client.sample.code,
      avid_bank_account_id: 'OPERATING',
      street_address_1: '100 Example Street',
      city: 'Dayton',
      state: 'OH',
      zip: '45402',
      next_check_number: 20_001,
      account_number_encrypted: asBytea(sealSecret(secretKey, { table: 'originating_profiles', column: 'account_number', id }, account)),
      account_number_last4: account.slice(-4),
      lock_version: 0,
      created_at: at,
      updated_at: at,
    },
  ])
}
