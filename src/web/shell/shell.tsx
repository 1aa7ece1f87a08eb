import { lazy, Suspense, useEffect, useRef, type ReactNode } from 'react'
import { Outlet } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { authCalls } from '#contract/access/auth.ts'
import { ApiProblem } from '../kernel/api-problem.ts'
import { AddNewHost } from '../kernel/forms/add-new.tsx'
import { startLive } from '../kernel/notices/live.ts'
import { useGo, usePath } from '../kernel/navigation.tsx'
import { useAccess, useAccessErrorNotice } from '../kernel/permissions.tsx'
import { applyPreferences, preferencesOf } from '../kernel/preferences.ts'
import { serviceErrorNotice } from '../kernel/notices/notices.ts'
import { ProofHost } from '../kernel/proof.tsx'
import { apiQuery } from '../kernel/query.ts'
import { WayHome } from '../kernel/record-gate.tsx'
import { useIdle } from '../kernel/use-idle.ts'
import { isOfAllClients, scopeOfPath, setScope, useScopeClient } from '../kernel/scope.ts'
import { ConfirmHost } from '../ui/dialogs/confirm-dialog.tsx'
import { NoticeStack } from '../ui/dialogs/notice-stack.tsx'
import { EmptyState, ErrorState, Skeleton } from '../ui/states.tsx'
import { usePaletteState } from './command-palette-state.ts'
import { ConnectionBanner } from './connection-banner.tsx'
import { Header } from './header.tsx'
import { MainMenu } from './main-menu.tsx'
import styles from './shell.module.css'
import { SidebarPlace } from './sidebar-place.tsx'
import { WalkBar } from './walk-bar.tsx'
import { useShellShortcuts } from './use-shell-shortcuts.ts'

export { NotFoundPage, PageFailure } from './page-failure.tsx'
export { PageFrame } from './page-frame.tsx'

const loadPalette = () => import('./command-palette.tsx')
const CommandPalette = lazy(() => loadPalette().then((module) => ({ default: module.CommandPalette })))
const Glossary = lazy(() => import('./glossary.tsx').then((module) => ({ default: module.Glossary })))
const ShellShortcutSheet = lazy(() => import('./shell-shortcut-sheet.tsx').then((module) => ({ default: module.ShellShortcutSheet })))

/** Surrounds every page with header, menu, sidebar, notices and dialogs; the page itself is rendered once the user's rights are loaded. */
export function Shell() {
  const { shown, open, close } = usePaletteState()
  const shortcuts = useShellShortcuts(open)
  useAccessErrorNotice()
  useScopeFromAddress()
  usePreferences()
  const idle = useIdle()
  useEffect(() => (idle ? startLive() : undefined), [idle])
  useEffect(() => void (idle && remember()), [idle])
  // Loaded before Ctrl-K is pressed; otherwise text typed right after it would be lost while the code loads.
  useEffect(() => void (idle && loadPalette().catch(() => undefined)), [idle])
  return (
    <div className={styles.shell}>
      <a href="#main" className={styles.skip}>
        Skip to the page
      </a>
      <Header onOpen={open} />
      <MainMenu />
      <ConnectionBanner />
      <WalkBar />
      <div className={styles.middle}>
        <SidebarPlace />
        <Main>
          <PageGate />
        </Main>
      </div>
      <Suspense>
        {shown === 'palette' && <CommandPalette open onClose={close} onOpen={open} />}
        {shown === 'glossary' && <Glossary onClose={close} />}
        {shown === 'shortcuts' && <ShellShortcutSheet onClose={close} shortcuts={shortcuts} />}
      </Suspense>
      <AddNewHost />
      <ConfirmHost />
      <ProofHost />
      <NoticeStack />
    </div>
  )
}

/** The frame of a page that fills a separate window: only the page. */
export function BareShell() {
  usePreferences()
  return (
    <main id="main" tabIndex={-1} className={styles.bare}>
      <PageGate />
    </main>
  )
}

/** Restores the notices from before a reload once the page is idle; if that fails, there are none. */
async function remember(): Promise<void> {
  try {
    const { rememberSaidNotices } = await import('../kernel/notices/said-notices.ts')
    rememberSaidNotices()
  } catch (error) {
    console.warn('what was said before could not be brought back', error)
  }
}

