/** The place that a viewer shows, and how it follows marks and hits. */
import { useEffect, useEffectEvent, useMemo, type ReactNode } from 'react'
import type { DocumentMark } from './document-sheet.tsx'
import type { DocumentSource, OpenDocument } from './use-document.ts'
import type { TextSearch } from './use-text-search.ts'
import type { Zoom } from './zoom.ts'

export interface DocumentViewerProps {
  readonly source: DocumentSource
  readonly name: string
  readonly contentType: string
  /** The relevant pages of the file; all by default. */
  readonly pages?: { readonly from: number; readonly to: number } | undefined
  readonly marks?: readonly DocumentMark[] | undefined
  /** The mark that is shown and scrolled to. */
  readonly activeMark?: string | null | undefined
  readonly onPickMark?: ((id: string) => void) | undefined
  readonly zoom: Zoom
  readonly onZoom: (zoom: Zoom) => void
  /** Further buttons at the end of the bar. */
  readonly tools?: ReactNode
  readonly className?: string | undefined
}

export type Opened = Extract<OpenDocument, { readonly pages: unknown }>

export function useShownPages(document: Opened, range: DocumentViewerProps['pages']): readonly number[] {
  const { length } = document.pages
  const from = Math.max(1, range?.from ?? 1)
  const to = Math.min(length, range?.to ?? length)
  return useMemo(() => Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at), [from, to])
}

export function sizeAt(document: Opened, number: number, quarters: number): { width: number; height: number } {
  const { width, height } = document.pages[number - 1] ?? { width: 612, height: 792 }
  return quarters % 2 === 0 ? { width, height } : { width: height, height: width }
}

/** Returns the first page that ends below the upper third of the window; `otherwise` if there is none. */
export function pageInSight(scroller: HTMLElement | null, otherwise: number): number {
  if (!scroller) return otherwise
  const middle = scroller.getBoundingClientRect().top + scroller.clientHeight / 3
  const shown = [...scroller.querySelectorAll('[data-page]')].find((sheet) => sheet.getBoundingClientRect().bottom >= middle)
  return Number(shown?.getAttribute('data-page') ?? otherwise)
}

/** Keeps the middle of the window in place when the zoom changes. */
export function useKeptPlace(scroller: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    const element = scroller.current
    const first = element?.querySelector('[data-page]')
    if (!element || !first) return undefined
    let middle = { across: 0.5, down: 0 }
    const note = () => {
      middle = {
        across: (element.scrollLeft + element.clientWidth / 2) / element.scrollWidth,
        down: element.scrollTop === 0 ? 0 : (element.scrollTop + element.clientHeight / 2) / element.scrollHeight,
      }
    }
    const restore = () => {
      const left = middle.across * element.scrollWidth - element.clientWidth / 2
      const top = middle.down * element.scrollHeight - element.clientHeight / 2
      element.scrollTo({ left, ...(middle.down > 0 ? { top } : {}), behavior: 'instant' })
    }
    const watch = new ResizeObserver(restore)
    watch.observe(first)
    element.addEventListener('scroll', note)
    return () => {
      watch.disconnect()
      element.removeEventListener('scroll', note)
    }
  }, [scroller])
}

export function useShownMark(scroller: { readonly current: HTMLElement | null }, id: string | null, marks: readonly DocumentMark[]): void {
  const mark = marks.find((one) => one.id === id)
  const place = mark && `${mark.id} ${mark.page} ${mark.x} ${mark.y}`
  const show = useEffectEvent(() => {
    if (!mark) return
    const found = [...(scroller.current?.querySelectorAll('[data-mark]') ?? [])].find((one) => one.getAttribute('data-mark') === mark.id)
    found?.scrollIntoView({ block: 'center', inline: 'center' })
  })
  useEffect(() => {
    if (place !== undefined) show()
  }, [place])
}

export function useShownHit(scroller: { readonly current: HTMLElement | null }, { at, hits }: TextSearch): void {
  const hit = hits[at]
  useEffect(() => {
    if (hit) scroller.current?.querySelector(`[data-hit="${at}"]`)?.scrollIntoView({ block: 'center', inline: 'center' })
  }, [scroller, hit, at])
}
