/** The meters of an account: what they measure, their daily amount, and their tariff. Pure. */
import type { AccountKind } from './building-catalog.ts'
import type { Dice } from './dice.ts'
import type { ClientPlan, FacilityPlan, ServicePlan } from './plan.ts'
import type { Tariff } from './region-catalog.ts'
import type { SeasonModel } from './season.ts'

const LARGE_KWH = 200_000
const GALLONS_A_CCF = 748
/** Large customers pay for kilowatts and less for each kilowatt-hour. */
const LARGE_RATE_SHARE = 0.7
const DIALS = [1, 10, 20, 40, 80, 160, 400, 800] as const
const THERMS_A_CCF = 1.032

export function planServices(
  client: ClientPlan,
  facility: FacilityPlan,
  kind: AccountKind,
  part: AccountKind | 'gas',
  dice: Dice,
  hasSupplier: boolean,
): ServicePlan[] {
  const own = { client, facility, dice, hasSupplier }
  switch (part) {
    case 'electric':
    case 'energy':
      return [electric(own, facility.feet * facility.building.kwh, 'Main Meter', 'electric')]
    case 'house':
      return [
        electric(
          own,
          Math.max(9_000, facility.feet * facility.building.kwh * 0.03),
          kind === 'house' ? 'House Meter' : 'Meter',
          'electric',
        ),
      ]
    case 'lighting':
      return [electric(own, Math.max(6_000, facility.feet * 0.22), 'Lot Lighting', 'lighting')]
    case 'gas':
      return [gas(own)]
    case 'water':
      return waterAndSewer(own)
    case 'irrigation':
      return [water(own, Math.max(60, (facility.feet * facility.building.gallons * 0.12) / 1_000), 'Irrigation', 'irrigation')]
    case 'waste':
      return [waste(own)]
    case 'telecom':
      return [telecom(own)]
  }
}

interface Own {
  readonly client: ClientPlan
  readonly facility: FacilityPlan
  readonly dice: Dice
  readonly hasSupplier: boolean
}

function electric({ client, facility, dice, hasSupplier }: Own, kwh: number, title: string, model: SeasonModel): ServicePlan {
  const tariff = facility.region.electric
  const isLarge = kwh > LARGE_KWH && tariff.large !== undefined
  const { sample } = client
  return {
    ...metered(tariff, title, kwh / 365, dice, model, 3_000),
    utility: 'electric',
    schedule: isLarge ? (tariff.large ?? tariff.schedule) : tariff.schedule,
    rate: isLarge ? Math.round(tariff.rate * LARGE_RATE_SHARE) : tariff.rate,
    supplyRate: hasSupplier ? null : (tariff.supply ?? null),
    recRate: sample.code === 'LKU' ? 1_500 : 0,
    kilowatt: isLarge ? (tariff.kilowatt ?? 0) : 0,
    loadFactor: isLarge ? 0.42 + dice.next() * 0.2 : null,
    tax: sample.is_exempt ? 0 : tariff.tax,
  }
}

function gas({ client, facility, dice }: Own): ServicePlan {
  const tariff = facility.region.gas
  const isVolume = tariff.unit === 'CCF'
  const therms = (facility.feet * facility.building.therms) / 365
  return {
    ...metered(tariff, 'Gas Meter', isVolume ? therms / THERMS_A_CCF : therms, dice, { gas: facility.building.base }, 8_000),
    utility: 'natural_gas',
    tax: client.sample.is_exempt ? 0 : tariff.tax,
    thermFactor: isVolume ? Math.round(THERMS_A_CCF * 10_000) : null,
  }
}

/** Sewer is billed by the amount of water delivered. */
function waterAndSewer(own: Own): ServicePlan[] {
  const supply = water(own, (own.facility.feet * own.facility.building.gallons) / 1_000, 'Water Meter', 'water')
  const { sewer } = own.facility.region.water
  if (sewer === undefined) return [supply]
  return [
    supply,
    { ...supply, utility: 'sewer', title: 'Sewer', meter: `${supply.meter}S`, rate: sewer, customer: 0, reading: null, tax: 0 },
  ]
}

function water({ facility, dice }: Own, kgal: number, title: string, model: SeasonModel): ServicePlan {
  const tariff = facility.region.water
  const daily = tariff.unit === 'kgal' ? kgal / 365 : (kgal * 1_000) / GALLONS_A_CCF / 365
  return { ...metered(tariff, title, daily, dice, model, 9_000), utility: 'water' }
}

/** A number of containers with a pickup frequency, for a flat fee. */
function waste({ client, facility, dice }: Own): ServicePlan {
  const yards = dice.pick([4, 6, 8]) * dice.pick([1, 2, 3]) * 4
  const fee = 12_000 + yards * 420
  return {
    ...metered(
      { vendor: '', schedule: 'Commercial', unit: 'yd³', rate: 0, customer: fee, tax: 300 },
      'Containers',
      yards / 30,
      dice,
      'flat',
      1,
    ),
    utility: 'waste',
    metered: false,
    multiplier: 1,
    reading: null,
    daily: yards,
    extraField: facility.region.waste === 'WM' ? 'Fuel Surcharge' : null,
    tax: client.sample.is_exempt ? 0 : 300,
  }
}

function telecom({ client, dice }: Own): ServicePlan {
  const lines = dice.whole(3, 18)
  return {
    ...metered(
      { vendor: '', schedule: 'Business Voice & Data', unit: 'line', rate: 0, customer: 4_500 + lines * 3_150, tax: 1_120 },
      'Lines',
      lines,
      dice,
      'flat',
      1,
    ),
    utility: 'telecom',
    metered: false,
    multiplier: 1,
    reading: null,
    daily: lines,
    tax: client.sample.is_exempt ? 0 : 1_120,
  }
}

/** Returns a metered service. Its transformer ratio is the smallest with which a month moves the dial by less than `dial`. */
function metered(tariff: Tariff, title: string, daily: number, dice: Dice, model: SeasonModel, dial: number): ServicePlan {
  return {
    utility: 'electric',
    title,
    meter: dice.digits(8),
    metered: true,
    multiplier: DIALS.find((ratio) => (daily * 31) / ratio < dial) ?? 800,
    unit: tariff.unit,
    schedule: tariff.schedule,
    model,
    daily,
    reading: dice.whole(4_000, 38_000),
    rate: tariff.rate,
    supplyRate: tariff.supply ?? null,
    recRate: 0,
    customer: tariff.customer,
    kilowatt: 0,
    tax: tariff.tax,
    loadFactor: null,
    thermFactor: null,
    extraField: null,
  }
}
