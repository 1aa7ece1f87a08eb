/** The inbox's waiting documents, polled while some are being read, and the actions on them. */
import { useEffect, useRef } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { ScanSummary } from '#contract/bill-scans/bill-scan.ts'
import { billScanCalls } from '#contract/bill-scans/bill-scan-calls.ts'
import type { Result } from '#contract/kernel/call.ts'
import { problemNotice, resultNotice } from '../kernel/notices/notices.ts'
import { apiQuery, refresh } from '../kernel/query.ts'

/** Polling intervals (ms): while documents are being read, and otherwise. */
const BUSY_MS = 1_500
const IDLE_MS = 5_000

/** Returns the number of waiting documents; reloads the lists whenever it changes. */
export function useScanSummary(clientId: number): ScanSummary | undefined {
  const { data } = useQuery({
    ...apiQuery(billScanCalls.summary, { params: { client_id: clientId } }),
    refetchInterval: ({ state }) => (state.data && state.data.reading > 0 ? BUSY_MS : IDLE_MS),
  })
  const shown = useRef(data)
  useEffect(() => {
    if (shown.current && data && JSON.stringify(shown.current) !== JSON.stringify(data)) refresh('bill_scans')
    shown.current = data
  }, [data])
  return data
}

/** Runs an action on documents, shows its result and reloads the lists. @returns whether it was done. */
export async function changeScans(work: () => Promise<Pick<Result, 'success' | 'message'>>): Promise<boolean> {
  try {
    const result = await work()
    resultNotice(result)
    return result.success
  } catch (error) {
    problemNotice(error)
    return false
  } finally {
    refresh('bill_scans')
  }
}
