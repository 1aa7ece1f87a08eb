/** The inbox: documents that wait to become bills, oldest first. */
import { useCallback, useMemo, useState } from 'react'
import { billScan, type BillScan, type ScanShelf } from '#contract/bill-scans/bill-scan.ts'
import { billScanCalls } from '#contract/bill-scans/bill-scan-calls.ts'
import { BillTabs } from '../bill-tabs/bill-tabs.tsx'
import { callApi } from '../kernel/api.ts'
import { DeleteItem } from '../kernel/lists/delete-item.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { usePathId, useSearchText } from '../kernel/navigation.tsx'
import { Button } from '../ui/button.tsx'
import { confirm } from '../ui/dialogs/confirm-dialog.tsx'
import type { GridSelection } from '../ui/grid/grid-types.ts'
import { emptySelection } from '../ui/grid/selection.ts'
import { MenuItem } from '../ui/menu.tsx'
import { Tabs } from '../ui/page-header.tsx'
import { EmptyState } from '../ui/states.tsx'
import { ageNow } from './age-words.ts'
import styles from './bill-scans.module.css'
import { scanCells, scanColumns } from './scan-columns.tsx'
import { entryHref, splitHref } from './scan-document.ts'
import { UploadPlace } from './upload-line.tsx'
import { changeScans, useScanSummary } from './use-scans.ts'

export function BillInbox() {
  return <Inbox show="open" />
}

export function IgnoredScans() {
  return <Inbox show="ignored" />
}

export function EnteredScans() {
  return <Inbox show="done" />
}

function Inbox({ show }: { show: ScanShelf }) {
  const client_id = usePathId('client_id')
  const at = `/clients/${client_id}/bills/inbox`
  const summary = useScanSummary(client_id)
  const params = useMemo(() => ({ client_id }), [client_id])
  const query = useMemo(() => ({ show }), [show])
  const search = useSearchText()
  const list = useMemo(() => new URLSearchParams(search).toString(), [search])
  const hrefOf = useCallback((row: BillScan) => scanHref(row, list), [list])
  const [selection, select] = useState<GridSelection<number>>(emptySelection)
  const shelves = [
    { href: at, label: 'To enter', count: summary ? String(summary.open) : undefined, current: show === 'open' },
    { href: `${at}/ignored`, label: 'Ignored', current: show === 'ignored' },
    { href: `${at}/entered`, label: 'Entered', current: show === 'done' },
  ]
  return (
    <>
      <BillTabs clientId={client_id} />
      <Tabs label="Documents" items={shelves} end={<Oldest at={summary?.oldest_at ?? null} />} />
      <UploadPlace clientId={client_id}>
        {(upload) => (
          <ListPage
            key={show}
            entity={billScan}
            calls={billScanCalls}
            params={params}
            query={query}
            title={titles[show]}
            listName={`bill_scans_${show}`}
            columns={scanColumns}
            cells={scanCells}
            rowHref={hrefOf}
            rowLabel={labelOf}
            actions={(row) => <ScanActions row={row} list={list} />}
            headerActions={show === 'open' && upload}
            grid={
              show === 'done'
                ? undefined
                : {
                    selection,
                    onSelectionChange: select,
                    bulk: () => (
                      <BulkMove clientId={client_id} show={show} ids={[...selection.ids]} onDone={() => select(emptySelection)} />
                    ),
                  }
            }
            empty={<NothingHere show={show} />}
          />
        )}
      </UploadPlace>
    </>
  )
}

const titles: Readonly<Record<ScanShelf, string>> = {
  open: 'Inbox',
  ignored: 'Ignored documents',
  done: 'Entered documents',
  all: 'Documents',
}

function Oldest({ at }: { at: string | null }) {
  if (at === null) return null
  return (
    <span className={styles.oldest}>
      The oldest waits for{' '}
      <time dateTime={at} title={at}>
        {ageNow(at)}
      </time>
    </span>
  )
}

function NothingHere({ show }: { show: ScanShelf }) {
  if (show === 'ignored')
    return <EmptyState title="No document was put aside">What is ignored in the inbox is found here, and can be taken back.</EmptyState>
  if (show === 'done')
    return <EmptyState title="No document has become a bill yet">What is entered from the inbox is found here, beside its bill.</EmptyState>
  return (
    <EmptyState title="No document waits">
      Drop PDFs or pictures of bills here, or upload them. They are read in the background; then each is entered beside its document.
    </EmptyState>
  )
}

