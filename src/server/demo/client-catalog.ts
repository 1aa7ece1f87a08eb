/** The demo clients and the buildings that they run. All of them are fictional. */
import type { RegionKey } from './region-catalog.ts'
import type { BuildingKey } from './building-catalog.ts'

export interface ClientSample {
  readonly name: string
  readonly code: string
  readonly identifier: string
  /** Index in `partnerNames`; null for a client of the provider itself. */
  readonly partner: number | null
  /** user management, utility payments, client batches, ledger accounts. */
  readonly subscriptions: readonly [boolean, boolean, boolean, boolean]
  readonly groups: readonly [string, ...string[]]
  readonly estate: readonly { readonly region: RegionKey; readonly buildings: readonly BuildingKey[] }[]
  /** Pattern of a building's name, with `{city}` and `{n}`. */
  readonly called: string
  readonly productionUnit?: string
  /** How the client's bills are paid: by its own vendor batches or in the provider's global batch. */
  readonly pays: 'vendor' | 'global'
  readonly months: number
  readonly is_exempt?: boolean
  /** Days since it left; its history ends then. */
  readonly left?: number
  readonly fiscalYearStart?: number
  /** House meters are billed on one group account. */
  readonly group?: boolean
  /** One supplier bills all of its meters under one account. */
  readonly supplyGroup?: boolean
}

export const partnerNames = ['Summit Energy Advisors', 'Beacon Utility Management'] as const

const all = [true, true, true, true] as const

