import type { GlobalBatchPayment } from '#contract/global-batches/global-batch.ts'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { useCan } from '../kernel/permissions.tsx'
import { Button } from '../ui/button.tsx'
import { Missing } from '../ui/status.tsx'
import { sendAdviceAgain, useMarkBounced, whyNotAgain, whyNotBounced } from './advice-acts.ts'
import { AdviceState } from './advice-state.tsx'
import styles from './payment-batches.module.css'

/** Beside a payment: the state of its remittance advice by mail, and what can be done with it. */
export function PaymentAdvice({ payment: { advice, full_name: name } }: { payment: Pick<GlobalBatchPayment, 'advice' | 'full_name'> }) {
  const may = useCan('global_batch.update')
  const markBounced = useMarkBounced()
  if (advice === null) return <Missing word="no advice by mail" />
  return (
    <div className={styles.advice}>
      <AdviceState state={advice.state} />
      <small>
        {advice.to_address}
        {advice.sent_at !== null && (
          <>
            , <NewYorkTime at={advice.sent_at} />
          </>
        )}
      </small>
      {advice.reason !== null && <small>{advice.reason}</small>}
      <div className={styles.adviceActs}>
        <Button
          disabledReason={whyNotAgain(advice, may)}
          aria-label={`Send Again: advice of ${name}`}
          onClick={() => void sendAdviceAgain(advice)}
        >
          Send Again
        </Button>
        {advice.state === 'sent' && (
          <Button
            disabledReason={whyNotBounced(advice, may)}
            aria-label={`Mark as Bounced… the advice of ${name}`}
            onClick={() => void markBounced(advice)}
          >
            Mark as Bounced…
          </Button>
        )}
      </div>
    </div>
  )
}
