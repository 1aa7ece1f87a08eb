import { nextOrder } from './sort-order.ts'
import styles from './sort-head.module.css'

export interface SortHeadProps {
  readonly label: string
  readonly sortKey: string
  /** The key in force, with a minus for the largest first. */
  readonly order: string
  readonly onOrder: (order: string) => void
  readonly className?: string | undefined
  /** The key by which the change of this column sorts. */
  readonly change?: string | undefined
}

/** The head of a column by which a plain table is sorted, and by whose change. */
export function SortHead({ label, sortKey, order, onOrder, className, change }: SortHeadProps) {
  const key = order.replace('-', '')
  const isOwn = key === sortKey || key === change
  const direction = order.startsWith('-') ? 'descending' : 'ascending'
  const button = (text: string, of: string, name?: string) => (
    <button type="button" className={styles.sort} aria-label={name} onClick={() => onOrder(nextOrder(order, of))}>
      {text}
      <span aria-hidden="true">{key === of ? (direction === 'descending' ? ' ↓' : ' ↑') : ''}</span>
    </button>
  )
  return (
    <th scope="col" className={className} aria-sort={isOwn ? direction : undefined}>
      {button(label, sortKey)}
      {change !== undefined && <span className={styles.change}>{button('change', change, `Change of ${label}`)}</span>}
    </th>
  )
}
