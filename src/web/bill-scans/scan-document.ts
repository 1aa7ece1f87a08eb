/** An inbox document beside the bill form: its file and its reading. */
import { useQuery } from '@tanstack/react-query'
import { billScan, type BillScan, type StackPart } from '#contract/bill-scans/bill-scan.ts'
import { billScanCalls } from '#contract/bill-scans/bill-scan-calls.ts'
import { callApi } from '../kernel/api.ts'
import { readListState } from '../kernel/lists/list-state.ts'
import { withSearch } from '../kernel/navigation.tsx'
import { apiQuery } from '../kernel/query.ts'
import { wireFilters } from '../kernel/lists/wire-filters.ts'
import type { PaneDocument } from '../document-pane/document-pane.tsx'

/** The file's address is valid for five minutes; a viewer downloads the file at once. */
const ADDRESS_FRESH_MS = 240_000

export function useScanFile({ client_id, id }: Pick<BillScan, 'id' | 'client_id'>) {
  return useQuery({
    ...apiQuery(billScanCalls.file, { params: { client_id, id }, query: { inline: 'true' } }),
    staleTime: ADDRESS_FRESH_MS,
    gcTime: ADDRESS_FRESH_MS,
  })
}

/** Loads the document and its reading; `scan_id` in the address names it. */
export function useScan(clientId: number, scanId: number) {
  const params = { client_id: clientId, id: scanId }
  const asked = useQuery({
    ...apiQuery(billScanCalls.get, { params }),
    refetchInterval: ({ state }) => (isBeingRead(state.data?.bill_scan) ? 1_500 : false),
  })
  const file = useQuery({
    ...apiQuery(billScanCalls.file, { params, query: { inline: 'true' } }),
    staleTime: ADDRESS_FRESH_MS,
    gcTime: ADDRESS_FRESH_MS,
  })
  const data = asked.data && file.data && { ...asked.data, document: paneDocument(asked.data.bill_scan, file.data.url) }
  return { data, error: asked.error ?? file.error, refetch: () => void Promise.all([asked.refetch(), file.refetch()]) }
}

function isBeingRead(scan: BillScan | undefined): boolean {
  return scan?.state === 'waiting' || scan?.state === 'reading'
}

function paneDocument(scan: BillScan, url: string): PaneDocument {
  const { id, filename, content_type, cut_from, cut_to } = scan
  const pages = cut_from === null || cut_to === null ? undefined : { from: cut_from, to: cut_to }
  // A part becomes another document once its pages are cut out.
  return { key: `scan ${id} ${cut_from ?? ''}`, name: filename ?? 'Document', contentType: content_type ?? '', source: url, pages }
}

/** Maximum number of waiting documents that are loaded in the list's order. */
const ORDER_MAX = 200

/** Returns the path at which a document is entered, with the list that it was opened from. */
export function entryHref(clientId: number, scanId: number, list: string): string {
  return withSearch(`/clients/${clientId}/bills/new`, { scan_id: scanId, ...(list === '' ? {} : { list }) })
}

/** Returns the path at which a document is split and its bills are listed. */
export function splitHref(clientId: number, scanId: number, list: string): string {
  return withSearch(`/clients/${clientId}/bills/inbox/${scanId}/split`, list === '' ? {} : { list })
}

/** Returns the ids in the list's order at the time the document was opened, so that the next one is known once this one is gone. */
export function useListOrder(clientId: number, list: string) {
  return useQuery({ ...apiQuery(billScanCalls.list, orderOf(clientId, list)), staleTime: Infinity }).data?.bill_scans.map(({ id }) => id)
}

/**
 * Returns the document to enter next: the next open bill of the same file, else the next of the list, else the first of the list. Null if none
 * is left.
 */
export async function nextScan(
  { clientId, list, order, stack }: { clientId: number; list: string; order: readonly number[]; stack: readonly StackPart[] },
  after: number,
): Promise<number | null> {
  const place = stack.findIndex(({ id }) => id === after)
  const inStack = [...stack.slice(place + 1), ...stack.slice(0, Math.max(0, place))].find(
    ({ state }) => state !== 'done' && state !== 'ignored',
  )
  if (inStack) return inStack.id
  const { bill_scans } = await callApi(billScanCalls.list, orderOf(clientId, list))
  const open = bill_scans.map(({ id }) => id).filter((id) => id !== after)
  const later = order.includes(after) ? order.slice(order.indexOf(after) + 1) : []
  return later.find((id) => open.includes(id)) ?? open[0] ?? null
}

function orderOf(clientId: number, list: string) {
  const { filters, sort } = readListState(Object.fromEntries(new URLSearchParams(list)), billScan)
  const q = { state_in: 'read,failed', ...wireFilters(filters), s: `${sort.key} ${sort.direction}` }
  return { params: { client_id: clientId }, query: { q, per: ORDER_MAX, with_total: 'false' as const } }
}