function labelOf(row: BillScan): string {
  return row.filename ?? `Document ${row.id}`
}

/** Returns the page that a document links to: its entry form, the split page of a stack, or the bill that was entered from it. */
function scanHref(row: BillScan, list: string): string {
  const bills = `/clients/${row.client_id}/bills`
  if (row.bill_id !== null) return `${bills}/${row.bill_id}`
  const isStack = row.state === 'read' && (row.bills_inside ?? 1) > 1
  return isStack ? splitHref(row.client_id ?? 0, row.id, list) : entryHref(row.client_id ?? 0, row.id, list)
}

function ScanActions({ row, list }: { row: BillScan; list: string }) {
  const params = { client_id: row.client_id }
  const one = { ...params, id: row.id }
  const file = `/api/v5/clients/${row.client_id}/bill_scans/${row.id}/file`
  if (row.state === 'done')
    return (
      <>
        <MenuItem href={scanHref(row, list)}>Open bill</MenuItem>
        <MenuItem href={file}>Download</MenuItem>
      </>
    )
  return (
    <>
      {row.state !== 'ignored' && <MenuItem href={scanHref(row, list)}>Enter bill</MenuItem>}
      {row.same_bill_id !== null && (
        <MenuItem href={`/clients/${row.client_id}/bills/${row.same_bill_id}`}>Open the bill that it repeats</MenuItem>
      )}
      {(row.same_bill_id !== null || row.same_scan_id !== null) && (
        <MenuItem onSelect={() => void changeScans(() => callApi(billScanCalls.keep, { params: one }))}>Keep it: it is another</MenuItem>
      )}
      {row.state !== 'ignored' && (
        <MenuItem href={splitHref(row.client_id ?? 0, row.id, list)} disabledReason={whyNotSplit(row)}>
          Split
        </MenuItem>
      )}
      {row.state === 'failed' && row.cut_from !== null && <MenuItem onSelect={() => void keepWhole(row)}>Use the whole file</MenuItem>}
      <MenuItem
        disabledReason={row.state === 'waiting' || row.state === 'reading' ? 'It is being read' : undefined}
        onSelect={() => void changeScans(() => callApi(billScanCalls.reread, { params: one }))}
      >
        Read again
      </MenuItem>
      <MenuItem href={file}>Download</MenuItem>
      {row.state === 'ignored' ? (
        <MenuItem onSelect={() => void changeScans(() => callApi(billScanCalls.takeBack, { params, body: { ids: [row.id] } }))}>
          Take back
        </MenuItem>
      ) : (
        <MenuItem onSelect={() => void changeScans(() => callApi(billScanCalls.ignore, { params, body: { ids: [row.id] } }))}>
          Ignore
        </MenuItem>
      )}
      <DeleteItem call={billScanCalls.destroy} params={one} name={labelOf(row)} />
    </>
  )
}

/** Asks first, because the file may contain other bills, which everybody who sees this bill will see. */
async function keepWhole(row: BillScan): Promise<void> {
  const sure = await confirm({
    message: `Use all pages of ${labelOf(row)} for this bill?`,
    consequence: 'Whoever sees the bill sees the whole file, with the other bills that are in it.',
    confirmLabel: 'Use the whole file',
  })
  if (sure) await changeScans(() => callApi(billScanCalls.keepWhole, { params: { client_id: row.client_id ?? 0, id: row.id } }))
}

function whyNotSplit({ content_type, pages, state }: BillScan): string | undefined {
  if (content_type !== 'application/pdf') return 'Only a PDF can be divided'
  if (state === 'waiting' || state === 'reading') return 'It is being read'
  if (pages === null) return 'Its pages could not be counted'
  return pages < 2 ? 'It has one page' : undefined
}

function BulkMove({ clientId, show, ids, onDone }: { clientId: number; show: ScanShelf; ids: readonly number[]; onDone: () => void }) {
  const [busy, setBusy] = useState(false)
  const isBack = show === 'ignored'
  const move = async () => {
    setBusy(true)
    const call = isBack ? billScanCalls.takeBack : billScanCalls.ignore
    const done = await changeScans(() => callApi(call, { params: { client_id: clientId }, body: { ids: [...ids] } }))
    setBusy(false)
    if (done) onDone()
  }
  return (
    <Button small busy={busy} onClick={() => void move()}>
      {isBack ? 'Take back' : 'Ignore'}
    </Button>
  )
}
