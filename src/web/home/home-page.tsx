import { useEffect } from 'react'
import { messages } from '../kernel/notices/messages.ts'
import { useGo, usePathId } from '../kernel/navigation.tsx'
import { usePageTitle } from '../kernel/page-title.ts'
import { useAccess } from '../kernel/permissions.tsx'
import { useScopeId } from '../kernel/scope.ts'
import { ClientTabs } from '../clients/clients.ts'
import { DayWork } from './day-work.tsx'
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
    // A link from here to a page of a client changes the scope before that page is shown: then nobody arrives here.
    if (href && location.pathname === '/') go(href, { replace: true })
  }, [href, go])
  return href ? null : <SelectClient />
}

/** `/landing`, the console's landing page. */
export function LandingPage() {
  usePageTitle('Welcome')
  return <SelectClient />
}

/** `/clients/:client_id/home`, beside the client's dashboard: what waits for the reader at this client. */
export function ClientHome() {
  const clientId = usePathId('client_id')
  return (
    <>
      <ClientTabs clientId={clientId} />
      <div className={styles.home}>
        <h1 className="sr-only">Today</h1>
        <DayWork clientId={clientId} />
      </div>
    </>
  )
}

function SelectClient() {
  return (
    <div className={styles.home}>
      <h1 className={styles.text}>{messages.select_client_from_dropdown}</h1>
      <DayWork clientId={undefined} />
    </div>
  )
}
