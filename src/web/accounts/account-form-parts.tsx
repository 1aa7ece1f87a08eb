/** Shared parts of the forms of billable and supply accounts. */
import type { AccountType } from '#contract/bills/bill.ts'
import { facilityCalls } from '#contract/clients/facility.ts'
import { vendorCalls } from '#contract/vendors/vendor.ts'
import { AuditSettingsField } from '../bill-audits/bill-audits.ts'
import { facilityAddition } from '../facilities/facilities.ts'
import type { FormSection, SlotProps } from '../kernel/forms/entity-form.tsx'
import type { FormValues } from '../kernel/forms/form-values.ts'
import { useSearchText } from '../kernel/navigation.tsx'
import { LONG_LOOKUP, optionsOf } from '../kernel/forms/picker.tsx'
import { vendorAddition } from '../vendors/vendors.ts'

export const addressSections: readonly FormSection[] = [
  { title: 'Service Address', fields: ['street_address_1', 'street_address_2', 'city', 'state', 'zip'] },
  { title: 'Mailing Address', fields: ['mailing_address', 'mailing_city', 'mailing_state', 'mailing_zipcode'] },
  { title: 'Billing', fields: ['billing_period', 'billing_cycle', 'notes'] },
]

export const ruleSections: readonly FormSection[] = [
  { title: 'Effective', fields: ['effective_from', 'effective_to'] },
  { title: 'Aliases', fields: ['aliases'], columns: 1 },
  { title: 'Audits', fields: ['audits_off', 'accruals_off', 'audit_settings'] },
]

/** Option sources of the facility and the vendor. */
export function placePickers(clientId: number) {
  return {
    facility_id: optionsOf(
      'facilities',
      facilityCalls.selectOptions,
      { client_id: clientId },
      { per: LONG_LOOKUP, adds: facilityAddition(clientId) },
    ),
    vendor_id: optionsOf('vendors', vendorCalls.selectOptions, {}, { adds: vendorAddition }),
  }
}

/** Slots of both forms. */
export function ruleSlots(clientId: number, account_type: AccountType, account_id: number | undefined) {
  const on = account_id === undefined ? undefined : { account_type, account_id }
  return { audit_settings: (slot: SlotProps) => <AuditSettingsField slot={slot} clientId={clientId} on={on} /> }
}

/** The initial facility, given in the address when a facility's own list opens the form. */
export function useFacilityStart(): FormValues | undefined {
  const facilityId = Number(useSearchText()['facility_id'])
  return Number.isSafeInteger(facilityId) && facilityId > 0 ? { facility_id: facilityId } : undefined
}

export const groupLocked = { is_group_account: 'It cannot change: the account has services.' }
