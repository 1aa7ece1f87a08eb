import type { ReactNode } from 'react'
import { ButtonLink } from '../ui/button.tsx'
import { ErrorState, ForbiddenState, EmptyState, Skeleton } from '../ui/states.tsx'
import { ApiProblem } from './api-problem.ts'
import styles from './kernel.module.css'

export interface RecordGateProps<Data> {
  /** A finished or running `useQuery`. */
  asked: { data: Data | undefined; error: Error | null; refetch: () => unknown }
  children: (data: Data) => ReactNode
}

/** Shows the page of one record once it is loaded; in its place, says if the record is gone, hidden or could not be loaded. */
export function RecordGate<Data>({ asked, children }: RecordGateProps<Data>) {
  const { data, error, refetch } = asked
  if (data !== undefined) return children(data)
  if (error instanceof ApiProblem && error.notFound)
    return (
      <EmptyState title="There is no such record" actions={<WayHome />}>
        It may have been deleted, or it is outside what you may see.
      </EmptyState>
    )
  if (error instanceof ApiProblem && error.forbidden) return <ForbiddenState what="this record" actions={<WayHome />} />
  if (error)
    return (
      <ErrorState
        message={error.message}
        requestId={error instanceof ApiProblem ? error.requestId : undefined}
        onRetry={() => void refetch()}
        actions={<WayHome />}
      />
    )
  return (
    <div className={styles.waiting} role="status">
      <span className="sr-only">Loading</span>
      <Skeleton width={180} height={20} />
      <Skeleton width="60%" />
      <Skeleton width="50%" />
    </div>
  )
}

/** A link home for pages that lead nowhere else. */
export function WayHome() {
  return <ButtonLink href="/">Home</ButtonLink>
}
