/** The copy of the bill beside it, in the same viewer as beside the form. */
import { lazy, Suspense, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { BillDetail } from '#contract/bills/bill-detail.ts'
import { billDetailCalls } from '#contract/bills/bill-detail-calls.ts'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { Button } from '../ui/button.tsx'
import { UiLink } from '../ui/link.tsx'
import { Skeleton } from '../ui/states.tsx'
import styles from './bills.module.css'

const DocumentPane = lazy(() => import('../document-pane/document-pane.tsx').then((module) => ({ default: module.DocumentPane })))
const StayingPane = lazy(() => import('../document-pane/document-pane.tsx').then((module) => ({ default: module.StayingPane })))

/** The file's address is valid for five minutes, so it is requested again before that. */
const ADDRESS_FRESH_MS = 240_000

interface BillFileProps {
  readonly bill: BillDetail
  /** Whether another bill's copy is shown beside this one. */
  readonly besideAnother?: boolean
}

export function BillFile({ bill, besideAnother = false }: BillFileProps) {
  const [position, setPosition] = useState(1)
  const file = bill.files.find((one) => one.position === position) ?? bill.files[0]
  const params = { client_id: bill.client_id, id: bill.id, position: file?.position ?? 1 }
  const asked = useQuery({
    ...apiQuery(billDetailCalls.file, { params, query: { inline: 'true' } }),
    staleTime: ADDRESS_FRESH_MS,
    gcTime: ADDRESS_FRESH_MS,
  })
  if (!file) return null
  const Pane = besideAnother ? StayingPane : DocumentPane
  return (
    <section className={styles.paper} aria-label={`Copy of bill ${bill.id}`}>
      <div className={styles.paperHead}>
        <span className={styles.paperName} title={file.filename}>
          {file.filename}
        </span>
        {bill.files.length > 1 &&
          bill.files.map((one) => (
            <Button
              key={one.position}
              small
              aria-pressed={one.position === file.position}
              title={one.filename}
              onClick={() => setPosition(one.position)}
            >
              {`File ${one.position}`}
            </Button>
          ))}
        <UiLink href={file.href}>Download</UiLink>
      </div>
      <RecordGate asked={asked}>
        {({ url }) => (
          <Suspense fallback={<Skeleton height={400} />}>
            <Pane
              className={styles.pane}
              document={{
                key: `bill ${bill.id} ${file.position} ${file.filename}`,
                name: file.filename,
                contentType: file.content_type,
                source: url,
              }}
            />
          </Suspense>
        )}
      </RecordGate>
    </section>
  )
}
