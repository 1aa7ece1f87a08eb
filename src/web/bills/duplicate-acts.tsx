/** The actions on two bills that look alike. */
import { useState } from 'react'
import { proposedMode, replaceHeld } from '#contract/bills/bill-compare.ts'
import { billListCalls } from '#contract/bills/bill-list-calls.ts'
import type { BillDetail } from '#contract/bills/bill-detail.ts'
import { billFormCalls } from '#contract/bills/bill-form.ts'
import { findingReasons, type FindingReason } from '#contract/bill-audits/finding-reasons.ts'
import { settleTogether } from '../bill-findings/bill-findings.ts'
import { callApi } from '../kernel/api.ts'
import { deleteRecord } from '../kernel/lists/delete-item.tsx'
import { useGo } from '../kernel/navigation.tsx'
import { problemNotice, resultNotice } from '../kernel/notices/notices.ts'
import { Can } from '../kernel/permissions.tsx'
import { refresh } from '../kernel/query.ts'
import { Button } from '../ui/button.tsx'
import { SelectField } from '../ui/fields/choice-fields.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { billLabelOf, heldBy } from './bill-columns.tsx'
import styles from './corrections.module.css'

const duplicateCodes: readonly string[] = ['duplicate_exact', 'duplicate_likely']

export function Acts({ left, right }: { left: BillDetail; right: BillDetail }) {
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
