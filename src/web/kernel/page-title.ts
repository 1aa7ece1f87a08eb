import { useEffect } from 'react'
import { hereAddress } from './credentials.ts'

const PRODUCT = 'Meterbook'
const KEY = 'recent_pages'
/** Number of pages that the palette remembers. */
const RECENT_LIMIT = 12

export interface RecentPage {
  readonly title: string
  readonly href: string
}

/** Sets the window's title to the page's, and adds the page to the recent ones of this tab. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    if (!title) return
    document.title = `${title} · ${PRODUCT}`
    const href = hereAddress()
    const kept = [{ title, href }, ...recentPages().filter((page) => pathOf(page.href) !== pathOf(href))].slice(0, RECENT_LIMIT)
    sessionStorage.setItem(KEY, JSON.stringify(kept))
  }, [title])
}

/** Returns the pages visited in this tab, latest first. */
export function recentPages(): readonly RecentPage[] {
  const text = sessionStorage.getItem(KEY)
  const kept: unknown = text ? JSON.parse(text) : []
  return Array.isArray(kept) ? kept.filter(isPage) : []
}

function isPage(value: unknown): value is RecentPage {
  return (
    typeof value === 'object' &&
    value !== null &&
    'title' in value &&
    'href' in value &&
    typeof value.title === 'string' &&
    typeof value.href === 'string'
  )
}

function pathOf(href: string): string {
  return href.replace(/[?#].*$/, '')
}
