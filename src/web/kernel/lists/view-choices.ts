/** Which views a person has pinned beside a list's title, and in which one the list opens: settings of that person for that list. */
import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { listLayoutCalls } from '#contract/list-layouts/list-layout.ts'
import { callApi } from '../api.ts'
import { apiQuery, queryClient } from '../query.ts'

const choices = z.object({ pinned: z.array(z.int()), start: z.int().nullable() })
export type ViewChoices = z.infer<typeof choices>

const nothing: ViewChoices = { pinned: [], start: null }

/** Browsers remember which lists open in a view, so that these lists ask for it before their first rows, and the others do not. */
const KEY = 'lists_with_start'

export function opensInView(list: string): boolean {
  return remembered().includes(list)
}

export function useViewChoices(list: string, enabled: boolean): { choices: ViewChoices; isPending: boolean } {
  const { data, isPending } = useQuery({ ...queryOf(list), enabled })
  const read = choices.safeParse(data?.layout)
  return { choices: read.success ? read.data : nothing, isPending }
}

/** Keeps them on the server; a failure is thrown, and then nothing has changed. */
export async function keepViewChoices(list: string, next: ViewChoices): Promise<void> {
  await callApi(listLayoutCalls.put, { params: { list: nameOf(list) }, body: { layout: { ...next } } })
  queryClient.setQueryData(queryOf(list).queryKey, { layout: { ...next } })
  const others = remembered().filter((one) => one !== list)
  localStorage.setItem(KEY, (next.start === null ? others : [...others, list]).join(' '))
}

function remembered(): readonly string[] {
  return (localStorage.getItem(KEY) ?? '').split(' ')
}

function queryOf(list: string) {
  return { ...apiQuery(listLayoutCalls.get, { params: { list: nameOf(list) } }), staleTime: Number.POSITIVE_INFINITY }
}

/** A name of its own, so that Reset of the columns leaves the views alone. */
function nameOf(list: string): string {
  return `${list}-views`
}
