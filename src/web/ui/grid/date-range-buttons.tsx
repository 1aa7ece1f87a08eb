import { useState } from 'react'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { Button } from '../button.tsx'
import styles from './data-grid.module.css'
import { dateRanges } from './date-ranges.ts'

/** Ranges by name, each one press. */
export function DateRangeButtons({ onChoose }: { onChoose: (from: string, to: string) => void }) {
  const [ranges] = useState(() => dateRanges(todayIn(NEW_YORK, new Date())))
  return (
    <div className={styles.rangeNames} role="group" aria-label="Ranges by name">
      {ranges.map(({ label, from, to }) => (
        <Button key={label} kind="quiet" small onClick={() => onChoose(from, to)}>
          {label}
        </Button>
      ))}
    </div>
  )
}
