import { useMemo } from 'react'
import { billableAccountCalls } from '#contract/accounts/billable-account.ts'
import {
  bundleFilters,
  bundleIdFilters,
  noBundleFilters,
  type BundleFilters,
  type BundleIdFilter,
} from '#contract/bill-documents/bill-document.ts'
import { divisionCalls } from '#contract/clients/division.ts'
import { facilityCalls } from '#contract/clients/facility.ts'
import { supplyAccountCalls } from '#contract/accounts/supply-account.ts'
import { utilityServiceCalls } from '#contract/reference/utility-service.ts'
import { vendorCalls } from '#contract/vendors/vendor.ts'
import type { SlotProps } from '../kernel/forms/entity-form.tsx'
import { EntityMultiPicker, LONG_LOOKUP, optionsOf, type OptionSource } from '../kernel/forms/picker.tsx'
import { DateField } from '../ui/fields/date-field.tsx'
import styles from './bundle-form.module.css'

/** The filters of a bundle's bills: dates, vendors, places and accounts, as in reports. Empty filters match all. */
export function BundleFilterFields({ value, onChange, errors, disabled, clientId }: SlotProps & { clientId: number }) {
  const sources = useMemo(() => sourcesOf(clientId), [clientId])
  const filters = readFilters(value)
  const { from, to } = filters.date_range
  const set = (change: Partial<BundleFilters>) => onChange({ ...filters, ...change })
  const date = (key: 'from' | 'to', label: string) => (
    <DateField
      label={label}
      name={`date_${key}`}
      value={filters.date_range[key] ?? ''}
      onChange={(day) => set({ date_range: { from, to, [key]: day === '' ? null : day } })}
      error={errors[`form_data.date_range.${key}`]}
      disabled={disabled}
    />
  )
  return (
    <div className={styles.filters} data-wide>
      {date('from', 'Bill Date From')}
      {date('to', 'Bill Date To')}
      {bundleIdFilters.map(({ key, label }) => (
        <EntityMultiPicker
          key={key}
          label={label}
          name={key}
          source={sources[key]}
          value={filters[key]}
          onChange={(ids) => set({ [key]: ids })}
          error={errors[`form_data.${key}`]}
          hint={key === 'vendor_ids' ? 'Nothing chosen leaves all' : undefined}
          disabled={disabled}
        />
      ))}
    </div>
  )
}

/** While dates are typed the value may be incomplete; the readable parts are shown. */
function readFilters(value: unknown): BundleFilters {
  const read = bundleFilters.safeParse(value)
  if (read.success) return read.data
  return isFilters(value) ? value : noBundleFilters
}

function isFilters(value: unknown): value is BundleFilters {
  return typeof value === 'object' && value !== null && 'date_range' in value && bundleIdFilters.every(({ key }) => key in value)
}

const account = {
  label: ({ account_number }: { account_number: string }) => account_number,
  hint: ({ name }: { name: string }) => name,
}

function sourcesOf(client_id: number): Readonly<Record<BundleIdFilter, OptionSource>> {
  const params = { client_id }
  return {
    vendor_ids: optionsOf('vendors', vendorCalls.selectOptions, {}),
    utility_service_ids: optionsOf('utility_services', utilityServiceCalls.selectOptions, {}),
    division_ids: optionsOf('divisions', divisionCalls.selectOptions, params, { per: LONG_LOOKUP }),
    facility_ids: optionsOf('facilities', facilityCalls.selectOptions, params, { per: LONG_LOOKUP }),
    billable_account_ids: optionsOf('billable_accounts', billableAccountCalls.selectOptions, params, account),
    supply_account_ids: optionsOf('supply_accounts', supplyAccountCalls.selectOptions, params, account),
  }
}
