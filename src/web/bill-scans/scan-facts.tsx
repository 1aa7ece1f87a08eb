/** Facts about a document before its bill is entered: its position in its file, how much was read, and what it duplicates. */
import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { BillScan, StackPart } from '#contract/bill-scans/bill-scan.ts'
import { billScanCalls } from '#contract/bill-scans/bill-scan-calls.ts'
import { confidentFrom } from '#contract/bill-reading/bill-reading.ts'
import { callApi } from '../kernel/api.ts'
import { Button } from '../ui/button.tsx'
import { UiLink } from '../ui/link.tsx'
import styles from './bill-scans.module.css'
import { linesText } from './scan-columns.tsx'
import { entryHref } from './scan-document.ts'
import { changeScans } from './use-scans.ts'

interface StackPlaceProps {
  readonly scan: BillScan
  readonly stack: readonly StackPart[]
  readonly list: string
}

/** Shown beside the heading. */
export function ScanFacts({ scan, stack, list }: StackPlaceProps) {
  return (
    <span className={styles.facts}>
      {stack.length > 1 && <StackPlace scan={scan} stack={stack} list={list} />}
      {scan.state === 'read' && (scan.bills_inside ?? 1) < 2 && <Readiness scan={scan} />}
    </span>
  )
}

/** Shown above the form if there are any. */
export function ScanNotes({ scan, faults }: { scan: BillScan; faults: readonly string[] }) {
  return (
    <>
      <Repeats scan={scan} />
      {faults.length > 0 && (
        <p role="note" className={styles.note}>
          {faults.join(' ')} What stands there is to be typed.
        </p>
      )}
    </>
  )
}

function StackPlace({ scan, stack, list }: StackPlaceProps) {
  const place = stack.findIndex(({ id }) => id === scan.id)
  const before = stack[place - 1]
  const after = stack[place + 1]
  return (
    <nav aria-label="Bills of this document" className={styles.stackPlace}>
      {before && (
        <UiLink href={partHref(scan, before, list)} aria-label="Previous bill of this document" title="Previous bill of this document">
          <ChevronLeft size={16} aria-hidden="true" />
        </UiLink>
      )}
      <span>{`Bill ${place + 1} of ${stack.length} of this document`}</span>
      {after && (
        <UiLink href={partHref(scan, after, list)} aria-label="Next bill of this document" title="Next bill of this document">
          <ChevronRight size={16} aria-hidden="true" />
        </UiLink>
      )}
    </nav>
  )
}

function partHref(scan: BillScan, part: StackPart, list: string): string {
  const clientId = scan.client_id ?? 0
  return part.bill_id === null ? entryHref(clientId, part.id, list) : `/clients/${clientId}/bills/${part.bill_id}`
}

/** The confidence of the head and the share of line values that were read, which are independent. */
function Readiness({ scan: { confidence, lines_found, lines_missing } }: { scan: BillScan }) {
  if (confidence === null) return null
  return (
    <span>
      Read: <span className={confidence < confidentFrom * 100 ? styles.doubtful : undefined}>{`head ${confidence}%`}</span>
      {lines_found !== null && lines_missing !== null && (
        <span className={lines_missing > 0 ? styles.doubtful : undefined}>{`, lines ${linesText({ lines_found, lines_missing })}`}</span>
      )}
    </span>
  )
}

function Repeats({ scan }: { scan: BillScan }) {
  const { same_bill_id, same_scan_id } = scan
  if (same_bill_id === null && same_scan_id === null) return null
  const params = { client_id: scan.client_id ?? 0, id: scan.id }
  return (
    <div role="note" className={styles.note}>
      {same_bill_id === null ? (
        <span>
          This seems to be here already: <UiLink href={entryHref(params.client_id, same_scan_id ?? 0, '')}>the earlier document</UiLink>.
        </span>
      ) : (
        <span>
          This seems to be entered already: <UiLink href={`/clients/${params.client_id}/bills/${same_bill_id}`}>bill {same_bill_id}</UiLink>
          .
        </span>
      )}{' '}
      <Button small onClick={() => void changeScans(() => callApi(billScanCalls.keep, { params }))}>
        It is another one
      </Button>
    </div>
  )
}
