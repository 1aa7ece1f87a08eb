import { useState } from 'react'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { IconButton } from '../button.tsx'
import styles from './pager.module.css'

export type PagerProps = {
  /** Counted from 1. */
  page: number
  per: number
  /** Rows on all pages; undefined while they are being counted. */
  total: number | undefined
  /** Rows on this page, which show whether there is a next page while the total is unknown. */
  rowsOnPage?: number | undefined
  /** Page sizes to choose from; without them the size is fixed. */
  sizes?: readonly number[] | undefined
  onPage: (page: number) => void
  onPer?: ((per: number) => void) | undefined
  /** Whether the page has as many rows as the screen, and the choice of it. */
  fit?: { readonly isOn: boolean; readonly set: (on: boolean) => void } | undefined
  /** Noun for the counted rows: 'bills'. */
  noun?: string | undefined
}

/** The size that follows the height of the screen. */
const FIT = 'fit'

/** The pager of a list: the range of rows, the page number as a field, and the page size. */
export function Pager({ page, per, total, rowsOnPage, sizes, onPage, onPer, fit, noun = 'rows' }: PagerProps) {
  const pages = pageCount(total, per)
  const hasNext = pages === undefined ? rowsOnPage === undefined || rowsOnPage >= per : page < pages
  return (
    <nav className={styles.pager} aria-label="Pages">
      <span className={`${styles.facts} num`} aria-live="polite">
        {rangeWords({ page, per, total, noun, rowsOnPage })}
      </span>
      {sizes && onPer && (
        <label className={styles.size}>
          <span>Per page</span>
          <select
            value={fit?.isOn ? FIT : per}
            onChange={(event) => {
              const { value } = event.currentTarget
              fit?.set(value === FIT)
              if (value !== FIT) onPer(Number(value))
            }}
          >
            {fit && <option value={FIT}>{fit.isOn ? `Fit (${per})` : 'Fit'}</option>}
            {(fit?.isOn ? sizes : withCurrent(sizes, per)).map((size) => (
              <option key={size} value={size}>
                {size}
              </option>
            ))}
          </select>
        </label>
      )}
      <div className={styles.steps}>
        <IconButton
          small
          label="Previous page"
          icon={<ChevronLeft size={16} aria-hidden="true" />}
          disabled={page <= 1}
          onClick={() => onPage(page - 1)}
        />
        <PageNumber key={page} page={page} pages={pages} onPage={onPage} />
        <span className={`${styles.of} num`}>of {pages === undefined ? '…' : pages.toLocaleString('en-US')}</span>
        <IconButton
          small
          label="Next page"
          icon={<ChevronRight size={16} aria-hidden="true" />}
          disabled={!hasNext}
          onClick={() => onPage(page + 1)}
        />
      </div>
    </nav>
  )
}

/** Returns the number of pages, at least one; undefined if the total is. */
export function pageCount(total: number | undefined, per: number): number | undefined {
  return total === undefined ? undefined : Math.max(1, Math.ceil(total / per))
}

function PageNumber({ page, pages, onPage }: { page: number; pages: number | undefined; onPage: (page: number) => void }) {
  const [text, setText] = useState(String(page))
  const go = () => {
    const wanted = Math.trunc(Number(text))
    const bounded = Number.isFinite(wanted) ? Math.max(1, Math.min(pages ?? wanted, wanted)) : page
    setText(String(bounded))
    if (bounded !== page) onPage(bounded)
  }
  return (
    <input
      className={`${styles.number} num`}
      aria-label="Page"
      inputMode="numeric"
      value={text}
      size={Math.max(2, text.length)}
      onChange={(event) => setText(event.currentTarget.value.replace(/\D/g, ''))}
      onFocus={(event) => event.currentTarget.select()}
      onBlur={go}
      onKeyDown={(event) => event.key === 'Enter' && go()}
    />
  )
}

type RangeInput = { page: number; per: number; total: number | undefined; noun: string; rowsOnPage: number | undefined }

/** Returns '21–40 of 1,234 bills'; '' if neither the rows nor their number are known. */
export function rangeWords({ page, per, total, noun, rowsOnPage }: RangeInput): string {
  const first = (page - 1) * per + 1
  if (total === 0) return `0 ${noun}`
  const last = total === undefined ? first + (rowsOnPage ?? per) - 1 : Math.min(total, page * per)
  if (total === undefined && rowsOnPage === 0) return ''
  const of = total === undefined ? '…' : total.toLocaleString('en-US')
  if (last < first) return `None of ${of} ${noun} on this page`
  return `${first.toLocaleString('en-US')}–${last.toLocaleString('en-US')} of ${of} ${noun}`
}

function withCurrent(sizes: readonly number[], per: number): readonly number[] {
  return sizes.includes(per) ? sizes : [...sizes, per].toSorted((a, b) => a - b)
}
