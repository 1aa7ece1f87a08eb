/** The fields of the advanced search. */
import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { searchedTypes } from '#contract/advanced-search/advanced-search.ts'
import { foundBillable } from '#contract/advanced-search/searched-fields.ts'
import { states } from '#contract/accounts/address.ts'
import { EntityMultiPicker, EntityPicker } from '../kernel/forms/picker.tsx'
import { SelectField } from '../ui/fields/choice-fields.tsx'
import { DateField } from '../ui/fields/date-field.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import type { GridFilters } from '../ui/grid/grid-types.ts'
import { askAssociations, searchOptions } from './search-calls.ts'

export interface FieldsProps {
  readonly clientId: number | undefined
  readonly values: GridFilters
  readonly set: (name: string, value: string) => void
}

export function MainFields({ clientId, values, set }: FieldsProps) {
  const [options] = useState(() => searchOptions(clientId))
  const several = (name: string) => ({ value: idsOf(values[name]), onChange: (ids: number[]) => set(name, ids.join(',')) })
  return (
    <>
      <Typed name="text" values={values} set={set} />
      <Typed name="account_number" values={values} set={set} />
      <Typed name="name" values={values} set={set} />
      {clientId === undefined && (
        <EntityPicker
          label="Client"
          placeholder="Any"
          source={options.clients}
          value={idsOf(values['client_id'])[0] ?? null}
          onChange={(id) => set('client_id', id === null ? '' : String(id))}
        />
      )}
      <EntityMultiPicker label="Vendor" placeholder="Any" source={options.vendors} {...several('vendor_id_in')} />
      <EntityMultiPicker label="Facility" placeholder="Any" source={options.facilities} {...several('facility_id_in')} />
      <ServiceField clientId={clientId} values={values} set={set} />
    </>
  )
}

/** There are few services, so all of them are loaded. */
function ServiceField({ clientId, values, set }: FieldsProps) {
  const asked = useQuery({
    queryKey: ['advanced_search', 'services', clientId],
    queryFn: ({ signal }) => askAssociations(clientId, { only: 'services' }, signal),
    staleTime: 60_000,
  })
  const services = asked.data?.services.map(({ id, name }) => ({ value: String(id), label: name })) ?? []
  return (
    <SelectField
      label="Service"
      value={values['utility_service_id'] ?? ''}
      emptyLabel="Any"
      options={services}
      onChange={(id) => set('utility_service_id', id)}
    />
  )
}

const typedMore = [
  'meter_number',
  'alias',
  'facility_number',
  'street_address',
  'city',
  'zip',
  'service_name',
  'id_number',
  'rate_schedule',
  'tax_id',
  'service_identifier',
] as const
export const moreNames = [
  ...typedMore,
  'division_id_in',
  'state',
  'account_type',
  'active',
  'last_bill_date_gteq',
  'last_bill_date_lteq',
  'no_bill_since',
]

export function MoreFields({ clientId, values, set }: FieldsProps) {
  const [options] = useState(() => searchOptions(clientId))
  const text = (name: string) => ({ value: values[name] ?? '', onChange: (value: string) => set(name, value) })
  return (
    <>
      {typedMore.slice(0, 2).map((name) => (
        <Typed key={name} name={name} values={values} set={set} />
      ))}
      <EntityMultiPicker
        label="Division"
        placeholder="Any"
        source={options.divisions}
        value={idsOf(values['division_id_in'])}
        onChange={(ids) => set('division_id_in', ids.join(','))}
      />
      {typedMore.slice(2, 5).map((name) => (
        <Typed key={name} name={name} values={values} set={set} />
      ))}
      <SelectField label="State" emptyLabel="Any" options={states} {...text('state')} />
      {typedMore.slice(5).map((name) => (
        <Typed key={name} name={name} values={values} set={set} />
      ))}
      <SelectField label="Account Type" emptyLabel="Any" options={searchedTypes} {...text('account_type')} />
      <SelectField label="Status" emptyLabel="Any" options={statusOptions} {...text('active')} />
      <DateField label="Last Bill From" max={values['last_bill_date_lteq']} {...text('last_bill_date_gteq')} />
      <DateField label="Last Bill To" min={values['last_bill_date_gteq']} {...text('last_bill_date_lteq')} />
      <DateField label="No Bill Since" {...text('no_bill_since')} />
    </>
  )
}

const statusOptions = [
  { value: 'true', label: 'Active' },
  { value: 'false', label: 'Inactive' },
]

/** A text filter with the label of its field. */
function Typed({ name, values, set }: Pick<FieldsProps, 'values' | 'set'> & { name: string }) {
  const fields: Readonly<Record<string, { readonly label: string }>> = foundBillable.fields
  return <TextField label={fields[name]?.label ?? name} value={values[name] ?? ''} maxLength={200} onChange={(value) => set(name, value)} />
}

export function moreWords(values: GridFilters): string {
  const set = moreNames.filter((name) => (values[name] ?? '') !== '').length
  return set === 0 ? 'More filters' : `More filters (${set} set)`
}

function idsOf(text: string | undefined): number[] {
  return (text ?? '')
    .split(',')
    .filter((part) => /^[1-9]\d{0,14}$/.test(part))
    .map(Number)
}
