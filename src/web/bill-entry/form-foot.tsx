import { useEffect, useRef, useState } from 'react'
import { FailedAttempt } from '../kernel/attempt.tsx'
import { Button } from '../ui/button.tsx'
import { KeyHint } from '../ui/key-hint.tsx'
import billEntry from './bill-entry.module.css'
import billForm from './bill-form.module.css'
import styles from './form-foot.module.css'
import { isOpen } from './form-context.ts'
import { RepeatedBill } from './repeated-bill.tsx'
import type { BillFormState } from './use-bill-form.ts'

const questions = {
  withoutCharges: { question: 'This bill’s lines carry no charges. Save anyway?', answer: 'Save without charges' },
  unchanged: {
    question: 'This correction changes nothing: the old bill would become void, and this one would repeat it. Save anyway?',
    answer: 'Save the same bill again',
  },
}

/** Keeps Save in sight beside the open findings; the reason for a duplicate bill is typed here and not in a dialog. */
export function FormFoot({ form }: { form: BillFormState }) {
  const { entry, findings, values, duplicateOf, asked, stored, busy, dirty, errors, failure } = form
  const [reason, setReason] = useState('')
  const reasonField = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (duplicateOf !== null) reasonField.current?.focus()
  }, [duplicateOf])
  const saveAsked = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (asked !== null) saveAsked.current?.focus()
  }, [asked])
  const open = findings.filter((one) => one.severity !== 'I' && isOpen(one, values.settled)).length
  const wrong = Object.keys(errors).length
  return (
    <div className={styles.foot}>
      {duplicateOf !== null && (
        <RepeatedBill ref={reasonField} clientId={entry.client_id} billId={duplicateOf} reason={reason} onReason={setReason}>
          <Button
            small
            disabled={reason.trim() === ''}
            busy={busy}
            onClick={() => form.save(false, { overrideReason: reason.trim(), withoutCharges: true, unchanged: true })}
          >
            Save anyway
          </Button>
        </RepeatedBill>
      )}
      {asked !== null && (
        <div className={styles.duplicate} role="alert">
          <span>{questions[asked].question}</span>
          <Button ref={saveAsked} small busy={busy} onClick={form.saveAsked}>
            {questions[asked].answer}
          </Button>
        </div>
      )}
      <div className={styles.footLine}>
        <Button kind="primary" type="submit" busy={busy} title="Ctrl+Enter">
          Save
        </Button>
        {!stored && (
          <Button busy={busy} title="Ctrl+Shift+Enter" onClick={() => form.save(true)}>
            Save and next
          </Button>
        )}
        <FailedAttempt attempt={form} again={form.again} />
        <span className={styles.footFacts} role="status">
          {wrong > 0 && <span className={billEntry.problem}>{wrong === 1 ? '1 field needs a look' : `${wrong} fields need a look`}</span>}
          {open > 0 && <span>{open === 1 ? '1 finding' : `${open} findings`}</span>}
          {dirty && !failure && <span className={billEntry.quiet}>Not saved yet</span>}
        </span>
        <span className={billForm.keysHint}>
          <KeyHint keys="mod+enter" /> saves
          {!stored && (
            <>
              , <KeyHint keys="mod+shift+enter" /> and goes on
            </>
          )}
          , <KeyHint keys="mod+/" /> all keys
        </span>
      </div>
    </div>
  )
}
