import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { billDetailCalls } from '#contract/bills/bill-detail-calls.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { apiQuery } from '../kernel/query.ts'
import { IconButton } from '../ui/button.tsx'
import { Skeleton } from '../ui/states.tsx'
import { Figure, figureText } from '../ui/status.tsx'
import billEntry from './bill-entry.module.css'
import styles from './linked-lines.module.css'
import type { LinkedValues } from './bill-values.ts'
import { useFormPlace } from './form-context.ts'

/** Shows the line that the id names; for an unknown id, the specification's message (BILL-MSG-002). */
export function LinkedLine({ line, onRemove }: { line: LinkedValues; onRemove: (() => void) | undefined }) {
  const { entry } = useFormPlace()
  const params = { client_id: entry.client_id, id: line.service_bill_id }
  const { data, error } = useQuery(apiQuery(billDetailCalls.serviceBill, { params }))
  const found = data?.service_bill
  return (
    <div className={styles.linkedLine}>
      {found && (
        <span>
          Supply line of {found.account_number}
          {found.vendor_name ? `, ${found.vendor_name}` : ''}, bill of {formatDate(found.date)}:{' '}
          {found.service_utility_service_name ?? 'Service'} {found.service_meter_number},{' '}
          {found.usage === null ? 'no usage' : `${figureText(found.usage)} ${found.unit_symbol ?? ''}`},{' '}
          <Figure value={found.charge} places={2} currency />
        </span>
      )}
      {!found && error && (
        <span role="alert" className={billEntry.problem}>
          <strong>ERROR</strong> <span className={billEntry.quiet}>There is no supply line {line.service_bill_id}.</span>
        </span>
      )}
      {!found && !error && <Skeleton width={240} />}
      {onRemove && (
        <IconButton small label={`Unlink line ${line.service_bill_id}`} icon={<X size={14} aria-hidden="true" />} onClick={onRemove} />
      )}
    </div>
  )
}
