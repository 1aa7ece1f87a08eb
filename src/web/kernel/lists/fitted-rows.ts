/**
 * Lists whose pages have as many rows as the screen: a choice of this browser, for all lists. How many rows fit is remembered for each list, so
 * that its first request already asks for them.
 */
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore, type RefObject } from 'react'
import { useRowHeight } from '../../ui/grid/use-row-height.ts'

const KEY = 'fitted_rows'
const FEWEST = 5
const MOST = 200
/** Room (px) below the list. */
const BELOW = 12
const listeners = new Set<() => void>()

/** Returns the rows of a page where the address names no number: what fits, if that is chosen, else the list's own number. */
export function fittedOr(list: string, perDefault: number): number {
  return remembered()?.get(list) ?? perDefault
}

export interface Fit {
  readonly isOn: boolean
  /** Rows of a page where the address names no number. */
  readonly per: number
  readonly set: (on: boolean) => void
  /** Measures again; for the list's section. */
  readonly measure: (section: HTMLElement | null, rowHeight: number) => void
}

/** Returns how many rows a page of the list has. */
export function useFit(list: string, perDefault: number): Fit {
  const isOn = useSyncExternalStore(subscribe, isFitted)
  const [rows, setRows] = useState<number | undefined>(() => remembered()?.get(list))
  const measure = (section: HTMLElement | null, rowHeight: number) => {
    const fitting = isOn && section ? rowsThatFit(section, rowHeight) : undefined
    if (fitting === undefined || fitting === rows) return
    remember(new Map([...(remembered() ?? []), [list, fitting]]))
    setRows(fitting)
  }
  return { isOn, per: isOn ? (rows ?? perDefault) : perDefault, set: turn, measure }
}

/** Measures after each change of the list and of the window. */
export function useMeasuredFit({ isOn, measure }: Fit): RefObject<HTMLElement | null> {
  const section = useRef<HTMLElement>(null)
  const rowHeight = useRowHeight()
  const again = useEffectEvent(() => isOn && measure(section.current, rowHeight))
  useEffect(() => void again())
  useEffect(() => {
    const changed = () => again()
    addEventListener('resize', changed)
    return () => removeEventListener('resize', changed)
  }, [])
  return section
}

function rowsThatFit(section: HTMLElement, rowHeight: number): number | undefined {
  const grid = section.querySelector('[role="grid"]')
  const frame = grid?.parentElement
  const body = grid?.querySelector('[role="rowgroup"]:nth-of-type(2)')
  // While rows are on their way, other things stand in their place.
  if (!grid || !frame || !body) return undefined
  const around = frame.offsetHeight - Math.min(grid.clientHeight, grid.scrollHeight) + grid.scrollHeight - body.clientHeight
  const scrolled = section.closest('main')?.scrollTop ?? 0
  return bounded((innerHeight - frame.getBoundingClientRect().top - scrolled - around - BELOW) / heightOf(body, rowHeight))
}

/** Cards are higher than lines, and each as high as its text. */
function heightOf(body: Element, rowHeight: number): number {
  const row = body.querySelector('[data-part=card]')
  return row instanceof HTMLElement ? row.offsetHeight : rowHeight
}

function isFitted(): boolean {
  return remembered() !== undefined
}

/** Returns the rows by list; undefined where nothing is chosen. Text that this code has not written counts as no list. */
function remembered(): ReadonlyMap<string, number> | undefined {
  const text = localStorage.getItem(KEY)
  if (text === null) return undefined
  return new Map(new URLSearchParams(text).entries().map(([list, rows]) => [list, bounded(Number(rows) || FEWEST)]))
}

function bounded(rows: number): number {
  return Math.min(MOST, Math.max(FEWEST, Math.floor(rows)))
}

function remember(rows: ReadonlyMap<string, number>): void {
  localStorage.setItem(KEY, new URLSearchParams([...rows].map(([list, count]) => [list, String(count)])).toString())
}

function turn(on: boolean): void {
  if (on) remember(remembered() ?? new Map())
  else localStorage.removeItem(KEY)
  for (const listener of listeners) listener()
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed)
  return () => listeners.delete(changed)
}
