import { NewYorkTime } from '../kernel/new-york-time.tsx'
import styles from './batches.module.css'

export interface BatchStep {
  readonly word: string
  readonly at: string | null
  readonly taken: boolean
  readonly here: boolean
}

/** The steps of a batch, with the times of the finished ones. */
export function StatePath({ steps }: { steps: readonly BatchStep[] }) {
  return (
    <ol className={styles.path} aria-label="State">
      {steps.map(({ word, at, taken, here }) => (
        <li key={word} className={styles.step} data-taken={taken || undefined} aria-current={here ? 'step' : undefined}>
          <span>{word}</span>
          {taken && at !== null && <NewYorkTime at={at} show="near" className={styles.when} />}
        </li>
      ))}
    </ol>
  )
}
