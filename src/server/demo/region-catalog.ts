/**
 * Regions of the demo clients: cities, their utilities, and prices. Prices are in millionths of a dollar per unit (rates), cents (customer
 * charge per month, kW) and ten-thousandths (taxes), as of two years ago; they rise a little each January.
 */
export interface Tariff {
  readonly vendor: string
  readonly schedule: string
  /** Rate schedule of large customers, who pay for demand. */
  readonly large?: string
  readonly unit: string
  readonly rate: number
  /** Price of the energy itself if it is billed separately from delivery. */
  readonly supply?: number
  /** Sewer price, for water: per unit of returned water. */
  readonly sewer?: number
  readonly customer: number
  readonly kilowatt?: number
  readonly tax: number
  /** Months between two bills. */
  readonly months?: 1 | 2 | 3
}

export interface Region {
  readonly code: string
  readonly name: string
  readonly cities: readonly [City, ...City[]]
  readonly electric: Tariff
  readonly gas: Tariff
  readonly water: Tariff
  readonly waste: string
  readonly telecom: string
  /** Share of the year's electricity that depends on heat, and share of the gas that does not depend on cold. */
  readonly cooling: number
  /** Energy supplier that is separate from the delivering utility; large accounts here buy from it. */
  readonly supplier?: string
}

export interface City {
  readonly city: string
  readonly state: string
  readonly zip: string
}

const city = (city: string, state: string, zip: string): City => ({ city, state, zip })

