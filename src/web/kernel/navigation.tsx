/** Addresses as plain text: the console's pages link by href and read their query string, so that a slice needs no route object. */
import { useCallback, useMemo, useState, type MouseEvent } from 'react'
import { rootRouteId, useLocation, useMatch, useParams, useRouter } from '@tanstack/react-router'
import type { UiLinkProps } from '../ui/link.tsx'
import { openFile } from './open-file.ts'

export type Go = (href: string, options?: { replace?: boolean; resetScroll?: boolean }) => void

/** A link that changes the page without a reload, and loads the page's code as soon as the pointer is over it. */
export function AppLink({ href, onClick, onPointerEnter, onFocus, children, ...rest }: UiLinkProps) {
  const router = useRouter()
  const inside = isPage(href)
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (event.defaultPrevented || rest.target || rest.download !== undefined) return
    if (href.startsWith('/api/')) {
      event.preventDefault()
      void openFile(href)
    } else if (inside && !isForBrowser(event)) {
      event.preventDefault()
      void router.navigate({ href })
    }
  }
  const preload = () => inside && void router.preloadRoute({ to: href.replace(/[?#].*$/, '') }).catch(() => undefined)
  return (
    <a
      {...rest}
      href={href}
      onClick={follow}
      onPointerEnter={(event) => {
        onPointerEnter?.(event)
        preload()
      }}
      onFocus={(event) => {
        onFocus?.(event)
        preload()
      }}
    >
      {children}
    </a>
  )
}

/** Returns a function that navigates to an address of the console. */
export function useGo(): Go {
  const router = useRouter()
  return useCallback((href, { replace = false, resetScroll = true } = {}) => void router.navigate({ href, replace, resetScroll }), [router])
}

/** Returns the path of the page without the query string. */
export function usePath(): string {
  return useOwnAddress().split('?', 1)[0] ?? ''
}

/** Returns the query parameters by name. */
export function useSearchText(): Readonly<Record<string, string>> {
  const address = useOwnAddress()
  return useMemo(() => Object.fromEntries(new URLSearchParams(address.split('?', 2)[1] ?? '')), [address])
}

/**
 * Returns the address of the calling page. While the next page loads, the one still shown keeps its own address; otherwise a list would send
 * requests for another page's parameters. Components around the pages, such as menus, follow at once.
 */
function useOwnAddress(): string {
  const now = useLocation({ select: ({ pathname, searchStr }) => pathname + searchStr })
  const page = useMatch({ strict: false, select: ({ routeId, pathname }) => (routeId === rootRouteId ? null : pathname) })
  const [own, setOwn] = useState(now)
  const isOwn = page === null || plainPath(page) === plainPath(now)
  if (isOwn && own !== now) setOwn(now)
  return isOwn ? now : own
}

/** Removes the query string and the trailing slash. */
function plainPath(address: string): string {
  return (address.split('?', 1)[0] ?? '').replace(/(.)\/$/, '$1')
}

/** Returns a number of the path: `usePathId('client_id')` under /clients/:client_id. Throws if the page's path has no such parameter. */
export function usePathId(name: string): number {
  const id = useOptionalPathId(name)
  if (id === undefined) throw new Error(`the path of this page has no ${name}`)
  return id
}

export function useOptionalPathId(name: string): number | undefined {
  const params: Readonly<Record<string, unknown>> = useParams({ strict: false })
  const value = params[name]
  return isId(value) ? Number(value) : undefined
}

/** Whether the address has something other than an id in place of one: /services/0/edit. */
export function useHasBadId(): boolean {
  const params: Readonly<Record<string, unknown>> = useParams({ strict: false })
  return Object.entries(params).some(([name, value]) => /(^|_)id$/.test(name) && !isId(value))
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[1-9]\d{0,15}$/.test(value)
}

/** Returns an address with its query string, without empty values. */
export function withSearch(path: string, search: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(search).flatMap(([key, value]) => (value === undefined || value === '' ? [] : [[key, String(value)]]))
  const text = new URLSearchParams(given).toString()
  return text ? `${path}?${text}` : path
}

/** Whether an address is a page of the console, and not a file of the API or another site. */
function isPage(href: string): boolean {
  return href.startsWith('/') && !href.startsWith('//') && !href.startsWith('/api/')
}

/** The browser handles new tabs, new windows and downloads. */
function isForBrowser(event: MouseEvent): boolean {
  return event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
}
