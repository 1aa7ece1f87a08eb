import type { ErrorComponentProps } from '@tanstack/react-router'
import { ApiProblem } from '../kernel/api-problem.ts'
import { usePageTitle } from '../kernel/page-title.ts'
import { WayHome } from '../kernel/record-gate.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'

/** Shown if a page failed, or its code could not be loaded. */
export function PageFailure({ error, reset }: ErrorComponentProps) {
  // After a server update the old code's files no longer exist; reloading the page loads the new ones.
  const text = error instanceof Error ? error.message : String(error)
  const isStale = /dynamically imported module|module script failed|Unable to preload/i.test(text)
  if (isStale) {
    return (
      <EmptyState title="The console has been updated" actions={<Button onClick={() => location.reload()}>Reload</Button>}>
        This page’s code is no longer on the server.
      </EmptyState>
    )
  }
  const requestId = error instanceof ApiProblem ? error.requestId : undefined
  return <ErrorState title="This page broke" message={text} requestId={requestId} onRetry={reset} actions={<WayHome />} />
}

/** Shown for an address without a page. */
export function NotFoundPage() {
  usePageTitle('Not found')
  return (
    <EmptyState title="There is no such page" actions={<WayHome />}>
      The address may be mistyped, or the record it names is gone.
    </EmptyState>
  )
}
