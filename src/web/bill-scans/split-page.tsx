/** Splits a document of several bills: between two pages the user marks that a new bill begins. The reader's proposals are marked already. */
import { useMemo, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Scissors } from 'lucide-react'
import type { BillScan } from '#contract/bill-scans/bill-scan.ts'
import { billScanCalls } from '#contract/bill-scans/bill-scan-calls.ts'
import { callApi } from '../kernel/api.ts'
import { useGo, usePathId, useSearchText } from '../kernel/navigation.tsx'
import { usePageTitle } from '../kernel/page-title.ts'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { Breadcrumbs, PageHeader } from '../ui/page-header.tsx'
import { DocumentSheet } from '../ui/preview/document-sheet.tsx'
import { useDocument } from '../ui/preview/use-document.ts'
import { EmptyState, ErrorState, Skeleton } from '../ui/states.tsx'
import styles from './bill-scans.module.css'
import { entryHref, useScanFile } from './scan-document.ts'
import { changeScans } from './use-scans.ts'

export function SplitScan() {
  const params = { client_id: usePathId('client_id'), id: usePathId('bill_scan_id') }
  const asked = useQuery(apiQuery(billScanCalls.get, { params }))
  usePageTitle(asked.data?.bill_scan.filename ?? undefined)
  return (
    <RecordGate asked={asked}>
      {({ bill_scan, reading }) =>
        bill_scan.pages === null || bill_scan.pages < 2 || bill_scan.state === 'done' ? (
          <EmptyState title="This document cannot be divided">
            It has one page, it is still being read, or it was entered already.
          </EmptyState>
        ) : (
          <Divider key={bill_scan.id} scan={bill_scan} pages={bill_scan.pages} proposed={reading?.bills_begin_at ?? []} />
        )
      }
    </RecordGate>
  )
}

function Divider({ scan, pages, proposed }: { scan: BillScan; pages: number; proposed: readonly number[] }) {
  const go = useGo()
  const { list = '' } = useSearchText()
  const inbox = `/clients/${scan.client_id}/bills/inbox${list === '' ? '' : `?${list}`}`
  const form = entryHref(scan.client_id, scan.id, list)
  const [starts, setStarts] = useState<readonly number[]>(() => ordered([1, ...proposed.filter((page) => page <= pages)]))
  const [busy, setBusy] = useState(false)
  const toggle = (page: number) => setStarts((now) => ordered(now.includes(page) ? now.filter((one) => one !== page) : [...now, page]))
  const divide = async () => {
    setBusy(true)
    const params = { client_id: scan.client_id, id: scan.id }
    const done = await changeScans(() => callApi(billScanCalls.split, { params, body: { starts: [...starts] } }))
    setBusy(false)
    // The bills of a stack are entered one after the other, starting with the first.
    if (done) go(form)
  }
  const sayOne = async () => {
    const params = { client_id: scan.client_id, id: scan.id }
    if (await changeScans(() => callApi(billScanCalls.split, { params, body: { starts: [1] } }))) go(form)
  }
  return (
    <>
      <Breadcrumbs items={[{ label: 'Inbox', href: inbox }, { label: 'Split' }]} />
      <PageHeader
        title={scan.filename ?? 'Document'}
        count={`${pages} pages`}
        actions={
          <>
            <ButtonLink href={inbox}>Go Back</ButtonLink>
            {proposed.length > 1 && <Button onClick={() => void sayOne()}>It is one bill</Button>}
            <Button
              kind="primary"
              busy={busy}
              disabledReason={starts.length < 2 ? 'Say where the next bill begins' : undefined}
              onClick={() => void divide()}
            >
              {starts.length < 2 ? 'Divide' : `Divide into ${starts.length} documents`}
            </Button>
          </>
        }
      />
      <p className={styles.hint}>
        {proposed.length > 1 ? 'Where a new bill seems to begin is marked. ' : ''}Cut between two pages; each part becomes a document of its
        own and is read again. The whole file is kept.
      </p>
      <Sheets scan={scan} starts={starts} onToggle={toggle} />
    </>
  )
}

function ordered(pages: readonly number[]): number[] {
  return [...new Set(pages)].toSorted((one, other) => one - other)
}

const THUMB_WIDTH = 168

function Sheets({ scan, starts, onToggle }: { scan: BillScan; starts: readonly number[]; onToggle: (page: number) => void }) {
  const asked = useScanFile(scan)
  if (asked.error) return <ErrorState message={asked.error.message} onRetry={() => void asked.refetch()} />
  if (!asked.data) return <Skeleton height={300} />
  return <OpenSheets url={asked.data.url} name={scan.filename ?? ''} starts={starts} onToggle={onToggle} />
}

function OpenSheets({
  url,
  name,
  starts,
  onToggle,
}: {
  url: string
  name: string
  starts: readonly number[]
  onToggle: (page: number) => void
}) {
  const document = useDocument(url, 'application/pdf')
  const parts = useMemo(() => partOfPage(starts), [starts])
  if (document.kind === 'failed') return <ErrorState title="The pages could not be drawn" message="The document can be downloaded." />
  if (document.kind === 'loading') return <Skeleton height={300} />
  return (
    <ol className={styles.sheets} aria-label="Pages">
      {document.pages.map((size, at) => {
        const page = at + 1
        const begins = starts.includes(page)
        return (
          <li key={page} className={styles.sheetPlace}>
            {page > 1 && (
              <button
                type="button"
                className={cx(styles.cut, begins && styles.cutHere)}
                aria-pressed={begins}
                onClick={() => onToggle(page)}
                title={`A new bill begins on page ${page}`}
              >
                <Scissors size={14} aria-hidden="true" />
                <span className="sr-only">A new bill begins on page {page}</span>
              </button>
            )}
            <figure className={styles.thumb}>
              <DocumentSheet
                document={document}
                page={page}
                place={page}
                of={document.pages.length}
                width={THUMB_WIDTH}
                height={Math.round((THUMB_WIDTH * size.height) / size.width)}
                quarters={0}
                name={name}
              />
              <figcaption>
                Page {page} <span className={styles.part}>{`Bill ${parts(page)}`}</span>
              </figcaption>
            </figure>
          </li>
        )
      })}
    </ol>
  )
}

/** Returns a function from a page to the number of its bill, counted from 1. */
function partOfPage(starts: readonly number[]): (page: number) => number {
  return (page) => starts.filter((start) => start <= page).length
}
