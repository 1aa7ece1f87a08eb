import { useMemo, useState } from 'react'
import { useQuery, keepPreviousData } from '@tanstack/react-query'
import { clientCalls } from '#contract/clients/client.ts'
import { dueWithinDays, earliestDueDate, globalBill, globalBillCalls } from '#contract/global-batches/global-bill.ts'
import { payTypes } from '#contract/global-batches/pay-type.ts'
import { addDays, isCalendarDate } from '#contract/kernel/date.ts'
import { centsOf, formatMoney, wireOf } from '#contract/kernel/money.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { vendorCalls } from '#contract/vendors/vendor.ts'
import { EntityMultiPicker, optionsOf } from '../kernel/forms/picker.tsx'
import { useListState, type ListControls } from '../kernel/lists/list-state.ts'
import { wireFilters } from '../kernel/lists/wire-filters.ts'
import { apiQuery } from '../kernel/query.ts'
import { MultiComboboxField } from '../ui/combobox/combobox-field.tsx'
import { CheckboxField } from '../ui/fields/choice-fields.tsx'
import { DateField } from '../ui/fields/date-field.tsx'
import { RangeSlider } from '../ui/fields/range-slider.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import type { GridFilters } from '../ui/grid/grid-types.ts'
import styles from './global-batches.module.css'

/** The list's rows are named `bills` in the reply. */
export const unsweptList = { ...globalBill, plural: 'bills' as const }
export const ownFilters = ['client_ids', 'payment_method_names', 'vendor_ids']
/** Filters with fields of their own above the list. */
const fielded = [...ownFilters, 'due_date_lteq', 'due_date_gteq', 'amount_due_gteq', 'amount_due_lteq']
export { fielded as fieldedFilters }

const clients = optionsOf('clients', clientCalls.selectOptions, {}, { hint: ({ short_code }) => short_code })
const vendors = optionsOf('vendors', vendorCalls.selectOptions, {})
const types = payTypes.map((type) => ({ id: type, label: type }))

/** Returns the state in the address, with the default bounds of the due date where the address has none. */
export function useDeskState() {
  const state = useListState(unsweptList, ownFilters)
  const [today] = useState(() => todayIn(NEW_YORK, new Date()))
  const { due_date_gteq, due_date_lteq } = state.filters
  const fixed = useMemo(
    () => ({
      ...(due_date_gteq === undefined ? { due_date_gteq: earliestDueDate } : {}),
      ...(due_date_lteq === undefined ? { due_date_lteq: addDays(today, dueWithinDays) } : {}),
    }),
    [due_date_gteq, due_date_lteq, today],
  )
  return { state, fixed }
}

/** Returns sums and bounds of all bills that match the filters. */
export function useUnsweptSums(filters: GridFilters, fixed: Readonly<Record<string, string>>) {
  const query = { ...fixed, q: wireFilters(filters), with_rows: 'false' } as const
  return useQuery({ ...apiQuery(globalBillCalls.list, { query }), placeholderData: keepPreviousData }).data
}

interface DeskFiltersProps {
  readonly state: ListControls
  readonly fixed: Readonly<Record<string, string>>
  readonly bounds: { readonly min_amount_due: string | null; readonly max_amount_due: string | null } | undefined
  /** Whether bills are added to a batch, whose client and type are fixed. */
  readonly adding: boolean
}

/** The filters of the unswept bills. Each change is written to the address and returns to the first page. */
export function DeskFilters({ state, fixed, bounds, adding }: DeskFiltersProps) {
  const { typedFilters: filters } = state
  const set = (changes: Readonly<Record<string, string>>) => state.setFilters({ ...filters, ...changes })
  return (
    <section className={styles.filters} aria-label="Filters of the bills">
      {!adding && (
        <EntityMultiPicker
          label="Client"
          source={clients}
          value={idsOf(filters['client_ids'])}
          onChange={(ids) => set({ client_ids: ids.join() })}
        />
      )}
      {!adding && (
        <MultiComboboxField<string>
          label="Payment Type"
          source={{ list: types }}
          minChars={0}
          value={namesOf(filters['payment_method_names']).map((name) => ({ id: name, label: name }))}
          onChange={(chosen) => set({ payment_method_names: chosen.map(({ id }) => id).join() })}
        />
      )}
      <EntityMultiPicker
        label="Vendor"
        source={vendors}
        value={idsOf(filters['vendor_ids'])}
        onChange={(ids) => set({ vendor_ids: ids.join() })}
      />
      <DueDate filters={filters} fixed={fixed} set={set} />
      <AmountDue filters={filters} bounds={bounds} set={set} />
    </section>
  )
}