/** The page's container. After navigation it takes the focus, unless the page has taken it already. */
function Main({ children }: { children: ReactNode }) {
  const path = usePath()
  const main = useRef<HTMLElement>(null)
  const shown = useRef(path)
  useEffect(() => {
    if (shown.current !== path && document.activeElement === document.body) main.current?.focus({ preventScroll: true })
    shown.current = path
  }, [path])
  return (
    <main id="main" ref={main} tabIndex={-1} className={styles.main} data-scroll-restoration-id="main">
      {children}
    </main>
  )
}

/** Pages check rights while rendering, so none is rendered before the rights are loaded. */
function PageGate() {
  const { access, error, retry } = useAccess()
  const { client, id, error: clientError } = useScopeClient()
  const path = usePath()
  if (error && !access) return <AccessFailure error={error} retry={retry} />
  if (!access) return <PageSkeleton />
  // A scoped page waits for its client too; otherwise an inactive or foreign one would be visible for a moment.
  const scoped = scopeOfPath(path) !== null
  if (scoped && clientError instanceof ApiProblem && clientError.notFound) return <NoSuchClient />
  if (scoped && id !== null && !client && !clientError) return <PageSkeleton />
  return (
    <Suspense fallback={<PageSkeleton />}>
      <Outlet />
    </Suspense>
  )
}

function AccessFailure({ error, retry }: { error: Error; retry: () => void }) {
  const gone = error instanceof ApiProblem && error.notFound
  if (gone) return <NoSuchClient />
  return (
    <ErrorState
      title="Your rights could not be loaded"
      message={error.message}
      requestId={error instanceof ApiProblem ? error.requestId : undefined}
      onRetry={retry}
    />
  )
}

function NoSuchClient() {
  return (
    <EmptyState title="There is no such client" actions={<WayHome />}>
      It may have been deleted, or it is outside what you may see. Choose another client in the header.
    </EmptyState>
  )
}

function PageSkeleton() {
  return (
    <div className={styles.skeletonPage} role="status">
      <span className="sr-only">Loading</span>
      <Skeleton width={220} height={20} />
      <Skeleton width="80%" />
      <Skeleton width="70%" />
      <Skeleton width="75%" />
    </div>
  )
}

/** Keeps the scope that the address names, and goes to the landing page if the client is not active. */
function useScopeFromAddress(): void {
  const path = usePath()
  const go = useGo()
  const { client, error } = useScopeClient()
  const fromPath = scopeOfPath(path)
  useEffect(() => {
    if (fromPath !== null) setScope(fromPath)
  }, [fromPath])
  useEffect(() => {
    if (!client || client.active) return
    setScope(null)
    if (fromPath !== null) go('/landing', { replace: true })
  }, [client, fromPath, go])
  // A client that no longer exists must not stay the scope of other pages.
  const gone = error instanceof ApiProblem && (error.notFound || error.forbidden)
  useEffect(() => {
    if (fromPath === null && gone) setScope(null)
  }, [fromPath, gone])
  // Who is limited to clients has no admin menu, and would stand there without any.
  const isStaff = useAccess().access?.client_only_user === false
  const leaves = isStaff && isOfAllClients(path)
  useEffect(() => {
    if (leaves) setScope(null)
  }, [leaves])
  useScopeErrorNotice(error)
}

/**
 * Shows one notice if the scoped client could not be loaded, to the users who should see it. Those are known once the rights are loaded or
 * failed.
 */
function useScopeErrorNotice(error: Error | null): void {
  const { access, error: accessError } = useAccess()
  const said = useRef<Error | null>(null)
  const settled = access !== undefined || accessError !== null
  useEffect(() => {
    if (!error || !settled || said.current === error) return
    said.current = error
    // The rights in an unknown client are refused like the client itself, which was reported already.
    if (isSameRefusal(error, accessError)) return
    serviceErrorNotice(
      error,
      access?.roles.map((role) => role.name),
    )
  }, [error, settled, access, accessError])
}

function isSameRefusal(one: Error, other: Error | null): boolean {
  return one instanceof ApiProblem && other instanceof ApiProblem && one.status === other.status && one.statusText === other.statusText
}

/** Loads the profile once after signing in, when the page is idle, and applies its display preferences. */
function usePreferences(): void {
  const idle = useIdle()
  const { data } = useQuery({ ...apiQuery(authCalls.profile, {}), enabled: idle })
  useEffect(() => {
    if (data) applyPreferences(preferencesOf(data.user))
  }, [data])
}
