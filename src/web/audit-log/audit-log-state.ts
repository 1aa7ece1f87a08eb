/** The audit log's state is in its address, so that it can be sent to a colleague and survives a reload. */
import { useMemo } from 'react'
import { auditFilters, auditPageSize, type AuditFilters } from '#contract/audit-log/audit-log.ts'
import { pageSizeMax } from '#contract/kernel/query.ts'
import { useGo, usePath, useSearchText, withSearch } from '../kernel/navigation.tsx'

export type FilterName = keyof AuditFilters
export type FilterTexts = { readonly [K in FilterName]?: string | undefined }

export interface AuditLogState {
  readonly page: number
  readonly per: number
  /** The filters in the address. */
  readonly texts: FilterTexts
  /** The filters in the form of the call; invalid values are left out. */
  readonly filters: AuditFilters
  readonly setPage: (page: number) => void
  readonly setPer: (per: number) => void
  readonly setFilters: (changes: FilterTexts) => void
  readonly reset: () => void
}

/** Filters that name a record of the chosen client, and are cleared with it. */
export const placeFilters = ['division_id', 'facility_id', 'billable_account_id', 'supply_account_id'] as const
const filterNames = Object.keys(auditFilters.shape)

export function useAuditLogState(): AuditLogState {
  const search = useSearchText()
  const path = usePath()
  const go = useGo()
  return useMemo(() => {
    const page = whole(search['page'], 1_000_000) ?? 1
    const per = whole(search['per'], pageSizeMax) ?? auditPageSize
    const texts: FilterTexts = Object.fromEntries(
      Object.entries(search).filter(([name, value]) => filterNames.includes(name) && value !== ''),
    )
    const write = (next: { page?: number; per?: number; texts?: FilterTexts }, replace: boolean) => {
      const shown = { page, per, texts, ...next }
      const address = {
        ...shown.texts,
        page: shown.page === 1 ? undefined : shown.page,
        per: shown.per === auditPageSize ? undefined : shown.per,
      }
      go(withSearch(path, address), { replace, resetScroll: false })
    }
    return {
      page,
      per,
      texts,
      filters: filtersOf(texts),
      setPage: (to) => write({ page: to }, false),
      setPer: (to) => write({ per: to, page: 1 }, false),
      setFilters: (changes) => write({ texts: { ...texts, ...changes }, page: 1 }, true),
      reset: () => write({ texts: {}, page: 1 }, true),
    }
  }, [search, path, go])
}

/** Validates each filter separately, so that an invalid one does not remove the others. */
function filtersOf(texts: FilterTexts): AuditFilters {
  const good = Object.entries(texts).filter(([name, value]) => auditFilters.safeParse({ [name]: value }).success)
  return auditFilters.parse(Object.fromEntries(good))
}

function whole(text: string | undefined, max: number): number | undefined {
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Math.min(Number(text), max) : undefined
}
