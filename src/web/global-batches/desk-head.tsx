import { useEffect, useRef } from 'react'
import { useQuery } from '@tanstack/react-query'
import { globalBatchCalls, type GlobalBatch, type GlobalBatchList } from '#contract/global-batches/global-batch.ts'
import { payTypes, payTypeTab, type PayType } from '#contract/global-batches/pay-type.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { apiQuery, refresh } from '../kernel/query.ts'
import { Tabs, type TabLink } from '../ui/page-header.tsx'

/** Interval (ms) at which the desk reloads, because other clerks batch the same bills. */
export const DESK_REFRESH_MS = 20_000

const today = '/global_batch/todays_batches'

export const todaysHref = (type?: string | null): string => (type ? `${today}/${encodeURIComponent(type)}` : today)
export const releasesHref = '/global_batch/releases'
export const releaseHref = (id: number): string => `${releasesHref}/${id}`
export const batchBillsHref = (id: number): string => `/global_batch/view/${id}/bills`

/** Returns counts and totals of today's batches, by type. */
export function useDesk() {
  const query = { today: 'true', with_rows: 'false' } as const
  return useQuery({ ...apiQuery(globalBatchCalls.list, { query }), refetchInterval: DESK_REFRESH_MS })
}

/** If today's batches have changed, another clerk has batched bills, so visible data is loaded again. */
function useDeskNews(desk: Pick<GlobalBatchList, 'counts' | 'totals' | 'all_total' | 'paid_total' | 'releases_waiting'> | undefined): void {
  const seen = useRef<string | undefined>(undefined)
  const state = desk && JSON.stringify([desk.counts, desk.totals, desk.all_total, desk.paid_total, desk.releases_waiting])
  useEffect(() => {
    if (state === undefined) return
    if (seen.current !== undefined && seen.current !== state)
      refresh('global_bills', 'global_batches', 'global_batch_bank_value', 'export_releases')
    seen.current = state
  }, [state])
}

export type DeskTab = 'unswept' | 'risk' | 'today' | 'bills' | 'releases' | PayType

/** The tabs of the global batch: unswept bills, today's batches of all types and of each type, and the open batch. */
export function DeskTabs({ tab, batch }: { tab: DeskTab; batch?: Pick<GlobalBatch, 'id'> | undefined }) {
  const { data: desk } = useDesk()
  useDeskNews(desk)
  const tabs: readonly (TabLink & { key: DeskTab })[] = [
    { key: 'unswept', label: 'Unswept Bills', href: '/global_batch', current: tab === 'unswept' },
    { key: 'risk', label: 'Risk Queue', href: '/global_batch/risk', current: tab === 'risk' },
    {
      key: 'today',
      label: 'Today’s Batches',
      href: todaysHref(),
      current: tab === 'today',
      count: figures(desk?.all_count, desk?.all_total),
    },
    ...payTypes.map((type) => ({
      key: type,
      label: payTypeTab(type),
      href: todaysHref(type),
      current: tab === type,
      count: figures(desk?.counts[type], desk?.totals[type]),
    })),
    ...(tab === 'releases' || (desk?.releases_waiting ?? 0) > 0
      ? [
          {
            key: 'releases' as const,
            label: 'Releases',
            href: releasesHref,
            current: tab === 'releases',
            count: desk?.releases_waiting ? desk.releases_waiting.toLocaleString('en-US') : undefined,
          },
        ]
      : []),
    ...(batch ? [{ key: 'bills' as const, label: 'Batch Bills', href: batchBillsHref(batch.id), current: tab === 'bills' }] : []),
  ]
  return <Tabs label="Global Batch" items={tabs} />
}

/** '14 · $80,112.00'; undefined if there is no batch. */
function figures(count: number | undefined, total: string | undefined): string | undefined {
  return count === undefined || count === 0 ? undefined : `${count.toLocaleString('en-US')} · ${formatMoney(total)}`
}

/** The title of a batch's pages: its date and total. */
export const batchTitle = (batch: Pick<GlobalBatch, 'batch_date' | 'batch_total'>): string =>
  `${formatDate(batch.batch_date)} · ${formatMoney(batch.batch_total)}`
