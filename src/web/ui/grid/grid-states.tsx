import { Button } from '../button.tsx'
import { EmptyState, ErrorState, ForbiddenState, Skeleton } from '../states.tsx'
import styles from './data-grid.module.css'
import type { DataGridProps, RowId } from './grid-types.ts'

/** The usual number of rows on a page, so that the pager does not move when the rows arrive. */
const SKELETON_ROWS = 10

/** Replaces the rows: the list is empty, nothing matches, loading failed, or the right is missing. After a failure old rows stay visible. */
export function GridNothing<Row, Id extends RowId>(props: DataGridProps<Row, Id>) {
  const { status, rows, filters, empty, onClearFilters } = props
  if (status.kind === 'error')
    return (
      <ErrorState title="This list could not be loaded" message={status.message} requestId={status.requestId} onRetry={status.onRetry} />
    )
  if (status.kind === 'forbidden') return <ForbiddenState what={status.what} />
  if (status.kind === 'loading' || rows.length > 0) return null
  if (Object.keys(filters ?? {}).length > 0) {
    return (
      <EmptyState title="Nothing matches these filters" actions={onClearFilters && <Button onClick={onClearFilters}>Reset Filters</Button>}>
        Try fewer filters, or a shorter text.
      </EmptyState>
    )
  }
  return empty ?? <EmptyState title="Nothing here yet" />
}

/** Grey lines while the first rows load. */
export function SkeletonRows() {
  return (
    <div className={styles.skeletons} role="status">
      <span className="sr-only">Loading</span>
      {Array.from({ length: SKELETON_ROWS }, (_, index) => (
        <div key={index} className={styles.skeletonRow}>
          <Skeleton width={`${88 - ((index * 13) % 34)}%`} height={10} />
        </div>
      ))}
    </div>
  )
}
