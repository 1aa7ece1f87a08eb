/** Values of two bills side by side; differences are marked, for money with the amount. */
import type { ReactNode } from 'react'
import type { ComparedGroup, ComparedValue } from '#contract/bills/bill-compare.ts'
import { formatDate, formatMonth } from '#contract/kernel/date.ts'
import { cx } from '../ui/class-names.ts'
import { Figure, Missing } from '../ui/status.tsx'
import styles from './corrections.module.css'

export interface ComparedTableProps {
  readonly label: string
  readonly groups: readonly ComparedGroup[]
  readonly left: ReactNode
  readonly right: ReactNode
  readonly onlyDifferent?: boolean | undefined
}

export function ComparedTable({ label, groups, left, right, onlyDifferent = false }: ComparedTableProps) {
  const shown = groups
    .map((group) => ({ ...group, values: group.values.filter((value) => value.differs || !onlyDifferent) }))
    .filter((group) => group.values.length > 0)
  if (shown.length === 0) return <p className={styles.hint}>Nothing differs.</p>
  return (
    <div className={styles.scroll}>
      <table className={styles.compared} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">{left}</th>
            <th scope="col">{right}</th>
            <th scope="col" className={styles.figure}>
              Difference
            </th>
          </tr>
        </thead>
        {shown.map((group) => (
          <tbody key={group.key}>
            <tr>
              <th scope="rowgroup" colSpan={4} className={styles.group}>
                {group.title}
              </th>
            </tr>
            {group.values.map((value) => (
              <tr key={value.key} className={cx(value.differs && styles.differs)}>
                <th scope="row">{value.label}</th>
                <td>{shownValue(value, value.left)}</td>
                <td>{shownValue(value, value.right)}</td>
                <td className={styles.figure}>
                  {value.delta === null ? (
                    value.differs && 'differs'
                  ) : (
                    <>
                      {!value.delta.startsWith('-') && '+'}
                      <Figure value={value.delta} places={2} />
                    </>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  )
}

function shownValue({ kind }: ComparedValue, value: string | null): ReactNode {
  if (value === null || value === '') return <Missing />
  if (kind === 'money') return <Figure value={value} places={2} />
  if (kind === 'number') return <Figure value={value} bare />
  if (kind === 'date') return <span className="num">{formatDate(value)}</span>
  return kind === 'month' ? formatMonth(value) : value
}
