/** Facilities, accounts and meters of the demo clients, planned before anything is stored. Pure: the same every time. */
import { clientSamples, type ClientSample } from './client-catalog.ts'
import { buildings, type Building } from './building-catalog.ts'
import { diceOf } from './dice.ts'
import type { ClientPlan, DivisionPlan, EstatePlan, FacilityPlan } from './plan.ts'
import { regionOf } from './region-catalog.ts'
import { accountsOf } from './plan-accounts.ts'

const STREETS = [
  'Main St',
  'Market St',
  'Commerce Dr',
  'Oak Ave',
  'Industrial Pkwy',
  'Lakeview Blvd',
  'Mission Rd',
  'Cedar Ln',
  'Union Ave',
  'Harbor Way',
] as const

export function planEstate(): EstatePlan {
  const clients = clientSamples.map((sample, place) => planClient(sample, place))
  return { clients, accounts: clients.flatMap((client) => accountsOf(client)) }
}

function planClient(sample: ClientSample, place: number): ClientPlan {
  const divisions = sample.estate.map(({ region }, at): DivisionPlan => ({
    name: regionOf(region).name,
    code: `${sample.code}-${regionOf(region).code}`,
    group: at % sample.groups.length,
  }))
  let count = 0
  const facilities = sample.estate.flatMap(({ region, buildings: keys }, at) =>
    keys.flatMap((key, inRegion): FacilityPlan[] => {
      const division = divisions[at]
      if (!division) return []
      count += 1
      const dice = diceOf(`facility ${sample.code} ${count}`)
      const { cities } = regionOf(region)
      const where = cities[inRegion % cities.length] ?? cities[0]
      const building: Building = buildings[key]
      return [
        {
          ...where,
          name: sample.called.replace('{city}', where.city).replace('{n}', String(count)).replace('{type}', building.type),
          number: `${(place + 1) * 100 + count}`,
          street: `${dice.whole(100, 4_900)} ${dice.pick(STREETS)}`,
          feet: Math.round(dice.whole(building.feet[0], building.feet[1]) / 100) * 100,
          building,
          region: regionOf(region),
          division,
          productionUnit: sample.productionUnit ?? null,
        },
      ]
    }),
  )
  return { sample, place, divisions, facilities }
}
