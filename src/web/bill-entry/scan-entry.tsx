/**
 * Enters a bill beside its document: the read values are proposed in the form and marked on the page. "Save and next" opens the next document.
 */
import { useState, type ReactNode } from 'react'
import type { BillEntry } from '#contract/bills/bill-form.ts'
import type { BillReading } from '#contract/bill-reading/bill-reading.ts'
import type { BillScan, StackPart } from '#contract/bill-scans/bill-scan.ts'
import { billScanCalls } from '#contract/bill-scans/bill-scan-calls.ts'
import type { PaneDocument } from '../document-pane/document-pane.tsx'
import { entryHref, nextScan, splitHref, useListOrder, useScan, ScanFacts, ScanNotes, changeScans } from '../bill-scans/bill-scans.ts'
import { callApi } from '../kernel/api.ts'
import { BackLink } from '../kernel/back-link.tsx'
import { useGo, usePath, useSearchText } from '../kernel/navigation.tsx'
import { usePageTitle } from '../kernel/page-title.ts'
import { refresh } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { UiLink } from '../ui/link.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { useListedShortcuts } from '../ui/shortcuts.ts'
import { EmptyState } from '../ui/states.tsx'
import { AccountSearch } from './account-search.tsx'
import { applyReading, type Proposals } from './apply-reading.ts'
import { BillForm } from './bill-form.tsx'
import styles from './bill-form.module.css'
import { DocumentSide } from './document-side.tsx'
import { AccountLine, EntryGate, FocusedSearch, SavedLine, type SavedNote } from './entry-gate.tsx'
import type { ChosenAccount } from './chosen-account.ts'
import { formKeys } from './form-keys.ts'
import { readKeptBill } from './kept-bill.ts'
import type { BillSaved } from './use-bill-form.ts'

export interface ScanEntryProps {
  readonly clientId: number
  readonly scanId: number
  /** The bill that was saved before this document. */
  readonly saved: SavedNote | null
  readonly onSaved: (saved: SavedNote) => void
}

export function ScanEntry({ clientId, scanId, saved, onSaved }: ScanEntryProps) {
  const scan = useScan(clientId, scanId)
  const { list = '' } = useSearchText()
  const inbox = `/clients/${clientId}/bills/inbox${list === '' ? '' : `?${list}`}`
  const order = useListOrder(clientId, list)
  usePageTitle('New Bill')
  useListedShortcuts(formKeys)
  return (
    <div className={styles.page}>
      <BackLink href={inbox} />
      <PageHeader title="New Bill">
        {scan.data && <ScanFacts scan={scan.data.bill_scan} stack={scan.data.stack} list={list} />}
        {saved && <SavedLine clientId={clientId} saved={saved} />}
      </PageHeader>
      <RecordGate asked={scan}>
        {({ bill_scan, reading, document, stack, page_faults }) => (
          <>
            <ScanNotes scan={bill_scan} faults={page_faults} />
            <ReadScan scan={bill_scan} reading={reading} document={document} way={{ list, order: order ?? [], stack }} onSaved={onSaved} />
          </>
        )}
      </RecordGate>
    </div>
  )
}

/** The list that the user came from, and the order in which to continue. */
interface Way {
  readonly list: string
  readonly order: readonly number[]
  readonly stack: readonly StackPart[]
}

interface ReadScanProps {
  readonly scan: BillScan
  readonly reading: BillReading | null
  readonly document: PaneDocument
  readonly way: Way
  readonly onSaved: ScanEntryProps['onSaved']
}

/**
 * The form starts once the document is read, or when the user prefers not to wait; in that case no values are proposed, so that none is put over
 * typed ones.
 */
