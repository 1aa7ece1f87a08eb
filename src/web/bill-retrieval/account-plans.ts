/** What a person says of accounts that are not there yet, and what of it can be sent: whose they are and where, once a utility. */
import type { NewAccounts } from '#contract/bill-retrieval/bill-retrieval.ts'
import { states, type State } from '#contract/accounts/address.ts'

export interface VendorChoice {
  readonly makes: boolean
  readonly vendor_id: number | null
  readonly name: string
  readonly short_code: string
}

export interface FacilityChoice {
  readonly makes: boolean
  readonly facility_id: number | null
  readonly name: string
  readonly number: string
  readonly division_id: number | null
}

export interface AddressChoice {
  readonly street_address_1: string
  readonly city: string
  readonly state: string
  readonly zip: string
}

/** The facility and the address are said once for all utilities; a utility may have a facility of its own. */
export interface AccountPlans {
  readonly facility: FacilityChoice
  readonly address: AddressChoice
  /** By utility; one that is absent is left alone. */
  readonly utilities: ReadonlyMap<string, UtilityPlan>
}

export interface UtilityPlan {
  readonly vendor: VendorChoice
  /** Null is the facility of all. */
  readonly facility_id: number | null
}

export const noPlans: AccountPlans = {
  facility: { makes: false, facility_id: null, name: '', number: '', division_id: null },
  address: { street_address_1: '', city: '', state: '', zip: '' },
  utilities: new Map(),
}

/** A utility as the plan begins: its known vendor, else a new one of its name. */
export function startingPlan(utility: string, known: { readonly id: number } | null, mayMakeVendor: boolean): UtilityPlan {
  const vendor = {
    makes: known === null && mayMakeVendor,
    vendor_id: known?.id ?? null,
    name: utility,
    short_code: utility.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 40),
  }
  return { vendor, facility_id: null }
}

/** What lacks before accounts of this utility can be made; null where nothing does. */
export function lackOf(plans: AccountPlans, utility: string): string | null {
  const plan = plans.utilities.get(utility)
  if (!plan) return 'Its account is not there yet; say above whose it is'
  if (!(plan.vendor.makes ? plan.vendor.name.trim() && plan.vendor.short_code.trim() : plan.vendor.vendor_id))
    return `The vendor of ${utility} is not chosen yet`
  return plan.facility_id === null && !isWholeFacility(plans.facility) ? 'The facility of the new accounts is not chosen yet' : null
}

/** What lacks over all utilities that were chosen. */
export function lackOfPlans(plans: AccountPlans): string | null {
  for (const utility of plans.utilities.keys()) {
    const lack = lackOf(plans, utility)
    if (lack !== null) return lack
  }
  return addressLack(plans.address)
}

/** The plans as the import takes them, of the utilities that are complete. */
export function newAccountsOf(plans: AccountPlans): NewAccounts[] {
  const address = addressOf(plans.address)
  return [...plans.utilities].flatMap(([provider_name, plan]) => {
    if (lackOf(plans, provider_name) !== null) return []
    const { vendor } = plan
    const named = vendor.makes
      ? { new_vendor: { name: vendor.name.trim(), short_code: vendor.short_code.trim() } }
      : { vendor_id: vendor.vendor_id ?? 0 }
    return [{ provider_name, ...named, ...facilityOf(plans.facility, plan.facility_id), ...(address ? { address } : {}) }]
  })
}

function facilityOf(all: FacilityChoice, own: number | null) {
  if (own !== null) return { facility_id: own }
  if (!all.makes) return { facility_id: all.facility_id ?? 0 }
  return { new_facility: { name: all.name.trim(), number: all.number.trim(), division_id: all.division_id ?? 0 } }
}

function isWholeFacility({ makes, facility_id, name, number, division_id }: FacilityChoice): boolean {
  return makes ? name.trim() !== '' && number.trim() !== '' && division_id !== null : facility_id !== null
}

/** All of an address or nothing: half of one would be stored as a wrong one. */
function addressLack(address: AddressChoice): string | null {
  const parts = Object.values(address).filter((part) => part.trim() !== '')
  return parts.length === 0 || addressOf(address) ? null : 'The address needs its street, city, state and ZIP'
}

function addressOf({ street_address_1, city, state, zip }: AddressChoice): NewAccounts['address'] {
  const known: State | undefined = states.find(({ value }) => value === state)?.value
  if (!street_address_1.trim() || !city.trim() || !zip.trim() || known === undefined) return undefined
  return { street_address_1: street_address_1.trim(), city: city.trim(), state: known, zip: zip.trim() }
}
