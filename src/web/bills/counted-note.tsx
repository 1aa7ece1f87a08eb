/** Above the list of the bills behind a figure: which they are, how the figure counts them, and the way back. */
import { useEffect, useEffectEvent } from 'react'
import { dashboardBases, DEFAULT_BASIS } from '#contract/dashboard/basis.ts'
import { firstDayOf, formatDate, isCalendarDate, lastDayOf, monthOf, nameOfMonth } from '#contract/kernel/date.ts'
import { addMoney, formatMoney } from '#contract/kernel/money.ts'
import { useQuery } from '@tanstack/react-query'
import { bill } from '#contract/bills/bill.ts'
import type { BillSums } from '#contract/bills/bill-list-calls.ts'
import { billListCalls } from '#contract/bills/bill-list-calls.ts'
import { bodyOf } from '../bulk-changes/bulk-changes.ts'
import { BackLink } from '../kernel/back-link.tsx'
import { readListState } from '../kernel/lists/list-state.ts'
import { wireFilters } from '../kernel/lists/wire-filters.ts'
import { useGo, usePathId, useSearchText } from '../kernel/navigation.tsx'
import { apiQuery } from '../kernel/query.ts'
import styles from './bills.module.css'

const ofMax = 200

export function CountedNote() {
  const search = useSearchText()
  const { counted_on_gteq: from = '', counted_on_lteq: to = '', of = '', back = '' } = search
  const basis = dashboardBases.find((one) => one === search['counted_basis']) ?? DEFAULT_BASIS
  const place = places.find(({ isHere }) => isHere.test(back))
  const href = place && back
  // A report opens the list in another window, and needs no way back.
  const who = place?.name ?? 'figure'
  const sums = useSums(search)
  useBackOnEscape(href)
  const isOfDays = isCalendarDate(from) && isCalendarDate(to)
  if (!isOfDays && of === '') return null
  return (
    <div className={styles.countedNote} role="note" aria-label="What the figure counts">
      {href !== undefined && <BackLink href={href} label={`Back to the ${place?.name ?? ''}`} />}
      <p>
        {of !== '' && <strong>{`${of.slice(0, ofMax)}: `}</strong>}
        {!isOfDays
          ? 'The bills that this figure adds up.'
          : basis === DEFAULT_BASIS
            ? wordsOf(from, to, who)
            : wholeWords[basis](monthsText(from, to), who)}{' '}
        {sums && <span className="num">{sumsText(sums)}</span>}
      </p>
    </div>
  )
}

/** What all bills of the list come to, which is the figure that led here. */
function useSums(search: Readonly<Record<string, string>>): BillSums | undefined {
  const client_id = usePathId('client_id')
  const q = wireFilters(readListState(search, bill).filters)
  return useQuery(apiQuery(billListCalls.sums, { params: { client_id }, body: { ...bodyOf({ filter: { q } }), add_up: 'all' } })).data
}

function sumsText({ count, counted, current_charges, late_fee, amount_due, counted_twice: twice }: BillSums): string {
  const bills = `${count.toLocaleString('en-US')} ${count === 1 ? 'bill' : 'bills'}`
  if (counted !== null) return `${bills}, of which ${formatMoney(counted)} counts here.`
  const charged = formatMoney(addMoney(current_charges, late_fee))
  const carried =
    twice === '0.00' ? '' : `, of which ${formatMoney(twice)} counts twice: void bills, and children beside their group’s bill`
  return `${bills}: charges and late fees ${charged}, amount due ${formatMoney(amount_due)}${carried}.`
}

const wholeWords = {
  billed: (months: string, who: string) => `Bills dated ${months}; the ${who} counts each of them whole.`,
  fiscal: (months: string, who: string) =>
    `Bills booked ${months}, by fiscal month or else by date; the ${who} counts whole what is booked then.`,
} as const

function monthsText(from: string, to: string): string {
  const [first, last] = [nameOfMonth(monthOf(from)), nameOfMonth(monthOf(to))]
  return first === last ? `in ${first}` : `from ${first} to ${last}`
}

function wordsOf(from: string, to: string, who: string): string {
  const [first, last] = [monthOf(from), monthOf(to)]
  if (from !== firstDayOf(first) || to !== lastDayOf(last))
    return `Bills with service days from ${formatDate(from)} to ${formatDate(to)}; the ${who} counts their share of these days.`
  if (first === last) return `Bills with service days in ${nameOfMonth(first)}; the ${who} counts their share of the month.`
  return `Bills with service days from ${nameOfMonth(first)} to ${nameOfMonth(last)}; the ${who} counts their share of these months.`
}

/** The address is a text of the outside: it leads to figures of this console, or nowhere. */
const places = [
  { name: 'dashboard', isHere: /^\/clients\/[1-9]\d{0,15}\/([\w/]+\/)?dashboard(\?[^#\s]*)?$/ },
  { name: 'budgets', isHere: /^\/clients\/[1-9]\d{0,15}\/budgets\/variance(\?[^#\s]*)?$/ },
] as const

/** Escape leads back, except where it ends something else: a field, a menu, a dialog, a selection. It is heard before they have ended. */
function useBackOnEscape(href: string | undefined): void {
  const go = useGo()
  const leave = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event
    const isBusy = target instanceof Element && target.closest('input:not([type="checkbox"]), select, textarea, dialog, [popover]') !== null
    const isCovered = document.querySelector('dialog[open], [popover="auto"]:popover-open, [role="row"][aria-selected="true"]') !== null
    if (event.key === 'Escape' && !isBusy && !isCovered && href !== undefined) go(href)
  })
  useEffect(() => {
    document.addEventListener('keydown', leave, true)
    return () => document.removeEventListener('keydown', leave, true)
  }, [])
}
