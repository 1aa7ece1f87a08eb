import type { ReactNode } from 'react'
import { mayDo } from '#contract/kernel/permission.ts'
import { useHasBadId, usePath } from '../kernel/navigation.tsx'
import type { PageRoute } from '../kernel/page-route.ts'
import { usePageTitle } from '../kernel/page-title.ts'
import { useAccess } from '../kernel/permissions.tsx'
import { WayHome } from '../kernel/record-gate.tsx'
import { ForbiddenState } from '../ui/states.tsx'
import { NotFoundPage } from './page-failure.tsx'

/** Renders a page with its title if the user has its right. A page about another record is mounted anew, so that no state remains. */
export function PageFrame({ page, children }: { page: PageRoute; children: ReactNode }) {
  const { access } = useAccess()
  const path = usePath()
  const isNoRecord = useHasBadId()
  if (isNoRecord) return <NotFoundPage />
  if (!access) return null
  const allowed = !(page.staff && access.client_only_user) && (!page.may || mayDo(access.permissions, page.may))
  if (!allowed) return <ForbiddenState what="this page" actions={<WayHome />} />
  return (
    <div key={path} style={{ display: 'contents' }}>
      <WindowTitle title={page.title} />
      {children}
    </div>
  )
}

/** Rendered before the page, so that a title set by the page itself comes later and wins. */
function WindowTitle({ title }: { title: string }) {
  usePageTitle(title)
  return null
}
