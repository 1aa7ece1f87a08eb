/** The user's plans for accounts that do not exist yet, and which of them can be sent. Vendor and place are given once per utility. */
import type { NewAccounts } from '#contract/bill-retrieval/retrieval-choice.ts'
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

/** The facility and the address are given once for all utilities; a utility may have its own facility. */
export interface AccountPlans {
  readonly facility: FacilityChoice
  readonly address: AddressChoice
  /** Plans by utility; a missing utility is skipped. */
  readonly utilities: ReadonlyMap<string, UtilityPlan>
}

export interface UtilityPlan {
  readonly vendor: VendorChoice
  /** Null means the common facility. */
  readonly facility_id: number | null
}

export const noPlans: AccountPlans = {
  facility: { makes: false, facility_id: null, name: '', number: '', division_id: null },
  address: { street_address_1: '', city: '', state: '', zip: '' },
  utilities: new Map(),
}

/** Returns the initial plan of a utility: its known vendor, else a new one of that name. */
export function startingPlan(utility: string, known: { readonly id: number } | null, mayMakeVendor: boolean): UtilityPlan {
  const vendor = {
    makes: known === null && mayMakeVendor,
    vendor_id: known?.id ?? null,
    name: utility,
    short_code: utility.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 40),
  }
  return { vendor, facility_id: null }
}

/** Returns what is missing before accounts of this utility can be created; null if nothing is. */
export function lackOf(plans: AccountPlans, utility: string): string | null {
  const plan = plans.utilities.get(utility)
  if (!plan) return 'Its account is not there yet; say above whose it is'
  if (!(plan.vendor.makes ? plan.vendor.name.trim() && plan.vendor.short_code.trim() : plan.vendor.vendor_id))
    return `The vendor of ${utility} is not chosen yet`
  return plan.facility_id === null && !isWholeFacility(plans.facility) ? 'The facility of the new accounts is not chosen yet' : null
}

/** Returns the first missing item over all chosen utilities. */
export function lackOfPlans(plans: AccountPlans): string | null {
  for (const utility of plans.utilities.keys()) {
    const lack = lackOf(plans, utility)
    if (lack !== null) return lack
  }
  return addressLack(plans.address)
}

/** Returns the plans of the complete utilities as the import expects them. */
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

/** An address must be complete or empty, because a partial one would be stored as a wrong one. */
function addressLack(address: AddressChoice): string | null {
  const parts = Object.values(address).filter((part) => part.trim() !== '')
  return parts.length === 0 || addressOf(address) ? null : 'The address needs its street, city, state and ZIP'
}

function addressOf({ street_address_1, city, state, zip }: AddressChoice): NewAccounts['address'] {
  const known: State | undefined = states.find(({ value }) => value === state)?.value
  if (!street_address_1.trim() || !city.trim() || !zip.trim() || known === undefined) return undefined
  return { street_address_1: street_address_1.trim(), city: city.trim(), state: known, zip: zip.trim() }
}
