import { ChevronLeft, ChevronRight } from 'lucide-react'
import { IconButton } from '../ui/button.tsx'
import styles from './shell.module.css'

/** Page size that the pager counts with: half the number that is loaded, because its total is half the reported one (G-PAGER-HALF). */
const PAGER_SIZE = 10

/** Counts half the reported total with ten per page, which gives the same pages as the whole total with twenty. */
export function ClientPager({ total, page, onPage }: { total: number; page: number; onPage: (page: number) => void }) {
  const pages = pickerPages(total)
  if (pages <= 1) return null
  return (
    <div className={styles.pickerPager} data-pager-total={pickerTotal(total)}>
      <IconButton
        small
        label="Previous clients"
        icon={<ChevronLeft size={14} aria-hidden="true" />}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      />
      <span className="num">
        {page} of {pages}
      </span>
      <IconButton
        small
        label="Next clients"
        icon={<ChevronRight size={14} aria-hidden="true" />}
        disabled={page >= pages}
        onClick={() => onPage(page + 1)}
      />
    </div>
  )
}

/** Returns the total that the pager shows: half of the reported one, rounded up so that the last client of an odd number can be reached. */
export function pickerTotal(total: number): number {
  return Math.ceil(total / 2)
}

export function pickerPages(total: number): number {
  return Math.ceil(pickerTotal(total) / PAGER_SIZE)
}
