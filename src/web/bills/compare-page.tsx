/** Compares two bills side by side, with actions for a duplicate or a correction. */
import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { compareBills, proposedMode, replaceHeld } from '#contract/bills/bill-compare.ts'
import { billListCalls } from '#contract/bills/bill.ts'
import { billDetailCalls, type BillDetail } from '#contract/bills/bill-detail.ts'
import { billFormCalls } from '#contract/bills/bill-form.ts'
import { findingReasons, type FindingReason } from '#contract/bill-audits/finding-reasons.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { settleTogether } from '../bill-findings/bill-findings.ts'
import { callApi } from '../kernel/api.ts'
import { deleteRecord } from '../kernel/lists/delete-item.tsx'
import { useGo, usePathId } from '../kernel/navigation.tsx'
import { problemNotice, resultNotice } from '../kernel/notices/notices.ts'
import { usePageTitle } from '../kernel/page-title.ts'
import { Can } from '../kernel/permissions.tsx'
import { apiQuery, refresh } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { CheckboxField, SelectField } from '../ui/fields/choice-fields.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { UiLink } from '../ui/link.tsx'
import { Breadcrumbs, PageHeader } from '../ui/page-header.tsx'
import { BillStatus } from './bill-cells.tsx'
import { billLabelOf, heldBy } from './bill-columns.tsx'
import { BillFile } from './bill-file.tsx'
import { ComparedTable } from './compared-table.tsx'
import styles from './corrections.module.css'

const duplicateCodes: readonly string[] = ['duplicate_exact', 'duplicate_likely']

export function CompareBills() {
  const client_id = usePathId('client_id')
  const left = useQuery(apiQuery(billDetailCalls.get, { params: { client_id, id: usePathId('bill_id') } }))
  const right = useQuery(apiQuery(billDetailCalls.get, { params: { client_id, id: usePathId('other_bill_id') } }))
  usePageTitle('Compare Bills')
  return (
    <RecordGate asked={left}>
      {({ bill }) => <RecordGate asked={right}>{({ bill: other }) => <Beside left={bill} right={other} />}</RecordGate>}
    </RecordGate>
  )
}

function Beside({ left, right }: { left: BillDetail; right: BillDetail }) {
  const [onlyDifferent, setOnlyDifferent] = useState(false)
  const list = `/clients/${left.client_id}/bills`
  const groups = compareBills(left, right)
  const differences = groups.flatMap((group) => group.values).filter((value) => value.differs).length
  const hasPaper = left.files.length + right.files.length > 0
  return (
    <>
      <Breadcrumbs
        items={[{ label: 'Bills', href: list }, { label: `Bill ${left.id}`, href: `${list}/${left.id}` }, { label: 'Compare' }]}
      />
      <PageHeader title={`Bills ${left.id} and ${right.id}`} actions={<ButtonLink href={`${list}/${left.id}`}>Go Back</ButtonLink>} />
      <Acts left={left} right={right} />
      <div className={styles.tools}>
        <span className={styles.hint}>{differences === 1 ? '1 value differs' : `${differences} values differ`}</span>
        <CheckboxField label="Show differences only" checked={onlyDifferent} onChange={setOnlyDifferent} />
      </div>
      <ComparedTable
        label="The two bills"
        groups={groups}
        onlyDifferent={onlyDifferent}
        left={<Head bill={left} />}
        right={<Head bill={right} />}
      />
      {hasPaper && (
        <div className={styles.papers}>
          {[left, right].map((bill) =>
            bill.files.length > 0 ? (
              <BillFile key={bill.id} bill={bill} besideAnother />
            ) : (
              <p key={bill.id} className={styles.hint}>
                Bill {bill.id} has no copy.
              </p>
            ),
          )}
        </div>
      )}
    </>
  )
}

function Head({ bill }: { bill: BillDetail }) {
  return (
    <span className={styles.head}>
      <UiLink href={`/clients/${bill.client_id}/bills/${bill.id}`}>
        Bill {bill.id} of {formatDate(bill.date)}
      </UiLink>
      <BillStatus status={bill.full_status} />
    </span>
  )
}

