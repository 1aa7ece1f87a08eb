/** Plans the accounts of one building of the demo. */
import type { AccountKind } from './building-catalog.ts'
import { diceOf, numberLike, type Dice } from './dice.ts'
import type { AccountPlan, ClientPlan, FacilityPlan } from './plan.ts'
import { planServices } from './plan-services.ts'
import { vendorSamples, type VendorSample } from './vendor-catalog.ts'

/** A supplier's contract pays off from this size on, in kWh per year. */
const CONTRACT_KWH = 150_000

export function vendorOf(code: string): VendorSample {
  const vendor = vendorSamples.find((one) => one.code === code)
  if (!vendor) throw new Error(`no vendor ${code}`)
  return vendor
}

export function accountsOf(client: ClientPlan): AccountPlan[] {
  const accounts = client.facilities.flatMap((facility) =>
    facility.building.accounts.flatMap((kind) => accountsOfKind(client, facility, kind)),
  )
  const [first] = client.facilities
  if (!client.sample.group || !first) return accounts
  const group = client.facilities.flatMap((facility, at) => [1, 2].map((meter) => houseAccount(client, facility, at * 2 + meter)))
  const vendor = vendorOf(first.region.electric.vendor)
  const parent: AccountPlan = {
    ...plainAccount(client, first, 'group', vendor, 'House Meters Summary', diceOf(`group ${client.sample.code}`)),
    seed: groupSeed(client),
    services: [],
  }
  return [...accounts, parent, ...group]
}

const groupSeed = (client: ClientPlan): string => `schedule group ${client.sample.code}`

function houseAccount(client: ClientPlan, facility: FacilityPlan, at: number): AccountPlan {
  const dice = diceOf(`house ${client.sample.code} ${at}`)
  const account = plainAccount(client, facility, 'house', vendorOf(facility.region.electric.vendor), `House Meter ${at}`, dice)
  return {
    ...account,
    seed: groupSeed(client),
    services: planServices(client, facility, 'house', 'electric', dice, false),
    isInGroup: true,
  }
}

/** Electricity and gas are on one bill if one utility delivers both. */
function accountsOfKind(client: ClientPlan, facility: FacilityPlan, kind: AccountKind): AccountPlan[] {
  const { electric, gas } = facility.region
  if (kind !== 'energy') return [oneAccount(client, facility, kind, [kind])]
  const hasGas = facility.building.therms > 0
  if (hasGas && electric.vendor === gas.vendor) return [oneAccount(client, facility, 'energy', ['electric', 'gas'])]
  return [oneAccount(client, facility, 'electric', ['electric']), ...(hasGas ? [oneAccount(client, facility, 'energy', ['gas'])] : [])]
}

type Part = AccountKind | 'gas'

const TITLES: Readonly<Record<Part, string>> = {
  energy: 'Energy',
  electric: 'Electric',
  gas: 'Natural Gas',
  house: 'House Meter',
  lighting: 'Parking Lot Lighting',
  water: 'Water & Sewer',
  irrigation: 'Irrigation',
  waste: 'Waste',
  telecom: 'Telecom',
}

function oneAccount(client: ClientPlan, facility: FacilityPlan, kind: AccountKind, parts: readonly [Part, ...Part[]]): AccountPlan {
  const dice = diceOf(`account ${client.sample.code} ${facility.number} ${parts.join('+')}`)
  const supplier =
    parts.includes('electric') &&
    facility.region.supplier &&
    facility.feet * facility.building.kwh > CONTRACT_KWH &&
    facility.region.electric.supply
      ? facility.region.supplier
      : undefined
  const services = parts.flatMap((part) => planServices(client, facility, kind, part, dice, supplier !== undefined))
  const title = parts.length > 1 ? 'Electric & Gas' : TITLES[parts[0]]
  const account = { ...plainAccount(client, facility, kind, vendorOf(vendorCode(client, facility, parts[0])), title, dice), services }
  const [service] = services
  if (!supplier || !service) return account
  const vendor = vendorOf(supplier)
  return {
    ...account,
    supply: { vendor, number: numberLike(vendor.accounts, dice), service: { ...service, title: `${service.title} Supply` } },
  }
}

function plainAccount(
  client: ClientPlan,
  facility: FacilityPlan,
  kind: AccountPlan['kind'],
  vendor: VendorSample,
  title: string,
  dice: Dice,
): AccountPlan {
  return {
    client,
    facility,
    kind,
    vendor,
    name: `${facility.name} ${title}`,
    number: numberLike(vendor.accounts, dice),
    taxId: client.sample.is_exempt ? `EXEMPT ${client.sample.identifier}` : null,
    months: kind === 'water' || kind === 'irrigation' ? (facility.region.water.months ?? 1) : 1,
    seed: `schedule ${client.sample.code} ${facility.number} ${title}`,
    services: [],
    supply: null,
    isInGroup: false,
  }
}

/** A water district that is not set up for payment yet serves one of the first client's sites. */
const UNPAYABLE = { client: 'HLM', city: 'Aurora', vendor: 'PHWD' } as const

function vendorCode(client: ClientPlan, { region, city }: FacilityPlan, part: Part): string {
  if (part === 'irrigation' && client.sample.code === UNPAYABLE.client && city === UNPAYABLE.city) return UNPAYABLE.vendor
  switch (part) {
    case 'gas':
      return region.gas.vendor
    case 'water':
    case 'irrigation':
      return region.water.vendor
    case 'waste':
      return region.waste
    case 'telecom':
      return region.telecom
    default:
      return region.electric.vendor
  }
}
