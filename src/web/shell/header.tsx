import { lazy, Suspense } from 'react'
import { FilterX, Search, SearchCode } from 'lucide-react'
import { usePath } from '../kernel/navigation.tsx'
import { Can, useAccess } from '../kernel/permissions.tsx'
import { useScopeClient } from '../kernel/scope.ts'
import { useIdle } from '../kernel/use-idle.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { KeyHint } from '../ui/key-hint.tsx'
import { UiLink } from '../ui/link.tsx'
import { Bell } from './bell.tsx'
import { ClientPicker } from './client-picker.tsx'
import type { Overlay } from './command-palette-state.ts'
import { Logo } from './logo.tsx'
import { SettingsPopover } from './settings-popover.tsx'
import styles from './shell.module.css'

// The first load is measured by a list's first rows, which do not need this code.
const Jobs = lazy(() => import('./jobs.tsx').then((module) => ({ default: module.Jobs })))

/** The header of every page. */
export function Header({ onOpen }: { onOpen: (what: Overlay) => void }) {
  const { id, client } = useScopeClient()
  const { access } = useAccess()
  return (
    <header className={styles.header}>
      <UiLink href="/" className={styles.logoLink}>
        <Logo clientUrl={client?.file_url} clientName={client?.name} partnerUrl={access?.partner_logo_url} />
      </UiLink>
      <ClientPicker />
      <span className={styles.gap} />
      <Button kind="default" className={styles.searchButton ?? ''} onClick={() => onOpen('palette')} title="Search pages and records">
        <Search size={14} aria-hidden="true" />
        <span className={styles.wide}>Search</span>
        <span className={styles.wide}>
          <KeyHint keys="mod+k" />
        </span>
      </Button>
      <Can do="advanced_search.read">
        <UiLink href={id === null ? '/advanced_search' : `/clients/${id}/advanced_search`} className={cx(styles.headerLink, styles.roomy)}>
          <SearchCode size={15} aria-hidden="true" />
          <span className={styles.wide}>Advanced Search</span>
        </UiLink>
      </Can>
      <ClearFilters />
      <LateJobs />
      <Bell />
      <SettingsPopover onOpen={onOpen} />
    </header>
  )
}

/** Loads the tray when the page is idle; its space is reserved. */
function LateJobs() {
  const idle = useIdle()
  const place = <span className={styles.jobsPlace} />
  return idle ? (
    <Suspense fallback={place}>
      <Jobs />
    </Suspense>
  ) : (
    place
  )
}

/** Reloads the page without filters, sort or page in its address. */
function ClearFilters() {
  const path = usePath()
  return (
    <a
      href={path}
      className={cx(styles.headerLink, styles.roomy)}
      title="Reload this page without its filters"
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        location.replace(path)
      }}
    >
      <FilterX size={15} aria-hidden="true" />
      <span className={styles.wide}>Clear Filters</span>
    </a>
  )
}
