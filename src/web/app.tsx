/** The routes of the console, created from the slices' lists of pages. */
import type { ComponentType } from 'react'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect, RouterProvider } from '@tanstack/react-router'
import { AppLink, usePath } from './kernel/navigation.tsx'
import type { PageRoute } from './kernel/page-route.ts'
import { accessQuery } from './kernel/permissions.tsx'
import { queryClient } from './kernel/query.ts'
import { scopeAt, scopeClientQuery } from './kernel/scope.ts'
import { pageRoutes, redirects } from './routes.ts'
import { NotFoundPage, PageFailure, PageFrame, BareShell, Shell } from './shell/shell.tsx'
import { LinkComponent } from './ui/link.tsx'

/** Milliseconds that a page's code may take to load before the old page is replaced by a skeleton. */
const PENDING_MS = 200

const root = createRootRoute({ component: Root, notFoundComponent: NotFoundPage })

const router = createRouter({
  routeTree: root.addChildren([...pageRoutes.map(pageRoute), ...redirects.map(redirectRoute)]),
  defaultErrorComponent: PageFailure,
  defaultPendingMs: PENDING_MS,
  scrollRestoration: true,
  // Query strings stay plain text in the address; each page reads its own parameters.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(
      Object.entries(search).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
    ).toString()
    return text ? `?${text}` : ''
  },
})

/**
 * Requests what the page at this address needs first, before anything is rendered: rights, the scoped client, the page's code and its rows. The
 * results go to the caches, where the page finds them; a failure occurs there again and is shown.
 */
export function askEarly({ pathname, search }: Location): void {
  const scope = scopeAt(pathname)
  void queryClient.prefetchQuery(accessQuery(scope))
  if (scope !== null) void queryClient.prefetchQuery(scopeClientQuery(scope))
  for (const page of pageRoutes) {
    const params = paramsAt(page.path, pathname)
    if (!params) continue
    page.page().catch(() => undefined)
    page.early?.({ params, search: Object.fromEntries(new URLSearchParams(search)) }).catch(() => undefined)
    return
  }
}

const barePaths: ReadonlySet<string> = new Set(pageRoutes.filter(({ bare }) => bare).map(({ path }) => path))

function Root() {
  const path = usePath()
  return barePaths.has(path) ? <BareShell /> : <Shell />
}

/** The whole console. */
export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <LinkComponent value={AppLink}>
        <RouterProvider router={router} />
      </LinkComponent>
    </QueryClientProvider>
  )
}

function pageRoute(page: PageRoute) {
  return createRoute({
    getParentRoute: () => root,
    path: routerPath(page.path),
    component: lazyRouteComponent(async () => ({ Page: framed(page, await page.page()) }), 'Page'),
  })
}

function redirectRoute({ from, to }: { from: string; to: string }) {
  return createRoute({
    getParentRoute: () => root,
    path: routerPath(from),
    beforeLoad: ({ params }) => {
      const given: Readonly<Record<string, unknown>> = params
      throw redirect({ href: to.replaceAll(/:(\w+)/g, (_, name: string) => String(given[name])), replace: true })
    },
  })
}

/** Wraps a page in its title and its right. */
function framed(page: PageRoute, Page: ComponentType): ComponentType {
  return function FramedPage() {
    return (
      <PageFrame page={page}>
        <Page />
      </PageFrame>
    )
  }
}

/** Returns the parameters of a path that matches a pattern such as `/clients/:client_id/bills`. */
function paramsAt(pattern: string, path: string): Record<string, string> | undefined {
  const [wanted, given] = [pattern.split('/'), path.split('/')]
  if (wanted.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [place, part] of wanted.entries()) {
    const value = given[place] ?? ''
    // Accepts only ids; other values are left to the router.
    if (part.startsWith(':') && /^[1-9]\d{0,15}$/.test(value)) params[part.slice(1)] = value
    else if (part !== value) return undefined
  }
  return params
}

/** Converts `/clients/:client_id` to the router's notation. */
function routerPath(path: string): string {
  return path.replaceAll(/:(\w+)/g, '$$$1')
}
