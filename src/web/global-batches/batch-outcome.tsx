/** The questions of the form of a global batch before it is saved, and the outcome of the save. */
import type { ReactNode } from 'react'
import type { GlobalBatch } from '#contract/global-batches/global-batch.ts'
import { centsOf, formatMoney, subtractMoney } from '#contract/kernel/money.ts'
import { useGo } from '../kernel/navigation.tsx'
import { ButtonLink } from '../ui/button.tsx'
import type { confirm } from '../ui/dialogs/confirm-dialog.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { EmptyState } from '../ui/states.tsx'
import { todaysHref } from './desk-head.tsx'
import styles from './global-batches.module.css'
import { Reasons, ResultDialog } from './result-dialog.tsx'
import { counted, ownWords, words } from './words.ts'

export function NothingChosen() {
  return (
    <>
      <PageHeader title="New Batch" />
      <EmptyState title="No bill is chosen" actions={<ButtonLink href="/global_batch">Unswept Bills</ButtonLink>}>
        A batch is made of bills. Choose them first.
      </EmptyState>
    </>
  )
}

export type Outcome =
  | { readonly kind: 'created'; readonly batches: readonly GlobalBatch[] }
  | { readonly kind: 'failed'; readonly reasons: readonly string[] }

export interface Payer {
  readonly id: number
  readonly name: string
  readonly vendors: string
  readonly count: number
  readonly total: string
}

/** Returns the confirmation question: number of batches, total, bills paid otherwise without a reason, and the amount above the bank value. */
export function questionOf(
  payers: readonly Payer[],
  total: string,
  { remaining, unsaid }: { readonly remaining: string | undefined; readonly unsaid: number },
): Parameters<typeof confirm>[0] {
  const over = remaining === undefined ? 0 : centsOf(subtractMoney(remaining, total))
  return {
    title: words.create_question,
    message: `${counted(payers.length, 'batch', 'batches')} · ${formatMoney(total)}`,
    consequence: (
      <>
        <ul className={styles.reasons}>
          {payers.map(({ id, name, count, total: own }) => (
            <li key={id}>{`${name}: ${counted(count, 'bill')}, ${formatMoney(own)}`}</li>
          ))}
        </ul>
        {unsaid > 0 && <p className={styles.over}>{ownWords.unsaid(unsaid)}</p>}
        {over < 0 && <p className={styles.over}>{ownWords.overdraws(subtractMoney(total, remaining ?? '0.00'))}</p>}
      </>
    ),
    confirmLabel: words.yes,
    cancelLabel: words.no,
  }
}

export function OutcomeDialog({ outcome, close }: { outcome: Outcome; close: () => void }): ReactNode {
  const go = useGo()
  if (outcome.kind === 'failed')
    return (
      <ResultDialog
        title="Error"
        message={words.create_failed}
        details={<Reasons reasons={outcome.reasons} />}
        answers={[{ label: words.continue, primary: true, run: close }]}
        onClose={close}
      />
    )
  return (
    <ResultDialog
      title="Success"
      message={words.created}
      details={
        <Reasons
          reasons={outcome.batches.map(
            (batch) => `${batch.payer_name}: ${counted(batch.bill_count, 'bill')}, ${formatMoney(batch.batch_total)}`,
          )}
        />
      }
      answers={[
        { label: words.stay, run: () => location.reload() },
        { label: words.go_to_today, primary: true, run: () => go(todaysHref()) },
      ]}
      onClose={() => location.reload()}
    />
  )
}
