import type { ComponentType } from 'react'
import { usePath } from '../kernel/navigation.tsx'
import { usePageTitle } from '../kernel/page-title.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { EmptyState } from '../ui/states.tsx'

/** The page of an address whose screen is not built yet. It says so plainly, and what will be there. */
export function laterPage(title: string, what: string): ComponentType {
  return function LaterPage() {
    const path = usePath()
    usePageTitle(title)
    return (
      <>
        <PageHeader title={title} />
        <EmptyState title="This page is not there yet">
          <p>{what}</p>
          <p>
            Its address, <code>{path}</code>, is kept for it. Nothing can be done here today.
          </p>
        </EmptyState>
      </>
    )
  }
}
