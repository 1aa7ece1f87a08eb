/** Matches one statement with an account and its services. */
import { recordOf, billOfRecord, type RetrievedBill } from '#contract/bill-retrieval/map-statement.ts'
import { commodities, type StatementState } from '#contract/bill-retrieval/statement.ts'
import { onlyOfKind } from '#contract/services/only-service.ts'
import type { NeededService } from '#contract/bill-retrieval/retrieved-lines.ts'
import { paymentTermsDaysDefault } from '#contract/vendors/vendor.ts'
import { foundBy } from '../estate/estate.ts'
import {
  type StoredStatement,
  type MatchedAccount,
  type FoundAccount,
  type AccountService,
  utilityKey,
  accountKey,
} from './find-accounts.ts'

export interface Match {
  readonly stored: StoredStatement
  readonly state: StatementState
  readonly reason: string | null
  /** The utility's vendor, known or found with the account. */
  readonly vendor_id: number | null
  readonly account: MatchedAccount | null
  /** The bill that the statement would make; null if it cannot make any. */
  readonly bill: RetrievedBill | null
  /** Services that the account lacks. */
  readonly missing: readonly NeededService[]
  /** True if no account matches, so that one may be created; false if several do. */
  readonly accountAbsent: boolean
}

/** Removes spaces and dashes, which people and utilities use freely. Leading zeros count. */
export function strippedNumber(accountNumber: string): string {
  return accountNumber.replaceAll(/[ -]/g, '')
}

interface Known {
  readonly vendors: ReadonlyMap<string, number>
  /** Vendors that a user assigned to some utility of the client. */
  readonly mappedVendors: ReadonlySet<number>
  readonly found: readonly FoundAccount[]
  readonly services: ReadonlyMap<string, readonly AccountService[]>
}

export function matchOne(stored: StoredStatement, known: Known): Match {
  const vendor_id = known.vendors.get(utilityKey(stored)) ?? null
  const nothing = { stored, vendor_id, account: null, bill: null, missing: [], accountAbsent: false }
  const choice = chooseAccount(stored, vendor_id, known)
  const account = 'reason' in choice ? null : choice
  const record = recordOf(stored.statement, { client: '', paymentTermsDays: account?.payment_terms_days ?? paymentTermsDaysDefault })
  if ('cannot' in record) return { ...nothing, state: 'ignored', reason: record.cannot }
  const bill = billOfRecord(record)
  if ('reason' in choice) return { ...nothing, bill, state: 'needs_account', reason: choice.reason, accountAbsent: choice.isAbsent }
  const services = known.services.get(accountKey(choice)) ?? []
  const missing = bill.services.filter((needed) => serviceFor(needed, stored, services) === undefined)
  const matched = { ...nothing, vendor_id: choice.vendor_id ?? vendor_id, bill, account: { ...choice, services }, missing }
  return missing.length === 0
    ? { ...matched, state: 'matched', reason: null }
    : { ...matched, state: 'needs_meter', reason: missingReason(missing) }
}

/**
 * Returns the account's service of a line: by meter number and utility service; if the statement has no meter number, the account's only
 * one of its kind.
 */
export function serviceFor(
  needed: Pick<NeededService, 'utility_service' | 'meter_number'>,
  stored: Pick<StoredStatement, 'account_number'>,
  services: readonly AccountService[],
): AccountService | undefined {
  const ofKind = services.filter((service) => service.utility_service === needed.utility_service)
  const exact = ofKind.find((service) => service.meter_number === needed.meter_number)
  if (exact) return exact
  const stripped = ofKind.filter((service) => strippedNumber(service.meter_number) === strippedNumber(needed.meter_number))
  if (stripped.length === 1) return stripped[0]
  const isUnnumbered = commodities.some((commodity) => needed.meter_number === `${stored.account_number}-${commodity}`)
  return isUnnumbered ? onlyOfKind(services, needed.utility_service) : undefined
}

function missingReason(missing: readonly NeededService[]): string {
  const named = missing.map((service) => `${service.meter_number} (${service.utility_service})`)
  return `The account has no meter ${named.slice(0, 5).join(', ')}${named.length > 5 ? ` and ${named.length - 5} more` : ''}`
}

interface NoAccount {
  readonly reason: string
  readonly isAbsent: boolean
}

function chooseAccount(stored: StoredStatement, vendorId: number | null, { found, mappedVendors }: Known): FoundAccount | NoAccount {
  const ofNumber = found.filter((one) => one.wanted === stored.account_number)
  for (const how of Object.values(foundBy)) {
    const some = ofNumber.filter((one) => one.how === how)
    const ofVendor = vendorId === null ? [] : some.filter((one) => one.vendor_id === vendorId)
    const candidates =
      ofVendor.length > 0 ? ofVendor : how === foundBy.alias ? some : some.filter((one) => mayBeOf(one, vendorId, mappedVendors))
    if (candidates.length === 1 && candidates[0]) return candidates[0]
    if (candidates.length > 1) return { reason: `${candidates.length} accounts have the number ${stored.account_number}`, isAbsent: false }
  }
  const [other] = ofNumber
  return {
    reason: other
      ? `The account is not there yet; account ${other.account_number} belongs to ${other.vendor_name ?? 'another vendor'}`
      : 'The account is not there yet',
    isAbsent: true,
  }
}

/** Two utilities may use the same number: an account of a vendor that is assigned to another utility does not match. */
function mayBeOf(account: FoundAccount, vendorId: number | null, mappedVendors: ReadonlySet<number>): boolean {
  if (account.vendor_id === null) return true
  return vendorId === null && !mappedVendors.has(account.vendor_id)
}
