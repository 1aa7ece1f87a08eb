/** What waits in the inbox, kept fresh while something is being read, and what a person does with it. */
import { useEffect, useRef } from 'react'
import { useQuery } from '@tanstack/react-query'
import { billScanCalls, type ScanSummary } from '#contract/bill-scans/bill-scan.ts'
import type { Result } from '#contract/kernel/call.ts'
import { problemNotice, resultNotice } from '../kernel/notices/notices.ts'
import { apiQuery, refresh } from '../kernel/query.ts'

/** Milliseconds between two looks while documents are being read, and else. */
const BUSY_MS = 1_500
const IDLE_MS = 5_000

/** How many documents wait; the lists are asked for again whenever that changes. */
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

/** Does something with documents, says what came of it, and has the lists asked for again. @returns whether it was done. */
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
