import { useEffect } from 'react'
import { messages } from '../kernel/notices/messages.ts'
import { useGo } from '../kernel/navigation.tsx'
import { usePageTitle } from '../kernel/page-title.ts'
import { Can, useAccess } from '../kernel/permissions.tsx'
import { useScopeId } from '../kernel/scope.ts'
import { ExceptionsFirst } from '../exceptions/exceptions.ts'
import { firstSectionOf, landingOf } from './landing.ts'
import styles from './home.module.css'

/** `/`: the admin home, or a redirect to the scoped client's home, or to the first page that the user may read. */
export function HomePage() {
  const go = useGo()
  const scopeId = useScopeId()
  const { access } = useAccess()
  const landing = access && landingOf(access)
  const href = access && scopeId !== null ? firstSectionOf(scopeId, access.permissions) : landing?.kind === 'go' ? landing.href : null
  usePageTitle('Home')
  useEffect(() => {
    if (href) go(href, { replace: true })
  }, [href, go])
  return href ? null : <SelectClient />
}

/** `/landing`, the console's landing page. */
export function LandingPage() {
  usePageTitle('Welcome')
  return <SelectClient />
}

function SelectClient() {
  return (
    <div className={styles.home}>
      <h1 className={styles.text}>{messages.select_client_from_dropdown}</h1>
      <Can do="bill.read">
        <ExceptionsFirst />
      </Can>
    </div>
  )
}
