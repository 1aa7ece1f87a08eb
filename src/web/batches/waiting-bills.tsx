import styles from './batches.module.css'

export interface WaitingBill {
  readonly id: number
  readonly label: string
  readonly reason: string | undefined
}

/** Bills that no batch may contain yet, each with its reason. Renders nothing if there are none. */
export function WaitingBills({ bills }: { bills: readonly WaitingBill[] }) {
  if (bills.length === 0) return null
  return (
    <details className={styles.waiting}>
      <summary>{`${bills.length.toLocaleString('en-US')} ${bills.length === 1 ? 'bill waits' : 'bills wait'}`}</summary>
      <ul>
        {bills.map((bill) => (
          <li key={bill.id}>
            <span className="num">{bill.label}</span> <span>{bill.reason}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
