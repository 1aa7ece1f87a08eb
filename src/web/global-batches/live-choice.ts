/**
 * The desk's selection checked against the server: its bills are as the server has them now, and bills that others have batched meanwhile no
 * longer count, but are shown until the user takes them out.
 */
import { useMemo } from 'react'
import { useQueries } from '@tanstack/react-query'
import { globalBillCalls, type GlobalBill } from '#contract/global-batches/global-bill.ts'
import { apiQuery } from '../kernel/query.ts'
import { totalOf, useChoice, type Choice } from './chosen-bills.ts'
import { refusalOf } from './desk-columns.tsx'
import { DESK_REFRESH_MS } from './desk-head.tsx'
import { ownWords } from './words.ts'

/** Ids per request, so that the address stays short enough for every proxy. */
const CHUNK = 200

export interface LiveChoice {
  readonly choice: Choice
  /** Ids of all selected bills, including lost ones. */
  readonly ids: ReadonlySet<number>
  /** All selected bills, as they are now; lost ones as they were chosen. */
  readonly rows: readonly GlobalBill[]
  /** The selected bills that can be batched. */
  readonly bills: readonly GlobalBill[]
  /** Why a selected bill can no longer be batched, by bill id. */
  readonly lost: ReadonlyMap<number, string>
  /** The total of the bills that can be batched. */
  readonly total: string
}

export function useLiveChoice(key: string): LiveChoice {
  const { choice, ids } = useChoice(key)
  const found = useQueries({
    queries: chunksOf(choice.bills).map((chunk) => ({
      ...apiQuery(globalBillCalls.list, { query: { q: { id_in: chunk }, per: CHUNK, with_total: 'false' } }),
      refetchInterval: DESK_REFRESH_MS,
    })),
    combine: foundIn,
  })
  return useMemo(() => {
    const lost = lostOf(choice.bills, found)
    const fresh = new Map(found.flatMap((answer) => answer ?? []).map((bill) => [bill.id, bill]))
    const rows = choice.bills.map((bill) => fresh.get(bill.id) ?? bill)
    const bills = rows.filter(({ id }) => !lost.has(id))
    return { choice, ids, rows, bills, lost, total: totalOf(choice, bills) }
  }, [choice, ids, found])
}

type Found = readonly GlobalBill[] | null

/** Returns the still unswept bills of each chunk; null while the response is pending. Equal responses give the identical array. */
function foundIn(answers: readonly { readonly data: { readonly bills: readonly GlobalBill[] } | undefined }[]): readonly Found[] {
  return answers.map(({ data }) => data?.bills ?? null)
}

function lostOf(bills: readonly GlobalBill[], found: readonly Found[]): ReadonlyMap<number, string> {
  const lost = new Map<number, string>()
  for (const [place, chunk] of chunksOf(bills).entries()) {
    const answer = found[place]
    if (!answer) continue
    const reasons = new Map(answer.map((bill) => [bill.id, refusalOf(bill) ?? null]))
    for (const id of chunk) {
      const reason = reasons.get(id)
      if (reason === undefined) lost.set(id, ownWords.gone)
      else if (reason !== null) lost.set(id, reason)
    }
  }
  return lost
}

function chunksOf(bills: readonly GlobalBill[]): number[][] {
  const ids = bills.map(({ id }) => id).toSorted((one, other) => one - other)
  return Array.from({ length: Math.ceil(ids.length / CHUNK) }, (_, place) => ids.slice(place * CHUNK, (place + 1) * CHUNK))
}
