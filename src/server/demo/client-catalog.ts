/** The demo clients and the buildings that they run. All of them are fictional. */
import type { RegionKey } from './region-catalog.ts'

/** Yearly consumption per square foot of a kind of building: kWh, therms and gallons. */
export interface Building {
  readonly type: string
  readonly feet: readonly [number, number]
  readonly kwh: number
  readonly therms: number
  readonly gallons: number
  /** Part of the gas for cooking, cleaning or production, independent of the weather. */
  readonly base: number
  readonly accounts: readonly AccountKind[]
}

/** Content of an account's bills. `energy` is electricity and gas on one bill if one utility delivers both, else two accounts. */
export type AccountKind = 'energy' | 'electric' | 'house' | 'lighting' | 'water' | 'irrigation' | 'waste' | 'telecom'

const full: readonly AccountKind[] = ['energy', 'house', 'water', 'irrigation', 'waste', 'telecom']

export const buildings = {
  grocery: {
    type: 'Grocery Store',
    feet: [38_000, 58_000],
    kwh: 47,
    therms: 0.42,
    gallons: 34,
    base: 0.45,
    accounts: ['energy', 'lighting', 'water', 'irrigation', 'waste', 'telecom'],
  },
  hospital: {
    type: 'Hospital',
    feet: [210_000, 340_000],
    kwh: 27,
    therms: 1.05,
    gallons: 46,
    base: 0.55,
    accounts: ['energy', 'house', 'lighting', 'water', 'irrigation', 'waste', 'telecom'],
  },
  clinic: {
    type: 'Medical Office',
    feet: [18_000, 46_000],
    kwh: 19,
    therms: 0.34,
    gallons: 22,
    base: 0.2,
    accounts: ['energy', 'water', 'waste', 'telecom'],
  },
  laboratory: {
    type: 'Laboratory',
    feet: [24_000, 40_000],
    kwh: 44,
    therms: 0.9,
    gallons: 30,
    base: 0.5,
    accounts: ['energy', 'water', 'waste', 'telecom'],
  },
  school: { type: 'K-12 School', feet: [52_000, 180_000], kwh: 8.4, therms: 0.28, gallons: 11, base: 0.15, accounts: full },
  warehouse: {
    type: 'Distribution Center',
    feet: [180_000, 420_000],
    kwh: 5.8,
    therms: 0.13,
    gallons: 3,
    base: 0.1,
    accounts: ['energy', 'lighting', 'water', 'irrigation', 'waste', 'telecom'],
  },
  cold: {
    type: 'Refrigerated Warehouse',
    feet: [90_000, 140_000],
    kwh: 31,
    therms: 0.08,
    gallons: 9,
    base: 0.3,
    accounts: ['energy', 'water', 'waste', 'telecom'],
  },
  hotel: {
    type: 'Hotel',
    feet: [85_000, 190_000],
    kwh: 14.5,
    therms: 0.46,
    gallons: 44,
    base: 0.6,
    accounts: ['energy', 'house', 'water', 'irrigation', 'waste', 'telecom'],
  },
  apartments: {
    type: 'Apartment Building',
    feet: [60_000, 130_000],
    kwh: 6.2,
    therms: 0.52,
    gallons: 52,
    base: 0.35,
    accounts: ['energy', 'water', 'irrigation', 'waste'],
  },
  campus: { type: 'College or University', feet: [70_000, 160_000], kwh: 15.5, therms: 0.55, gallons: 18, base: 0.25, accounts: full },
  plant: {
    type: 'Manufacturing Plant',
    feet: [120_000, 260_000],
    kwh: 29,
    therms: 0.82,
    gallons: 14,
    base: 0.65,
    accounts: ['energy', 'house', 'lighting', 'water', 'waste', 'telecom'],
  },
  library: {
    type: 'Library',
    feet: [22_000, 48_000],
    kwh: 12,
    therms: 0.25,
    gallons: 8,
    base: 0.1,
    accounts: ['energy', 'water', 'irrigation', 'telecom'],
  },
  firehouse: {
    type: 'Fire Station',
    feet: [9_000, 15_000],
    kwh: 13,
    therms: 0.5,
    gallons: 25,
    base: 0.3,
    accounts: ['energy', 'water', 'waste', 'telecom'],
  },
  recreation: { type: 'Recreation Center', feet: [38_000, 62_000], kwh: 20, therms: 0.8, gallons: 65, base: 0.4, accounts: full },
  pumping: {
    type: 'Pumping Station',
    feet: [4_000, 7_000],
    kwh: 210,
    therms: 0.1,
    gallons: 2,
    base: 0.2,
    accounts: ['electric', 'lighting', 'telecom'],
  },
  restaurant: {
    type: 'Restaurant',
    feet: [4_200, 7_800],
    kwh: 43,
    therms: 2.4,
    gallons: 190,
    base: 0.75,
    accounts: ['energy', 'lighting', 'water', 'irrigation', 'waste', 'telecom'],
  },
  store: {
    type: 'Retail Store',
    feet: [14_000, 36_000],
    kwh: 13.5,
    therms: 0.12,
    gallons: 6,
    base: 0.05,
    accounts: ['energy', 'water', 'waste', 'telecom'],
  },
  data: {
    type: 'Data Center',
    feet: [60_000, 95_000],
    kwh: 165,
    therms: 0,
    gallons: 28,
    base: 0,
    accounts: ['electric', 'house', 'lighting', 'water', 'waste', 'telecom'],
  },
} as const satisfies Record<string, Building>
export type BuildingKey = keyof typeof buildings

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
