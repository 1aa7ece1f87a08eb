import { useState } from 'react'
import { formatMoney } from '#contract/kernel/money.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { reversalDraft, reversalKinds, reversalReasonMax, type ReversalDraft } from '#contract/payment-batches/payment-reversal.ts'
import type { VendorPayment } from '#contract/payment-batches/vendor-payment.ts'
import { ApiProblem } from '../kernel/api-problem.ts'
import { FailedAttempt, useAttempt } from '../kernel/attempt.tsx'
import { Button } from '../ui/button.tsx'
import { Modal } from '../ui/dialogs/modal.tsx'
import { SelectField } from '../ui/fields/choice-fields.tsx'
import { DateField } from '../ui/fields/date-field.tsx'
import { TextAreaField, TextField } from '../ui/fields/text-field.tsx'

interface ReverseProps {
  readonly payment: Pick<VendorPayment, 'full_name' | 'amount' | 'bill_count'>
  /** Reverses it, and asks for what changed again. */
  readonly reverse: (draft: ReversalDraft) => Promise<void>
  readonly onClose: () => void
}

type Errors = Readonly<Record<string, string | undefined>>

/** Asks how, when and why a payment came back, and says what follows. */
export function ReverseDialog({ payment, reverse, onClose }: ReverseProps) {
  const [today] = useState(() => todayIn(NEW_YORK, new Date()))
  const [typed, setTyped] = useState({ kind: 'void_check', return_code: '', reversed_date: today, reason: '' })
  const [errors, setErrors] = useState<Errors>({})
  const attempt = useAttempt()
  const set = (change: Partial<typeof typed>) => setTyped((before) => ({ ...before, ...change }))
  const isReturn = typed.kind === 'ach_return'
  const send = async () => {
    const parsed = reversalDraft.safeParse({ ...typed, return_code: isReturn && typed.return_code !== '' ? typed.return_code : null })
    if (!parsed.success) return setErrors(Object.fromEntries(parsed.error.issues.map(({ path, message }) => [String(path[0]), message])))
    setErrors({})
    await attempt.run(async () => {
      try {
        await reverse(parsed.data)
        onClose()
      } catch (error) {
        if (error instanceof ApiProblem) setErrors(Object.fromEntries(Object.entries(error.fields).map(([key, [first]]) => [key, first])))
        throw error
      }
    })
  }
  const bills = payment.bill_count === 1 ? '1 bill becomes unpaid and leaves' : `${payment.bill_count} bills become unpaid and leave`
  return (
    <Modal
      open
      onClose={onClose}
      title={`Reverse ${payment.full_name}`}
      footer={
        <>
          <FailedAttempt attempt={attempt} again={() => void send()} what="Not reversed" />
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" busy={attempt.busy} onClick={() => void send()}>
            {`Reverse ${formatMoney(payment.amount)}`}
          </Button>
        </>
      }
    >
      <p>{`${bills} the batch: ${formatMoney(payment.amount)}. The payment stays on record as reversed. This cannot be taken back.`}</p>
      <SelectField
        label="Kind"
        required
        autoFocus
        value={typed.kind}
        onChange={(kind) => set({ kind })}
        options={reversalKinds}
        error={errors['kind']}
      />
      {isReturn && (
        <TextField
          label="Return Code"
          value={typed.return_code}
          onChange={(code) => set({ return_code: code.toUpperCase() })}
          hint="As the bank gives it: R01 to R99"
          error={errors['return_code']}
        />
      )}
      <DateField
        label="Reversed On"
        required
        max={today}
        value={typed.reversed_date}
        onChange={(day) => set({ reversed_date: day })}
        error={errors['reversed_date']}
      />
      <TextAreaField
        label="Reason"
        required
        value={typed.reason}
        onChange={(reason) => set({ reason })}
        maxLength={reversalReasonMax}
        error={errors['reason']}
      />
    </Modal>
  )
}
