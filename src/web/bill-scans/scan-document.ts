/** A document of the inbox beside the bill's form: its file, and what was read on it. */
import { useQuery } from '@tanstack/react-query'
import { billScanCalls, type BillScan } from '#contract/bill-scan.ts'
import { callApi } from '../kernel/api.ts'
import { apiQuery } from '../kernel/query.ts'
import type { PaneDocument } from './document-pane.tsx'

/** The address works for five minutes; whoever shows the document takes its bytes at once. */
const ADDRESS_FRESH_MS = 240_000

export function useScanFile({ client_id, id }: Pick<BillScan, 'id' | 'client_id'>) {
  return useQuery({
    ...apiQuery(billScanCalls.file, { params: { client_id, id }, query: { inline: 'true' } }),
    staleTime: ADDRESS_FRESH_MS,
    gcTime: ADDRESS_FRESH_MS,
  })
}

/** The document and its reading, once both are there; `scan_id` of the address names it. */
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
  // A part is another document once its pages are cut out.
  return { key: `scan ${id} ${cut_from ?? ''}`, name: filename ?? 'Document', contentType: content_type ?? '', source: url, pages }
}

/** The document that waits longest, but for the one that was just entered; null where none is left. */
export async function nextScan(clientId: number, but: number): Promise<number | null> {
  const { bill_scans } = await callApi(billScanCalls.list, {
    params: { client_id: clientId },
    query: { q: { state_in: 'read,failed', s: 'created_at asc' }, per: 2, with_total: 'false' },
  })
  return bill_scans.find(({ id }) => id !== but)?.id ?? null
}