function Acts({ left, right }: { left: BillDetail; right: BillDetail }) {
  return (
    <div className={styles.acts}>
      <Can do="bill.update">
        <KeepBoth left={left} right={right} />
        <MarkAsRebill left={left} right={right} />
      </Can>
      <Can do="bill.destroy">
        <fieldset className={styles.act}>
          <legend>One is too many</legend>
          <DeleteOne bill={left} stays={right} />
          <DeleteOne bill={right} stays={left} />
        </fieldset>
      </Can>
    </div>
  )
}

/** Resolves the findings about the two bills; shown only if there are any. */
function KeepBoth({ left, right }: { left: BillDetail; right: BillDetail }) {
  const [reason, setReason] = useState<FindingReason | ''>('')
  const [comment, setComment] = useState('')
  const [busy, setBusy] = useState(false)
  const open = [left, right].flatMap((bill) =>
    bill.findings.filter(
      (finding) =>
        finding.resolved_at === null &&
        duplicateCodes.includes(finding.code) &&
        (finding.other_bill_id === left.id || finding.other_bill_id === right.id),
    ),
  )
  if (open.length === 0) return null
  const keep = async () => {
    if (reason === '') return
    setBusy(true)
    await settleTogether(left.client_id, { ids: open.map(({ id }) => id) }, { reason, comment })
    setBusy(false)
  }
  return (
    <fieldset className={styles.act}>
      <legend>Both are right</legend>
      <SelectField
        label="Reason"
        value={reason}
        emptyLabel="Choose"
        options={findingReasons}
        onChange={(chosen) => setReason(findingReasons.find((one) => one.value === chosen)?.value ?? '')}
      />
      <TextField label="Comment" value={comment} onChange={setComment} maxLength={2000} />
      <Button busy={busy} disabled={reason === ''} onClick={() => void keep()}>
        Keep both
      </Button>
    </fieldset>
  )
}

/** Makes the later bill a correction of the earlier one, which becomes void if it is replaced. */
function MarkAsRebill({ left, right }: { left: BillDetail; right: BillDetail }) {
  const [original, correction] = isBefore(left, right) ? [left, right] : [right, left]
  const held = replaceHeld(original)
  const [mode, setMode] = useState<'replace' | 'add'>(held === null ? proposedMode(original, correction) : 'add')
  const [busy, setBusy] = useState(false)
  const isLinked = correction.rebill_of_id === original.id || original.superseded_by_id === correction.id
  if (isLinked || original.account_id !== correction.account_id || original.account_type !== correction.account_type) return null
  const mark = async () => {
    setBusy(true)
    try {
      const bill = { rebill_adjustment: true, rebill_of_id: original.id, rebill_mode: mode, lock_version: correction.lock_version }
      resultNotice(await callApi(billFormCalls.update, { params: { client_id: left.client_id, id: correction.id }, body: { bill } }))
    } catch (error) {
      problemNotice(error)
    }
    setBusy(false)
    refresh('bills', 'bill_findings')
  }
  return (
    <fieldset className={styles.act}>
      <legend>{`Bill ${correction.id} corrects bill ${original.id}`}</legend>
      <SelectField
        label="Correction"
        value={mode}
        options={[
          { value: 'replace', label: 'Replaces it', disabled: held !== null },
          { value: 'add', label: 'Adds to it' },
        ]}
        onChange={(chosen) => setMode(chosen === 'add' ? 'add' : 'replace')}
        hint={held ?? undefined}
      />
      <Button busy={busy} onClick={() => void mark()}>
        Mark as rebill
      </Button>
    </fieldset>
  )
}

function DeleteOne({ bill, stays }: { bill: BillDetail; stays: BillDetail }) {
  const go = useGo()
  const params = { client_id: bill.client_id, id: bill.id }
  const after = () => {
    refresh('bill_findings')
    go(`/clients/${stays.client_id}/bills/${stays.id}`)
  }
  return (
    <Button
      kind="danger"
      disabledReason={heldBy(bill)}
      onClick={() => void deleteRecord({ call: billListCalls.destroy, params, name: billLabelOf(bill), onDeleted: after })}
    >
      {`Delete bill ${bill.id}`}
    </Button>
  )
}

function isBefore(one: BillDetail, other: BillDetail): boolean {
  return one.created_at === other.created_at ? one.id < other.id : one.created_at < other.created_at
}
