import { Button } from '../button.tsx'
import { EmptyState, ErrorState, ForbiddenState, Skeleton } from '../states.tsx'
import styles from './data-grid.module.css'
import type { DataGridProps, RowId } from './grid-types.ts'

/** As many as a list's page usually has, so that its pager does not move when the rows come. */
const SKELETON_ROWS = 10

/** What stands in place of the rows: nothing yet, nothing that fits, a failure, or no right. Old rows stay in sight beside a failure. */
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

/** Grey lines while the first rows are on their way. */
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