const namesOf = (text: string | undefined): string[] => (text ? text.split(',') : [])
const idsOf = (text: string | undefined): number[] => namesOf(text).map(Number).filter(Number.isSafeInteger)

type SetFilters = (changes: Readonly<Record<string, string>>) => void

/** One date, or two if the range is used. Without a range, the lower bound is the specification's. */
function DueDate({ filters, fixed, set }: { filters: GridFilters; fixed: Readonly<Record<string, string>>; set: SetFilters }) {
  const lower = filters['due_date_gteq']
  const isRange = lower !== undefined
  const change = (key: string) => (date: string) => (date === '' || isCalendarDate(date)) && set({ [key]: date })
  return (
    <div className={styles.due}>
      {isRange && <DateField label="Due from" value={lower} until={FAR} onChange={change('due_date_gteq')} />}
      <DateField
        label={isRange ? 'Due until' : 'Due on or before'}
        value={filters['due_date_lteq'] ?? fixed['due_date_lteq'] ?? ''}
        until={FAR}
        onChange={change('due_date_lteq')}
      />
      <CheckboxField label="Use range" checked={isRange} onChange={(checked) => set({ due_date_gteq: checked ? earliestDueDate : '' })} />
    </div>
  )
}

/** Due dates are in the future, so a date without a year may mean next year. */
const FAR = addDays(todayIn(NEW_YORK, new Date()), 365)

interface AmountDueProps {
  readonly filters: GridFilters
  readonly bounds: DeskFiltersProps['bounds']
  readonly set: SetFilters
}

/** The amount due, by two fields and by a slider in cents between the smallest and the largest amount. */
function AmountDue({ filters, bounds, set }: AmountDueProps) {
  const min = centsOf(bounds?.min_amount_due ?? '0.00')
  const max = centsOf(bounds?.max_amount_due ?? '0.00')
  const from = boundOf(filters['amount_due_gteq'], min)
  const to = boundOf(filters['amount_due_lteq'], max)
  const change = (range: { from: number; to: number }) =>
    set({
      amount_due_gteq: range.from <= min ? '' : wireOf(range.from),
      amount_due_lteq: range.to >= max ? '' : wireOf(range.to),
    })
  const disabled = bounds === undefined || bounds.min_amount_due === null
  return (
    <div className={styles.amount}>
      <AmountBound
        label="Amount due from"
        cents={from}
        min={min}
        max={max}
        disabled={disabled}
        onCommit={(cents) => change({ from: Math.min(cents, to), to })}
      />
      <RangeSlider label="Amount due" min={min} max={max} from={from} to={to} words={wordsOf} disabled={disabled} onChange={change} />
      <AmountBound
        label="Amount due to"
        cents={to}
        min={min}
        max={max}
        disabled={disabled}
        onCommit={(cents) => change({ from, to: Math.max(cents, from) })}
      />
    </div>
  )
}

const wordsOf = (cents: number): string => formatMoney(wireOf(cents))
const boundOf = (wire: string | undefined, otherwise: number): number =>
  wire !== undefined && amount.test(wire) ? centsOf(wire) : otherwise

/** Patterns of a number that is being typed, which may be negative, and of a complete one. */
const typable = /^-?\d{0,12}(\.\d{0,2})?$/
const amount = /^-?\d{1,12}(\.\d{1,2})?$/

interface AmountBoundProps {
  readonly label: string
  readonly cents: number
  readonly min: number
  readonly max: number
  readonly disabled: boolean
  readonly onCommit: (cents: number) => void
}

/** One bound. On blur, a value outside the limits is moved to the limit; an empty or invalid one is replaced by the current bound. */
function AmountBound({ label, cents, min, max, disabled, onCommit }: AmountBoundProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const leave = () => {
    setTyped(null)
    const plain = typed?.replace(/\.$/, '').replace(/^(-?)\./, (_, sign: string) => `${sign}0.`)
    if (plain !== undefined && amount.test(plain)) onCommit(Math.max(min, Math.min(max, centsOf(plain))))
  }
  return (
    <div className={styles.bound} role="presentation" onKeyDown={(event) => event.key === 'Enter' && leave()}>
      <TextField
        label={label}
        value={typed ?? wireOf(cents)}
        inputMode="decimal"
        disabled={disabled}
        onChange={(next) => typable.test(next) && setTyped(next)}
        onBlur={leave}
      />
    </div>
  )
}
