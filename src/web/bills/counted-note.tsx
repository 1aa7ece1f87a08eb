/** Above the list of the bills behind a figure: which they are, how the figure counts them, and the way back. */
import { useEffect, useEffectEvent } from 'react'
import { dashboardBases, DEFAULT_BASIS } from '#contract/dashboard/basis.ts'
import { firstDayOf, formatDate, isCalendarDate, lastDayOf, monthOf, nameOfMonth } from '#contract/kernel/date.ts'
import { BackLink } from '../kernel/back-link.tsx'
import { useGo, useSearchText } from '../kernel/navigation.tsx'
import styles from './bills.module.css'

const ofMax = 200

export function CountedNote() {
  const search = useSearchText()
  const { counted_on_gteq: from = '', counted_on_lteq: to = '', of = '', back = '' } = search
  const basis = dashboardBases.find((one) => one === search['counted_basis']) ?? DEFAULT_BASIS
  const href = isDashboard(back) ? back : undefined
  useBackOnEscape(href)
  if (!isCalendarDate(from) || !isCalendarDate(to)) return null
  return (
    <div className={styles.countedNote} role="note" aria-label="What the figure counts">
      {href !== undefined && <BackLink href={href} label="Back to the dashboard" />}
      <p>
        {of !== '' && <strong>{`${of.slice(0, ofMax)}: `}</strong>}
        {basis === DEFAULT_BASIS ? wordsOf(from, to) : wholeWords[basis](monthsText(from, to))}
      </p>
    </div>
  )
}

const wholeWords = {
  billed: (months: string) => `Bills dated ${months}; the dashboard counts each of them whole.`,
  fiscal: (months: string) => `Bills booked ${months}, by fiscal month or else by date; the dashboard counts whole what is booked then.`,
} as const

function monthsText(from: string, to: string): string {
  const [first, last] = [nameOfMonth(monthOf(from)), nameOfMonth(monthOf(to))]
  return first === last ? `in ${first}` : `from ${first} to ${last}`
}

function wordsOf(from: string, to: string): string {
  const [first, last] = [monthOf(from), monthOf(to)]
  if (from !== firstDayOf(first) || to !== lastDayOf(last))
    return `Bills with service days from ${formatDate(from)} to ${formatDate(to)}; the dashboard counts their share of these days.`
  if (first === last) return `Bills with service days in ${nameOfMonth(first)}; the dashboard counts their share of the month.`
  return `Bills with service days from ${nameOfMonth(first)} to ${nameOfMonth(last)}; the dashboard counts their share of these months.`
}

/** The address is a text of the outside: it leads to a dashboard of this console or nowhere. */
function isDashboard(address: string): boolean {
  return /^\/clients\/[1-9]\d{0,15}\/([\w/]+\/)?dashboard(\?[^#\s]*)?$/.test(address)
}

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
