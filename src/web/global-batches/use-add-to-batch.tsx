import { useState, type ReactNode } from 'react'
import { globalBatchCalls, type GlobalBatch } from '#contract/global-batches/global-batch.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { callApi } from '../kernel/api.ts'
import { useGo } from '../kernel/navigation.tsx'
import { notify } from '../ui/dialogs/notices.ts'
import { addKey, attributesOf, nothingChosen, setChoice } from './chosen-bills.ts'
import { batchBillsHref, todaysHref } from './desk-head.tsx'
import type { LiveChoice } from './live-choice.ts'
import { refreshDesk } from './refresh-desk.ts'
import { Reasons, reasonsOf, ResultDialog } from './result-dialog.tsx'
import { counted, said, viewTodays, words } from './words.ts'

type Outcome =
  | { readonly kind: 'added'; readonly count: number; readonly total: string }
  | { readonly kind: 'failed'; readonly reasons: readonly string[] }

/** Adds the selected bills to a batch and shows the result. */
export function useAddToBatch(batch: GlobalBatch, live: LiveChoice): { add: () => void; busy: boolean; dialog: ReactNode } {
  const go = useGo()
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const { bills, choice, total } = live
  const send = async () => {
    setBusy(true)
    try {
      const draft = {
        new_bill_ids: bills.map(({ id }) => id),
        bills_attributes: attributesOf(choice, bills),
      }
      await callApi(globalBatchCalls.update, { params: { id: batch.id }, body: { global_batch: draft } })
      setChoice(addKey(batch.id), nothingChosen)
      setOutcome({ kind: 'added', count: bills.length, total })
    } catch (error) {
      setOutcome({ kind: 'failed', reasons: reasonsOf(error) })
    } finally {
      setBusy(false)
      refreshDesk()
    }
  }
  const add = () => {
    if (bills.length === 0) notify(said(words.no_bill_selected))
    else if (!busy) void send()
  }
  const close = () => setOutcome(null)
  return { add, busy, dialog: outcome && dialogOf(outcome, { batch, go, close }) }
}

interface Ways {
  readonly batch: GlobalBatch
  readonly go: (href: string) => void
  readonly close: () => void
}

function dialogOf(outcome: Outcome, { batch, go, close }: Ways): ReactNode {
  if (outcome.kind === 'failed')
    return (
      <ResultDialog
        title={words.add_failed}
        message={words.check_everything}
        details={<Reasons reasons={outcome.reasons} />}
        answers={[{ label: words.continue, primary: true, run: close }]}
        onClose={close}
      />
    )
  const type = batch.effective_type ?? ''
  return (
    <ResultDialog
      title="Success"
      message={words.added}
      details={<p className="num">{`${counted(outcome.count, 'bill')}, ${formatMoney(outcome.total)}`}</p>}
      answers={[
        { label: viewTodays(type), run: () => go(todaysHref(type)) },
        { label: words.view_updated, primary: true, run: () => go(batchBillsHref(batch.id)) },
      ]}
      onClose={close}
    />
  )
}
