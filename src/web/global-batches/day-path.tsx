import type { BankValue } from '#contract/global-batches/bank-value.ts'
import type { GlobalBatchList } from '#contract/global-batches/global-batch.ts'
import { payTypes } from '#contract/global-batches/pay-type.ts'
import { StatePath } from '../batches/batches.ts'
import styles from './global-batches.module.css'
import { counted } from './words.ts'

type Desk = Pick<GlobalBatchList, 'counts' | 'all_count' | 'paid_count'>

/** The progress of the day, and one sentence on what is missing to finish it. */
export function DayPath({ desk, bank }: { desk: Desk; bank: BankValue }) {
  const open = payTypes.filter((type) => desk.counts[type] > 0)
  const places = [bank.locked, desk.all_count > 0, desk.all_count > 0 && open.length === 0]
  const here = places.lastIndexOf(true)
  const steps = ['Value locked', 'Batches', 'Exported'].map((word, place) => ({
    word,
    at: null,
    taken: places[place] === true,
    here: place === here,
  }))
  return (
    <div className={styles.day}>
      <StatePath steps={[...steps, { word: 'Accounting export', at: null, taken: false, here: false }]} />
      <p role="status">{missingOf(desk, open)}</p>
    </div>
  )
}

function missingOf(desk: Desk, open: readonly (keyof Desk['counts'])[]): string {
  if (desk.all_count === 0) return 'Nothing is batched today.'
  const waiting = open.map(
    (type) =>
      `${desk.counts[type].toLocaleString('en-US')} ${type} not ${type === 'OP' ? 'paid' : type === 'NP' ? 'finalized' : 'exported'}`,
  )
  if (waiting.length > 0) return `${waiting.join(', ')}.`
  return `${counted(desk.paid_count, 'paid batch', 'paid batches')} for the accounting export.`
}
