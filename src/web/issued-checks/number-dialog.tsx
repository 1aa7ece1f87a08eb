import { useState } from 'react'
import { checkNumberDigitsMax, checkNumberDraft, type IssuedCheck } from '#contract/issued-checks/issued-check.ts'
import { issuedCheckCalls } from '#contract/issued-checks/issued-check-calls.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { ApiProblem } from '../kernel/api-problem.ts'
import { callApi } from '../kernel/api.ts'
import { FailedAttempt, useAttempt } from '../kernel/attempt.tsx'
import { resultNotice } from '../kernel/notices/notices.ts'
import { Button } from '../ui/button.tsx'
import { Modal } from '../ui/dialogs/modal.tsx'
import { DateField } from '../ui/fields/date-field.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { refreshChecks } from './refresh-checks.ts'

type Errors = Readonly<Record<string, string | undefined>>

/** Asks for the number and the day on a check. */
export function NumberDialog({ check, onClose }: { check: IssuedCheck; onClose: () => void }) {
  const [typed, setTyped] = useState(() => ({
    check_number: check.check_number ?? '',
    check_date: check.check_date ?? todayIn(NEW_YORK, new Date()),
  }))
  const [errors, setErrors] = useState<Errors>({})
  const attempt = useAttempt()
  const set = (change: Partial<typeof typed>) => setTyped((before) => ({ ...before, ...change }))
  const send = async () => {
    const parsed = checkNumberDraft.safeParse({ ...typed, seen_check_number: check.check_number })
    if (!parsed.success) return setErrors(Object.fromEntries(parsed.error.issues.map(({ path, message }) => [String(path[0]), message])))
    setErrors({})
    await attempt.run(async () => {
      try {
        resultNotice(await callApi(issuedCheckCalls.record, { params: { id: check.id }, body: { issued_check: parsed.data } }))
        onClose()
      } catch (error) {
        if (error instanceof ApiProblem) setErrors(Object.fromEntries(Object.entries(error.fields).map(([key, [first]]) => [key, first])))
        throw error
      } finally {
        refreshChecks()
      }
    })
  }
  return (
    <Modal
      open
      onClose={onClose}
      title={`Check of ${check.payment_name}`}
      footer={
        <>
          <FailedAttempt attempt={attempt} again={() => void send()} what="Not recorded" />
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" busy={attempt.busy} onClick={() => void send()}>
            Record
          </Button>
        </>
      }
    >
      <p>{`${formatMoney(check.amount)} to ${check.payee}, paid by ${check.payer_name}.`}</p>
      <TextField
        label="Check Number"
        required
        autoFocus
        inputMode="numeric"
        maxLength={checkNumberDigitsMax + 10}
        hint={`At most ${checkNumberDigitsMax} digits. It is used once in its account.`}
        value={typed.check_number}
        onChange={(check_number) => set({ check_number })}
        error={errors['check_number']}
      />
      <DateField
        label="Check Date"
        required
        value={typed.check_date}
        onChange={(check_date) => set({ check_date })}
        error={errors['check_date']}
      />
    </Modal>
  )
}
