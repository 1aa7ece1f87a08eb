import { CircleHelp } from 'lucide-react'
import type { DashboardBasis } from '#contract/dashboard/basis.ts'
import { Popover } from '../ui/popover.tsx'
import { basisWords } from './basis-words.ts'
import styles from './dashboard.module.css'

/** Explains what a month of the dashboard holds, with the example of one bill. */
export function MonthsHelp({ basis }: { basis: DashboardBasis }) {
  return (
    <Popover label="What a month holds" trigger={<CircleHelp size={14} aria-hidden="true" />} kind="quiet" small square>
      <div className={styles.help}>
        {basisWords[basis].help.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
    </Popover>
  )
}
