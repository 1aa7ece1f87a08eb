/** The filters of the search: the most used ones visible, the others behind a button. Enter searches. */
import { useEffect, useEffectEvent, useRef, useState, type FormEvent } from 'react'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronUp, Search, X } from 'lucide-react'
import { foundBillable, noFilterMessage, searchedTypes } from '#contract/advanced-search/advanced-search.ts'
import { states } from '#contract/accounts/address.ts'
import { messages, seconds } from '../kernel/notices/messages.ts'
import { EntityMultiPicker, EntityPicker } from '../kernel/forms/picker.tsx'
import { Button } from '../ui/button.tsx'
import { notify } from '../ui/dialogs/notices.ts'
import { SelectField } from '../ui/fields/choice-fields.tsx'
import { DateField } from '../ui/fields/date-field.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import type { GridFilters } from '../ui/grid/grid-types.ts'
import styles from './advanced-search.module.css'
import { askAssociations, searchOptions } from './search-calls.ts'

interface FormProps {
  readonly clientId: number | undefined
  /** The filters in the address. */
  readonly filters: GridFilters
  readonly onSearch: (filters: GridFilters) => void
  readonly onClear: () => void
}

export function SearchForm({ clientId, filters, onSearch, onClear }: FormProps) {
  const [values, setValues] = useFollowing(filters)
  const [opened, setMore] = useState<boolean | null>(null)
  const more = opened ?? moreNames.some((name) => filters[name] !== undefined)
  const form = useRef<HTMLFormElement>(null)
  const focusFirst = () => form.current?.querySelector('input')?.focus()
  // An empty search gets the focus; a page with results keeps its scroll position.
  const arrive = useEffectEvent(() => Object.keys(filters).length === 0 && focusFirst())
  useEffect(() => void arrive(), [])
  const fields: FieldsProps = { clientId, values, set: (name, value) => setValues((before) => ({ ...before, [name]: value })) }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const given = givenOf(values)
    if (Object.keys(given).length > 0) return onSearch(given)
    notify({ kind: 'warning', title: messages.search_error, message: noFilterMessage, duration: seconds.usual })
    focusFirst()
  }
  const clear = () => {
    setValues({})
    onClear()
  }
  return (
    <form ref={form} role="search" aria-label="Advanced Search" className={styles.form} onSubmit={submit} noValidate>
      <div className={styles.fields}>
        <MainFields {...fields} />
        {more && <MoreFields {...fields} />}
      </div>
      <div className={styles.actions}>
        <Button type="submit" kind="primary">
          <Search size={14} aria-hidden="true" />
          Search
        </Button>
        <Button
          onClick={clear}
          disabledReason={Object.keys(givenOf({ ...filters, ...values })).length === 0 ? 'No filter is set' : undefined}
          reasonHidden
        >
          <X size={14} aria-hidden="true" />
          Clear Search
        </Button>
        <Button kind="quiet" aria-expanded={more} onClick={() => setMore(!more)}>
          {more ? <ChevronUp size={14} aria-hidden="true" /> : <ChevronDown size={14} aria-hidden="true" />}
          {more ? 'Fewer filters' : moreWords(values)}
        </Button>
      </div>
    </form>
  )
}

/** Holds the typed filters until the address changes: Back and a saved view bring their own texts, and the focus stays. */
function useFollowing(filters: GridFilters) {
  const [typed, setTyped] = useState({ values: filters, of: filters })
  if (!sameFilters(typed.of, filters)) setTyped({ values: filters, of: filters })
  const set = (next: GridFilters | ((before: GridFilters) => GridFilters)) =>
    setTyped(({ values, of }) => ({ values: typeof next === 'function' ? next(values) : next, of }))
  return [typed.values, set] as const
}

function sameFilters(one: GridFilters, other: GridFilters): boolean {
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
}

interface FieldsProps {
  readonly clientId: number | undefined
  readonly values: GridFilters
  readonly set: (name: string, value: string) => void
}

function MainFields({ clientId, values, set }: FieldsProps) {
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
const moreNames = [
  ...typedMore,
  'division_id_in',
  'state',
  'account_type',
  'active',
  'last_bill_date_gteq',
  'last_bill_date_lteq',
  'no_bill_since',
]

function MoreFields({ clientId, values, set }: FieldsProps) {
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

function moreWords(values: GridFilters): string {
  const set = moreNames.filter((name) => (values[name] ?? '') !== '').length
  return set === 0 ? 'More filters' : `More filters (${set} set)`
}

function givenOf(values: GridFilters): GridFilters {
  return Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value.trim() === '' ? [] : [[name, value.trim()]])))
}

function idsOf(text: string | undefined): number[] {
  return (text ?? '')
    .split(',')
    .filter((part) => /^[1-9]\d{0,14}$/.test(part))
    .map(Number)
}
