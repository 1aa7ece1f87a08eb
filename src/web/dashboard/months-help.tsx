import { CircleHelp } from 'lucide-react'
import { Popover } from '../ui/popover.tsx'
import styles from './dashboard.module.css'

/** Explains what a month of the dashboard holds, with the example of one bill. */
export function MonthsHelp() {
  return (
    <Popover label="What a month holds" trigger={<CircleHelp size={14} aria-hidden="true" />} kind="quiet" small square>
      <div className={styles.help}>
        <p>
          Each line of a bill is spread evenly over the days that it covers. A month holds the days that fall into it, whenever the bill was
          dated or paid.
        </p>
        <p>A bill of $320.00 from 09/12 to 10/14 covers 32 days: $190.00 of it count in September and $130.00 in October.</p>
        <p>What covers no day, such as a bill without a meter, counts in the month of the bill’s date.</p>
        <p>The months of a bill add up to its cost. A balance forward is no cost.</p>
      </div>
    </Popover>
  )
}