/** The sign-ins of client roles belong to the first one. */
export const clientSamples: readonly [ClientSample, ...ClientSample[]] = [
  {
    name: 'Harvest Lane Markets',
    code: 'HLM',
    identifier: '10-4471',
    partner: 0,
    subscriptions: all,
    groups: ['West A', 'West B'],
    called: 'Store {n} {city}',
    pays: 'global',
    months: 24,
    estate: [
      { region: 'norcal', buildings: ['grocery', 'grocery', 'grocery', 'cold'] },
      { region: 'socal', buildings: ['grocery', 'grocery', 'grocery'] },
      { region: 'phoenix', buildings: ['grocery', 'grocery'] },
      { region: 'denver', buildings: ['grocery', 'grocery', 'grocery'] },
    ],
  },
  {
    name: 'St. Brendan Health System',
    code: 'SBHS',
    identifier: '20-1180',
    partner: null,
    subscriptions: all,
    groups: ['Hospitals', 'Clinics'],
    called: 'St. Brendan {city}',
    productionUnit: 'Beds',
    pays: 'vendor',
    months: 24,
    is_exempt: true,
    fiscalYearStart: 7,
    estate: [
      { region: 'boston', buildings: ['hospital', 'clinic', 'clinic', 'laboratory'] },
      { region: 'philadelphia', buildings: ['hospital', 'clinic'] },
    ],
  },
  {
    name: 'Maple Ridge Unified School District',
    code: 'MRUSD',
    identifier: '20-2245',
    partner: null,
    subscriptions: [true, true, true, false],
    groups: ['District'],
    called: 'Maple Ridge School {n}',
    productionUnit: 'Students',
    pays: 'vendor',
    months: 24,
    is_exempt: true,
    fiscalYearStart: 7,
    supplyGroup: true,
    estate: [{ region: 'ohio', buildings: ['school', 'school', 'school', 'school', 'school'] }],
  },
  {
    name: 'Blue Anchor Logistics',
    code: 'BAL',
    identifier: '10-6620',
    partner: 0,
    subscriptions: [false, true, true, true],
    groups: ['Central', 'South'],
    called: '{city} DC {n}',
    pays: 'global',
    months: 24,
    estate: [
      { region: 'dallas', buildings: ['warehouse', 'cold'] },
      { region: 'chicago', buildings: ['warehouse'] },
      { region: 'atlanta', buildings: ['warehouse', 'warehouse'] },
    ],
  },
  {
    name: 'Wayfarer Hotel Group',
    code: 'WHG',
    identifier: '10-7312',
    partner: 1,
    subscriptions: [true, true, true, true],
    groups: ['Hotels'],
    called: 'Wayfarer {city}',
    productionUnit: 'Guest Rooms',
    pays: 'global',
    months: 24,
    estate: [
      { region: 'newyork', buildings: ['hotel', 'hotel'] },
      { region: 'chicago', buildings: ['hotel', 'hotel'] },
      { region: 'charlotte', buildings: ['hotel'] },
    ],
  },
  {
    name: 'Keystone Residential Partners',
    code: 'KRP',
    identifier: '10-8054',
    partner: 1,
    subscriptions: [false, true, true, false],
    groups: ['Residential'],
    called: '{city} Residences {n}',
    productionUnit: 'Apartments',
    pays: 'vendor',
    months: 24,
    group: true,
    estate: [{ region: 'philadelphia', buildings: ['apartments', 'apartments', 'apartments', 'apartments', 'apartments', 'apartments'] }],
  },
  {
    name: 'Larkspur University',
    code: 'LKU',
    identifier: '20-3391',
    partner: null,
    subscriptions: [true, true, true, true],
    groups: ['Campus'],
    called: 'Larkspur Hall {n}',
    productionUnit: 'Students',
    pays: 'vendor',
    months: 24,
    fiscalYearStart: 7,
    estate: [{ region: 'charlotte', buildings: ['campus', 'campus', 'campus', 'laboratory', 'recreation'] }],
  },
  {
    name: 'Ironwood Manufacturing',
    code: 'IWM',
    identifier: '10-9127',
    partner: null,
    subscriptions: [false, true, true, true],
    groups: ['Plants'],
    called: 'Ironwood {city} Works',
    productionUnit: 'Tons Produced',
    pays: 'global',
    months: 24,
    estate: [
      { region: 'ohio', buildings: ['plant', 'plant'] },
      { region: 'atlanta', buildings: ['plant', 'warehouse'] },
    ],
  },
  {
    name: 'City of Fairhaven',
    code: 'CFH',
    identifier: '30-0415',
    partner: null,
    subscriptions: [true, true, false, true],
    groups: ['City'],
    called: 'Fairhaven {type} {n}',
    pays: 'vendor',
    months: 24,
    is_exempt: true,
    estate: [{ region: 'denver', buildings: ['library', 'firehouse', 'firehouse', 'recreation', 'pumping'] }],
  },
  {
    name: 'Copper Kettle Restaurants',
    code: 'CKR',
    identifier: '10-5588',
    partner: 0,
    subscriptions: [false, true, true, false],
    groups: ['Restaurants'],
    called: 'Copper Kettle {city} {n}',
    pays: 'global',
    months: 24,
    estate: [
      { region: 'dallas', buildings: ['restaurant', 'restaurant', 'restaurant'] },
      { region: 'phoenix', buildings: ['restaurant', 'restaurant', 'restaurant'] },
    ],
  },
  {
    name: 'Northfield Outfitters',
    code: 'NFO',
    identifier: '10-3306',
    partner: 1,
    subscriptions: [false, true, true, true],
    groups: ['Stores'],
    called: 'Northfield {city}',
    pays: 'vendor',
    months: 18,
    left: 130,
    estate: [
      { region: 'newyork', buildings: ['store', 'store'] },
      { region: 'chicago', buildings: ['store', 'store'] },
    ],
  },
  {
    name: 'Granite Peak Data Centers',
    code: 'GPDC',
    identifier: '10-9940',
    partner: null,
    subscriptions: [true, false, true, false],
    groups: ['Sites'],
    called: 'Granite Peak SEA-{n}',
    productionUnit: 'Racks',
    pays: 'global',
    months: 3,
    estate: [{ region: 'seattle', buildings: ['data', 'data'] }],
  },
]
