/** The user's layout of a list's columns, saved on the server only after an actual change. */
import { useCallback } from 'react'
import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { listLayoutCalls } from '#contract/list-layouts/list-layout.ts'
import type { GridLayout } from '../../ui/grid/grid-types.ts'
import { callApi } from '../api.ts'
import { problemNotice } from '../notices/notices.ts'
import { apiQuery, queryClient } from '../query.ts'

const layoutSchema = z.object({
  order: z.array(z.string()),
  hidden: z.array(z.string()),
  pinned: z.array(z.string()),
  widths: z.record(z.string(), z.number()),
})

/** Changes are saved after this pause (ms), because dragging a column's edge makes dozens. */
const SAVE_PAUSE_MS = 600
const waiting = new Map<string, ReturnType<typeof setTimeout>>()

export interface LayoutState {
  readonly layout: GridLayout | null
  /** Whether the layout is known; a list shows its columns only then, because they would jump otherwise. */
  readonly ready: boolean
  /** Saves the layout; null means Reset and deletes the stored one. */
  readonly save: (layout: GridLayout | null) => void
}

export function useListLayout(list: string): LayoutState {
  const { data, isPending } = useQuery(layoutQuery(list))
  const save = useCallback(
    (layout: GridLayout | null) => {
      queryClient.setQueryData(apiQuery(listLayoutCalls.get, { params: { list } }).queryKey, {
        layout: layout === null ? null : { ...layout },
      })
      clearTimeout(waiting.get(list))
      waiting.set(
        list,
        setTimeout(() => void send(list, layout), layout === null ? 0 : SAVE_PAUSE_MS),
      )
    },
    [list],
  )
  return { layout: readLayout(data?.layout), ready: !isPending, save }
}

export function layoutQuery(list: string) {
  return { ...apiQuery(listLayoutCalls.get, { params: { list } }), staleTime: Number.POSITIVE_INFINITY }
}

/** Reads a stored layout; one that an older console wrote in another shape is ignored. */
export function readLayout(stored: unknown): GridLayout | null {
  const read = layoutSchema.safeParse(stored)
  return read.success ? read.data : null
}

async function send(list: string, layout: GridLayout | null): Promise<void> {
  try {
    if (layout === null) await callApi(listLayoutCalls.destroy, { params: { list } })
    else await callApi(listLayoutCalls.put, { params: { list }, body: { layout: { ...layout } } })
  } catch (error) {
    problemNotice(error)
  }
}