export const regions = {
  norcal: {
    code: 'NC',
    name: 'Northern California',
    cooling: 0.25,
    waste: 'WM',
    telecom: 'ATT',
    cities: [
      city('Oakland', 'CA', '94612'),
      city('Walnut Creek', 'CA', '94596'),
      city('Berkeley', 'CA', '94704'),
      city('San Leandro', 'CA', '94577'),
    ],
    electric: {
      vendor: 'PGE',
      schedule: 'B-1',
      large: 'B-19 Secondary',
      unit: 'kWh',
      rate: 196_000,
      customer: 4_600,
      kilowatt: 1_720,
      tax: 750,
    },
    gas: { vendor: 'PGE', schedule: 'G-NR1', unit: 'therm', rate: 1_340_000, customer: 1_950, tax: 750 },
    water: { vendor: 'EBMUD', schedule: 'Commercial', unit: 'CCF', rate: 6_810_000, sewer: 3_920_000, customer: 5_400, tax: 0, months: 2 },
  },
  socal: {
    code: 'SC',
    name: 'Southern California',
    cooling: 0.45,
    waste: 'REPUBLIC',
    telecom: 'ATT',
    cities: [
      city('Pasadena', 'CA', '91101'),
      city('Long Beach', 'CA', '90802'),
      city('Santa Monica', 'CA', '90401'),
      city('Torrance', 'CA', '90503'),
    ],
    electric: {
      vendor: 'SCE',
      schedule: 'TOU-GS-1',
      large: 'TOU-GS-3',
      unit: 'kWh',
      rate: 172_000,
      customer: 3_900,
      kilowatt: 1_480,
      tax: 560,
    },
    gas: { vendor: 'SOCALGAS', schedule: 'GN-10', unit: 'therm', rate: 1_210_000, customer: 1_480, tax: 500 },
    water: { vendor: 'LADWP', schedule: 'Schedule C', unit: 'HCF', rate: 5_930_000, sewer: 4_610_000, customer: 3_100, tax: 0, months: 2 },
  },
  phoenix: {
    code: 'AZ',
    name: 'Arizona',
    cooling: 0.7,
    waste: 'REPUBLIC',
    telecom: 'VZB',
    cities: [city('Phoenix', 'AZ', '85004'), city('Tempe', 'AZ', '85281'), city('Glendale', 'AZ', '85301')],
    electric: { vendor: 'APS', schedule: 'E-32 S', large: 'E-32 L', unit: 'kWh', rate: 84_000, customer: 3_300, kilowatt: 1_190, tax: 910 },
    gas: { vendor: 'SWGAS', schedule: 'G-25', unit: 'therm', rate: 1_180_000, customer: 2_750, tax: 860 },
    water: { vendor: 'PHXWTR', schedule: 'Non-residential', unit: 'CCF', rate: 3_640_000, sewer: 2_910_000, customer: 2_900, tax: 230 },
  },
  denver: {
    code: 'CO',
    name: 'Colorado',
    cooling: 0.3,
    waste: 'WM',
    telecom: 'VZB',
    cities: [city('Denver', 'CO', '80202'), city('Lakewood', 'CO', '80226'), city('Aurora', 'CO', '80012')],
    electric: { vendor: 'XCEL', schedule: 'C', large: 'SG', unit: 'kWh', rate: 61_000, customer: 4_100, kilowatt: 1_640, tax: 690 },
    gas: { vendor: 'XCEL', schedule: 'CSG', unit: 'therm', rate: 830_000, customer: 5_200, tax: 690 },
    water: { vendor: 'DENWTR', schedule: 'Commercial', unit: 'kgal', rate: 4_520_000, sewer: 5_110_000, customer: 2_600, tax: 0 },
  },
  boston: {
    code: 'MA',
    name: 'New England',
    cooling: 0.3,
    waste: 'REPUBLIC',
    telecom: 'VZB',
    supplier: 'CONSTELL',
    cities: [city('Boston', 'MA', '02111'), city('Cambridge', 'MA', '02139'), city('Quincy', 'MA', '02169')],
    electric: {
      vendor: 'EVERSRC',
      schedule: 'G-1',
      large: 'G-3',
      unit: 'kWh',
      rate: 88_000,
      supply: 118_000,
      customer: 5_100,
      kilowatt: 1_530,
      tax: 625,
    },
    gas: { vendor: 'NGRID', schedule: 'G-43', unit: 'therm', rate: 790_000, supply: 720_000, customer: 6_600, tax: 625 },
    water: { vendor: 'BWSC', schedule: 'Commercial', unit: 'CCF', rate: 9_140_000, sewer: 12_870_000, customer: 4_200, tax: 0, months: 3 },
  },
  philadelphia: {
    code: 'PA',
    name: 'Pennsylvania',
    cooling: 0.35,
    waste: 'WM',
    telecom: 'VZB',
    supplier: 'DIRECT',
    cities: [city('Philadelphia', 'PA', '19103'), city('Bala Cynwyd', 'PA', '19004'), city('King of Prussia', 'PA', '19406')],
    electric: {
      vendor: 'PECO',
      schedule: 'GS',
      large: 'PD',
      unit: 'kWh',
      rate: 52_000,
      supply: 84_000,
      customer: 2_700,
      kilowatt: 780,
      tax: 600,
    },
    gas: { vendor: 'PECO', schedule: 'GC', unit: 'CCF', rate: 480_000, supply: 560_000, customer: 3_800, tax: 600 },
    water: { vendor: 'PWD', schedule: 'Commercial', unit: 'CCF', rate: 5_230_000, sewer: 4_180_000, customer: 3_350, tax: 0 },
  },
  newyork: {
    code: 'NY',
    name: 'New York',
    cooling: 0.4,
    waste: 'REPUBLIC',
    telecom: 'VZB',
    supplier: 'CONSTELL',
    cities: [city('New York', 'NY', '10018'), city('Brooklyn', 'NY', '11201'), city('White Plains', 'NY', '10601')],
    electric: {
      vendor: 'CONED',
      schedule: 'EL2',
      large: 'EL9',
      unit: 'kWh',
      rate: 71_000,
      supply: 96_000,
      customer: 3_900,
      kilowatt: 2_460,
      tax: 888,
    },
    gas: { vendor: 'CONED', schedule: 'GS2', unit: 'therm', rate: 710_000, supply: 590_000, customer: 4_300, tax: 888 },
    water: { vendor: 'NYCWB', schedule: 'Metered', unit: 'HCF', rate: 4_410_000, sewer: 7_020_000, customer: 0, tax: 0, months: 3 },
  },
  chicago: {
    code: 'IL',
    name: 'Illinois',
    cooling: 0.35,
    waste: 'WM',
    telecom: 'ATT',
    supplier: 'CONSTELL',
    cities: [city('Chicago', 'IL', '60601'), city('Evanston', 'IL', '60201'), city('Oak Park', 'IL', '60302')],
    electric: {
      vendor: 'COMED',
      schedule: 'Small Load',
      large: 'Medium Load',
      unit: 'kWh',
      rate: 41_000,
      supply: 76_000,
      customer: 2_800,
      kilowatt: 890,
      tax: 810,
    },
    gas: { vendor: 'PEOPLES', schedule: 'SC 2', unit: 'therm', rate: 930_000, customer: 5_700, tax: 740 },
    water: { vendor: 'CHIWTR', schedule: 'Metered', unit: 'kgal', rate: 4_980_000, sewer: 4_980_000, customer: 0, tax: 180, months: 2 },
  },
  charlotte: {
    code: 'CAR',
    name: 'Carolinas',
    cooling: 0.45,
    waste: 'REPUBLIC',
    telecom: 'ATT',
    cities: [city('Charlotte', 'NC', '28202'), city('Concord', 'NC', '28025'), city('Gastonia', 'NC', '28052')],
    electric: { vendor: 'DUKE', schedule: 'SGS', large: 'LGS', unit: 'kWh', rate: 67_000, customer: 2_300, kilowatt: 940, tax: 700 },
    gas: { vendor: 'PIEDMONT', schedule: '102', unit: 'therm', rate: 960_000, customer: 2_750, tax: 700 },
    water: { vendor: 'CLTWTR', schedule: 'Non-residential', unit: 'CCF', rate: 3_120_000, sewer: 6_440_000, customer: 1_650, tax: 0 },
  },
  dallas: {
    code: 'TX',
    name: 'Texas',
    cooling: 0.65,
    waste: 'REPUBLIC',
    telecom: 'ATT',
    cities: [city('Dallas', 'TX', '75201'), city('Irving', 'TX', '75061'), city('Garland', 'TX', '75040')],
    electric: {
      vendor: 'TXU',
      schedule: 'Secondary <10 kW',
      large: 'Secondary >10 kW',
      unit: 'kWh',
      rate: 79_000,
      customer: 1_500,
      kilowatt: 760,
      tax: 825,
    },
    gas: { vendor: 'ATMOS', schedule: 'Commercial', unit: 'CCF', rate: 890_000, customer: 6_400, tax: 825 },
    water: { vendor: 'DWU', schedule: 'General Service', unit: 'kgal', rate: 4_230_000, sewer: 5_590_000, customer: 3_450, tax: 0 },
  },
  atlanta: {
    code: 'GA',
    name: 'Georgia',
    cooling: 0.5,
    waste: 'WM',
    telecom: 'ATT',
    cities: [city('Atlanta', 'GA', '30303'), city('Decatur', 'GA', '30030'), city('Marietta', 'GA', '30060')],
    electric: {
      vendor: 'GAPOWER',
      schedule: 'GS-13',
      large: 'PLM-14',
      unit: 'kWh',
      rate: 82_000,
      customer: 2_700,
      kilowatt: 1_010,
      tax: 890,
    },
    gas: { vendor: 'GNG', schedule: 'Commercial', unit: 'therm', rate: 1_060_000, customer: 3_700, tax: 890 },
    water: { vendor: 'ATLWTR', schedule: 'Commercial', unit: 'CCF', rate: 6_940_000, sewer: 13_640_000, customer: 1_300, tax: 100 },
  },
  ohio: {
    code: 'OH',
    name: 'Ohio',
    cooling: 0.3,
    waste: 'WM',
    telecom: 'VZB',
    supplier: 'DIRECT',
    cities: [city('Columbus', 'OH', '43215'), city('Dublin', 'OH', '43017'), city('Westerville', 'OH', '43081')],
    electric: {
      vendor: 'AEPOH',
      schedule: 'GS-1',
      large: 'GS-3 Secondary',
      unit: 'kWh',
      rate: 38_000,
      supply: 71_000,
      customer: 2_200,
      kilowatt: 870,
      tax: 575,
    },
    gas: { vendor: 'COLGAS', schedule: 'LGS', unit: 'CCF', rate: 860_000, customer: 4_300, tax: 575 },
    water: { vendor: 'COLWTR', schedule: 'Commercial', unit: 'CCF', rate: 4_080_000, sewer: 4_910_000, customer: 2_050, tax: 0, months: 3 },
  },
  seattle: {
    code: 'WA',
    name: 'Washington',
    cooling: 0.1,
    waste: 'WM',
    telecom: 'VZB',
    cities: [city('Seattle', 'WA', '98101'), city('Tukwila', 'WA', '98188')],
    electric: { vendor: 'SEACL', schedule: 'MDC', large: 'LGC', unit: 'kWh', rate: 78_000, customer: 2_100, kilowatt: 540, tax: 600 },
    gas: { vendor: 'PSE', schedule: '31', unit: 'therm', rate: 1_100_000, customer: 3_300, tax: 600 },
    water: { vendor: 'SPU', schedule: 'Commercial', unit: 'CCF', rate: 7_380_000, sewer: 18_120_000, customer: 2_150, tax: 0, months: 2 },
  },
} as const satisfies Record<string, Region>

export type RegionKey = keyof typeof regions

export function regionOf(key: RegionKey): Region {
  return regions[key]
}
