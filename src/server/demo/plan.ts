/** The types of the plan for the demo data: plain values, created by pure functions before anything is stored. */
import type { BillDraft, ServiceBillDraft } from '#contract/bills/bill-draft.ts'
import type { CalendarDate } from '#contract/kernel/date.ts'
import type { Cents } from '#contract/kernel/money.ts'
import type { ClientSample } from './client-catalog.ts'
import type { AccountKind, Building } from './building-catalog.ts'
import type { City, Region } from './region-catalog.ts'
import type { SeasonModel } from './season.ts'
import type { VendorSample } from './vendor-catalog.ts'

export interface EstatePlan {
  readonly clients: readonly ClientPlan[]
  readonly accounts: readonly AccountPlan[]
}

export interface ClientPlan {
  readonly sample: ClientSample
  readonly place: number
  readonly divisions: readonly DivisionPlan[]
  readonly facilities: readonly FacilityPlan[]
}

export interface SupplyPlan {
  readonly vendor: VendorSample
  readonly number: string
  readonly service: ServicePlan
}

export interface AccountPlan {
  readonly client: ClientPlan
  readonly facility: FacilityPlan
  readonly kind: AccountKind | 'group'
  readonly vendor: VendorSample
  readonly name: string
  readonly number: string
  readonly taxId: string | null
  /** Months between two bills. */
  readonly months: 1 | 2 | 3
  /** Accounts with the same seed are read on the same days. */
  readonly seed: string
  readonly services: readonly ServicePlan[]
  /** Account of the energy supplier; its bill arrives separately. */
  readonly supply: SupplyPlan | null
  readonly isInGroup: boolean
}

export interface FacilityPlan extends City {
  readonly name: string
  readonly number: string
  readonly street: string
  readonly feet: number
  readonly building: Building
  readonly region: Region
  readonly division: DivisionPlan
  readonly productionUnit: string | null
}

export interface DivisionPlan {
  readonly name: string
  readonly code: string
  /** Index of the client's batch group. */
  readonly group: number
}

export interface ServicePlan {
  readonly utility: 'electric' | 'natural_gas' | 'water' | 'sewer' | 'waste' | 'telecom'
  readonly title: string
  readonly meter: string
  readonly metered: boolean
  readonly multiplier: number
  readonly unit: string
  readonly schedule: string
  readonly model: SeasonModel
  /** Average billed units per day over a year. */
  readonly daily: number
  /** Dial reading before the first bill; null if there is no reading. */
  readonly reading: number | null
  /** Millionths of a dollar per unit, cents per month, cents per kW. */
  readonly rate: number
  readonly supplyRate: number | null
  readonly recRate: number
  readonly customer: number
  readonly kilowatt: number
  readonly tax: number
  /** Share of the hours at full load; null if demand is not billed. */
  readonly loadFactor: number | null
  /** Therms in a hundred cubic feet, in ten-thousandths; null if gas is billed in therms. */
  readonly thermFactor: number | null
  readonly extraField: string | null
}

/** A bill before it is stored. The account owes the sum of its lines unless `stated` says otherwise. */
export interface PlannedBill {
  readonly account: AccountPlan
  /** True for a bill of the account's supplier, not of the utility. */
  readonly is_supply: boolean
  readonly date: CalendarDate
  readonly due: CalendarDate
  readonly invoice: string | null
  readonly lines: readonly PlannedLine[]
  readonly balance: Cents
  readonly lateFee: Cents
  /** Charges of a group's bill besides the bills of its subaccounts. */
  readonly beside: Cents
  /** Charges of the account as a whole. */
  readonly charges: readonly { readonly name: string; readonly amount: Cents }[]
  readonly created: string
  /** Overwrites derived values, for bills that are wrong or unusual on purpose. */
  readonly stated: Partial<BillDraft>
  /** The problem that was planted in it. */
  readonly plant: string | null
}

export interface PlannedLine {
  readonly service: ServicePlan
  readonly from: CalendarDate
  readonly to: CalendarDate
  readonly before: number | null
  readonly after: number | null
  readonly multiplier: number
  readonly usage: number
  readonly values: readonly { readonly name: string; readonly amount: Cents }[]
  readonly factors: readonly { readonly name: string; readonly value: string }[]
  readonly estimated: boolean
  readonly schedule: string
  /** A unit that matches none of ours. */
  readonly rawUnit: string | null
  readonly stated: Partial<ServiceBillDraft>
}
