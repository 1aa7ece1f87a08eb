import { useState, type ReactNode } from 'react'
import { firstPaymentText, type FirstPayment } from '#contract/global-batches/first-payment.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { Button } from '../ui/button.tsx'
import { Modal } from '../ui/dialogs/modal.tsx'
import { CheckboxField } from '../ui/fields/choice-fields.tsx'
import styles from './global-batches.module.css'
import { counted } from './words.ts'

interface FirstPaymentsProps {
  readonly message: string
  /** The files that the export writes, and their sum. */
  readonly consequence: ReactNode
  readonly confirmLabel: string
  readonly first: readonly FirstPayment[]
  readonly onConfirm: () => void
  readonly close: () => void
}

/** Asks before an export that pays vendors for the first time since their bank details changed. Each of them takes a tick, or one tick for all. */
export function FirstPaymentsDialog({ message, consequence, confirmLabel, first, onConfirm, close }: FirstPaymentsProps) {
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set())
  const open = first.length - ticked.size
  const tick = (id: number, on: boolean) => setTicked(new Set(on ? [...ticked, id] : [...ticked].filter((one) => one !== id)))
  return (
    <Modal
      open
      onClose={close}
      title="Please confirm"
      role="alertdialog"
      width={520}
      footer={
        <>
          <Button onClick={close} autoFocus>
            Cancel
          </Button>
          <Button
            kind="primary"
            disabledReason={open > 0 ? `${counted(open, 'first payment')} to confirm` : undefined}
            onClick={() => {
              close()
              onConfirm()
            }}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      <div className={styles.confirming}>
        <p>{message}</p>
        {consequence}
        <p>Confirm with each vendor, by a phone number that you knew before the change, that the new bank details are its own.</p>
        {first.length > 1 && (
          <CheckboxField
            label={`All ${counted(first.length, 'vendor')}`}
            checked={open === 0}
            mixed={open > 0 && ticked.size > 0}
            onChange={(on) => setTicked(new Set(on ? first.map(({ vendor_id }) => vendor_id) : []))}
          />
        )}
        {first.map((one) => (
          <CheckboxField
            key={one.vendor_id}
            label={`${one.vendor_name}, ${formatMoney(one.amount)}`}
            hint={firstPaymentText(one)}
            checked={ticked.has(one.vendor_id)}
            onChange={(on) => tick(one.vendor_id, on)}
          />
        ))}
      </div>
    </Modal>
  )
}
