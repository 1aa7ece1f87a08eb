import { CircleHelp } from 'lucide-react'
import { fullStatuses, statusMeanings } from '#contract/bills/bill-status.ts'
import { cx } from '../ui/class-names.ts'
import { Popover } from '../ui/popover.tsx'
import { BillStatus } from './bill-cells.tsx'
import styles from './status-help.module.css'

/** The meanings of the bill statuses, in the order in which they are checked; the bill's own status is highlighted. */
export function StatusHelp({ current }: { current?: string }) {
  return (
    <Popover label="What the statuses mean" trigger={<CircleHelp size={14} aria-hidden="true" />} kind="quiet" small square>
      <p className={styles.lead}>A bill shows the first of these that holds.</p>
      <dl className={styles.meanings}>
        {fullStatuses.map((status) => (
          <div key={status} className={cx(styles.meaning, status === current && styles.current)}>
            <dt>
              <BillStatus status={status} />
            </dt>
            <dd>{statusMeanings[status]}</dd>
          </div>
        ))}
      </dl>
    </Popover>
  )
}
