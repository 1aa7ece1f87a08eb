/** The routes of the console, made from the slices' tables of pages. */
import type { ComponentType } from 'react'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect, RouterProvider } from '@tanstack/react-router'
import { AppLink } from './kernel/navigation.tsx'
import type { PageRoute } from './kernel/page-route.ts'
import { queryClient } from './kernel/query.ts'
import { pageRoutes, redirects } from './routes.ts'
import { NotFoundPage, PageFailure } from './shell/page-failure.tsx'
import { PageFrame } from './shell/page-frame.tsx'
import { Shell } from './shell/shell.tsx'
import { LinkComponent } from './ui/link.tsx'

/** Milliseconds that a page's code may take before the page it leaves gives way to a skeleton. */
const PENDING_MS = 200

const root = createRootRoute({ component: Shell, notFoundComponent: NotFoundPage })

const router = createRouter({
  routeTree: root.addChildren([...pageRoutes.map(pageRoute), ...redirects.map(redirectRoute)]),
  defaultErrorComponent: PageFailure,
  defaultPendingMs: PENDING_MS,
  scrollRestoration: true,
  // Search texts stay plain text in the address: each page reads its own names from it.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(
      Object.entries(search).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
    ).toString()
    return text ? `?${text}` : ''
  },
})

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

/** The page within what holds for every page: its title, and its right. */
function framed(page: PageRoute, Page: ComponentType): ComponentType {
  return function FramedPage() {
    return (
      <PageFrame page={page}>
        <Page />
      </PageFrame>
    )
  }
}

/** `/clients/:client_id` as the router writes it. */
function routerPath(path: string): string {
  return path.replaceAll(/:(\w+)/g, '$$$1')
}