function ReadScan({ scan, reading, document, way, onSaved }: ReadScanProps) {
  const [isAsked, setAsked] = useState(false)
  if (scan.state === 'done')
    return (
      <EmptyState title="This document was entered already">
        <UiLink href={`/clients/${scan.client_id}/bills/${scan.bill_id}`}>Open its bill</UiLink>
      </EmptyState>
    )
  if (scan.state === 'read' && (scan.bills_inside ?? 1) > 1) return <WholeStack scan={scan} list={way.list} />
  if (!isAsked && (scan.state === 'waiting' || scan.state === 'reading'))
    return (
      <Beside document={document} proposals={none}>
        <p role="status">The document is being read. What it says will be proposed here in a moment.</p>
        <Button onClick={() => setAsked(true)}>Enter it without waiting</Button>
      </Beside>
    )
  return <OpenScan key={String(isAsked)} scan={scan} reading={isAsked ? null : reading} document={document} way={way} onSaved={onSaved} />
}
const none: Proposals = {}

/** A bill keeps only its own pages, so a stack must be split before a bill is entered from it. */
function WholeStack({ scan, list }: { scan: BillScan; list: string }) {
  const params = { client_id: scan.client_id, id: scan.id }
  return (
    <EmptyState
      title={`This document seems to hold ${scan.bills_inside} bills`}
      actions={
        <>
          <ButtonLink kind="primary" href={splitHref(scan.client_id, scan.id, list)}>
            Show its bills
          </ButtonLink>
          <Button onClick={() => void changeScans(() => callApi(billScanCalls.split, { params, body: { starts: [1] } }))}>
            It is one bill
          </Button>
        </>
      }
    >
      Divide it, and each bill is entered with its own pages.
    </EmptyState>
  )
}

function OpenScan({ scan, reading, document, way, onSaved }: ReadScanProps) {
  const path = usePath()
  const go = useGo()
  const draftName = `${path}?scan-${scan.id}`
  const [chosen, setChosen] = useState<ChosenAccount | null>(() => readKeptBill(draftName)?.account ?? accountOf(scan))
  const inbox = `/clients/${scan.client_id}/bills/inbox${way.list === '' ? '' : `?${way.list}`}`
  const search = (label?: string) => (
    <AccountSearch
      clientId={scan.client_id}
      chosen={chosen && { ...chosen, label: label ?? chosen.label }}
      onChoose={setChosen}
      autoFocus={chosen === null}
    />
  )
  const saved = async (bill: BillSaved, entry: BillEntry, next: boolean) => {
    refresh('bill_scans')
    onSaved({ ...bill, text: `${entry.account_number} ${entry.account_name}` })
    const following = next ? await nextScan({ clientId: scan.client_id, ...way }, scan.id) : null
    go(following === null ? inbox : entryHref(scan.client_id, following, way.list))
  }
  if (chosen === null)
    return (
      <Beside document={document} proposals={accountRead(reading)}>
        {scan.error !== null && <p role="status">{scan.error}</p>}
        {scan.account_number !== null && <p>{`The document names account ${scan.account_number}, which is not known here.`}</p>}
        <FocusedSearch>{search()}</FocusedSearch>
      </Beside>
    )
  return (
    <EntryGate key={`${chosen.type} ${chosen.id}`} clientId={scan.client_id} account={chosen} billId={null}>
      {(entry) => (
        <BillForm
          entry={entry}
          stored={null}
          draftName={draftName}
          scanId={scan.id}
          document={document}
          propose={reading ? (base, blank) => applyReading(base, base, blank, reading) : undefined}
          onSaved={(bill, next) => void saved(bill, entry, next)}
          account={<AccountLine entry={entry} search={search(`${entry.account_number} ${entry.account_name}`)} />}
        />
      )}
    </EntryGate>
  )
}

function accountOf({ account_type: type, account_id: id, account_number }: BillScan): ChosenAccount | null {
  return type === null || id === null ? null : { type, id, label: account_number ?? '…' }
}

/** Returns the place of the account number on the document, for a user who has to search the account. */
function accountRead(reading: BillReading | null): Proposals {
  const read = reading?.fields.find((one) => one.field === 'account_number')
  return read ? { account_number: read } : none
}

function Beside({ document, proposals, children }: { document: PaneDocument; proposals: Proposals; children: ReactNode }) {
  return (
    <div className={cx(styles.split, styles.beside)}>
      <div className={styles.form}>{children}</div>
      <DocumentSide document={document} proposals={proposals} here="account_number" onUndock={ignore} />
    </div>
  )
}

/** Keeps the document's column in the layout even while the document is in its own window. */
function ignore(): void {}
