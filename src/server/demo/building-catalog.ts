/** The kinds of buildings of the demo, with the accounts that each has. */

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
