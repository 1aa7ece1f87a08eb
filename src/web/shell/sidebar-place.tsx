import { lazy, Suspense } from 'react'
import { useScopeId } from '../kernel/scope.ts'
import { useIdle } from '../kernel/use-idle.ts'
import styles from './sidebar.module.css'

const Sidebar = lazy(() => import('./sidebar.tsx').then((module) => ({ default: module.Sidebar })))

/** Reserves the sidebar's space while a client is scoped; its code and its list load after the page's own rows. */
export function SidebarPlace() {
  const clientId = useScopeId()
  const idle = useIdle()
  if (clientId === null) return null
  const room = <div className={styles.sidebar} />
  if (!idle) return room
  return (
    <Suspense fallback={room}>
      <Sidebar />
    </Suspense>
  )
}
