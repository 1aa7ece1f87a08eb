/**
 * A walk through a list of work: the pages of its items in order, kept in this window until it is ended. It goes on after detours, such as the
 * page on which a save ends.
 */
import { useSyncExternalStore } from 'react'
import { z } from 'zod'
import { keepInTab, readInTab } from './forms/form-draft.ts'

const KEY = 'walk'
const walkSchema = z.object({
  title: z.string(),
  /** The page that the walk began on. */
  from: z.string(),
  items: z.array(z.object({ href: z.string(), label: z.string() })).min(1),
  /** The place of the item that was opened last. */
  at: z.int().nonnegative(),
})
export type Walk = z.infer<typeof walkSchema>
type WalkItem = Walk['items'][number]

let current: Walk | null | undefined
const listeners = new Set<() => void>()

/** Starts at an item. Items that lead to one page, such as findings of one bill, are one step. */
export function startWalk(walk: Pick<Walk, 'title' | 'from' | 'items'>, href: string): void {
  const items = walk.items.filter((item, place) => walk.items.findIndex((one) => one.href === item.href) === place)
  setWalk({ ...walk, items, at: Math.max(0, placeOf(items, href)) })
}

export function endWalk(): void {
  setWalk(null)
}

/** Says that the walk is at this item now. */
export function stepTo(at: number): void {
  const walk = walkNow()
  if (walk && walk.at !== at) setWalk({ ...walk, at })
}

export function useWalk(): Walk | null {
  return useSyncExternalStore(subscribe, walkNow)
}

/** Returns the place of the item that an address shows; -1 if it shows none. The address may have further parameters. */
export function placeOf(items: readonly WalkItem[], address: string): number {
  const shown = new URL(address, 'http://console')
  return items.findIndex(({ href }) => {
    const item = new URL(href, 'http://console')
    return item.pathname === shown.pathname && [...item.searchParams].every(([key, value]) => shown.searchParams.get(key) === value)
  })
}

function walkNow(): Walk | null {
  if (current === undefined) {
    const read = walkSchema.safeParse(readInTab(KEY))
    current = read.success ? read.data : null
  }
  return current
}

function setWalk(walk: Walk | null): void {
  current = walk
  keepInTab(KEY, walk)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
