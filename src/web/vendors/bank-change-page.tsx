import { useEffect, useRef, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { accountTypes, bankKeys, vendorBankChangeCalls, type BankKey, type VendorBankChange } from '#contract/vendors/vendor-bank-change.ts'
import { vendor } from '#contract/vendors/vendor.ts'
import { usePathId } from '../kernel/navigation.tsx'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { useCan } from '../kernel/permissions.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { HistoryButton } from '../kernel/history/history-button.tsx'
import { Button } from '../ui/button.tsx'
import { Breadcrumbs, PageHeader } from '../ui/page-header.tsx'
import { Missing } from '../ui/status.tsx'
import { approveChange, withdrawChange } from './bank-change-acts.ts'
import { BankChangeState } from './bank-change-state.tsx'
import { RefuseDialog } from './refuse-dialog.tsx'
import { useFullNumbers, type FullNumbers } from './use-full-numbers.ts'
import styles from './vendors.module.css'

/** /vendor_bank_changes/:id: the requested values beside the current ones, and the decision. */
export function BankChangePage() {
  const asked = useQuery(apiQuery(vendorBankChangeCalls.get, { params: { id: usePathId('id') } }))
  return <RecordGate asked={asked}>{(found) => <Review key={found.vendor_bank_change.id} change={found.vendor_bank_change} />}</RecordGate>
}

function Review({ change }: { change: VendorBankChange }) {
  const numbers = useFullNumbers('change', change.id)
  const waits = change.state === 'waiting'
  return (
    <article className={styles.page} aria-label={`Bank details of ${change.vendor_name}`}>
      <Breadcrumbs
        items={[
          { label: 'Vendors', href: '/vendors' },
          { label: change.vendor_name, href: `/vendors/${change.vendor_id}/edit` },
          { label: 'Bank Changes', href: `/vendors/${change.vendor_id}/bank_changes` },
          { label: `Change ${change.id}` },
        ]}
      />
      <PageHeader
        title={`Bank details of ${change.vendor_name}`}
        actions={
          <>
            <HistoryButton item="vendor_bank_change" id={change.id} />
            {waits && <Decision change={change} />}
          </>
        }
      >
        <BankChangeState state={change.state} />
      </PageHeader>
      <Story change={change} />
      {waits && <Warnings change={change} />}
      <Comparison change={change} numbers={numbers.shown} />
      {waits && numbers.may && <Reveal numbers={numbers} />}
    </article>
  )
}

/** Keeps the focus in place after the button has disappeared. */
function Reveal({ numbers }: { numbers: ReturnType<typeof useFullNumbers> }) {
  const done = useRef<HTMLParagraphElement>(null)
  const isShown = numbers.shown !== null
  useEffect(() => {
    if (isShown) done.current?.focus()
  }, [isShown])
  if (isShown)
    return (
      <p ref={done} tabIndex={-1} role="status" className={styles.revealed}>
        The full new numbers are shown. This was noted in the audit log.
      </p>
    )
  return (
    <div className={styles.reveal}>
      <Button busy={numbers.busy} onClick={numbers.show}>
        Show the full new numbers
      </Button>
      <span className={styles.quiet}>This is noted in the audit log.</span>
    </div>
  )
}

function Decision({ change }: { change: VendorBankChange }) {
  const mayDecide = useCan('vendor_bank_detail.update')
  const [refusing, setRefusing] = useState(false)
  const [busy, setBusy] = useState(false)
  const run = (act: () => Promise<boolean>) => {
    setBusy(true)
    void act().finally(() => setBusy(false))
  }
  if (change.is_own)
    return (
      <Button busy={busy} onClick={() => run(() => withdrawChange(change))}>
        Withdraw
      </Button>
    )
  if (!mayDecide) return null
  return (
    <>
      <Button onClick={() => setRefusing(true)}>Refuse…</Button>
      <Button kind="primary" busy={busy} onClick={() => run(() => approveChange(change))}>
        Approve
      </Button>
      {refusing && <RefuseDialog change={change} onClose={() => setRefusing(false)} />}
    </>
  )
}

/** The request with user and time, and the decision with its reason. */
function Story({ change }: { change: VendorBankChange }) {
  const { state, requested_by_name: by, requested_at: at, decided_by_name: decider, decided_at: decided, reason } = change
  return (
    <p className={styles.story}>
      Asked for by <b>{by}</b> on <NewYorkTime at={at} />.{' '}
      {state === 'waiting' &&
        (change.is_own ? 'Somebody else has to approve it.' : 'What is in force stays so until you or somebody else approves it.')}
      {decider !== null && decided !== null && (
        <>
          {state.charAt(0).toUpperCase() + state.slice(1)} by <b>{decider}</b> on <NewYorkTime at={decided} />.
        </>
      )}
      {reason !== null && <> Reason: {reason}</>}
    </p>
  )
}

function Warnings({ change }: { change: VendorBankChange }) {
  if (!change.routing_is_doubtful && change.also_used_by === null) return null
  return (
    <ul className={styles.warnings} aria-label="Please check">
      {change.routing_is_doubtful && (
        <li>The new routing number is doubtful: its length, its check digit or its first digits are not those of a bank.</li>
      )}
      {change.also_used_by !== null && <li>The new accounting number is already that of {change.also_used_by}.</li>}
    </ul>
  )
}

function Comparison({ change, numbers }: { change: VendorBankChange; numbers: FullNumbers | null }) {
  return (
    <table className={styles.comparison}>
      <thead>
        <tr>
          <th scope="col">Detail</th>
          <th scope="col">{change.state === 'waiting' ? 'In force' : 'Before'}</th>
          <th scope="col">Asked for</th>
        </tr>
      </thead>
      <tbody>
        {bankKeys.map((key) => (
          <tr key={key} data-changed={change.changed.includes(key) || undefined}>
            <th scope="row">{vendor.fields[key].label}</th>
            <td className="num">{wordsOf(key, change[`${key}_before`]) ?? <Missing word="none" />}</td>
            <td className="num">{asked(key, change, numbers)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function asked(key: BankKey, change: VendorBankChange, numbers: FullNumbers | null) {
  if (!change.changed.includes(key)) return <span className={styles.quiet}>stays</span>
  return wordsOf(key, numbers?.[key] ?? change[key]) ?? <span className={styles.removed}>removed</span>
}

function wordsOf(key: BankKey, value: string | null): string | null {
  return key === 'account_type' ? (accountTypes.find((type) => type.value === value)?.label ?? value) : value
}
