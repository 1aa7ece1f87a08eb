import { useState } from 'react'
import { globalBatchCalls, type GlobalBatch } from '#contract/global-batches/global-batch.ts'
import type { PayType, TemporaryType } from '#contract/global-batches/pay-type.ts'
import { formatMoney, sumMoney } from '#contract/kernel/money.ts'
import { ApiProblem } from '../kernel/api-problem.ts'
import { callApi } from '../kernel/api.ts'
import { seconds } from '../kernel/notices/messages.ts'
import { problemNotice, resultNotice } from '../kernel/notices/notices.ts'
import { useCan } from '../kernel/permissions.tsx'
import { Button } from '../ui/button.tsx'
import { confirm } from '../ui/dialogs/confirm-dialog.tsx'
import { notify } from '../ui/dialogs/notices.ts'
import { offered } from './chosen-batches.ts'
import styles from './global-batches.module.css'
import { PayActions } from './pay-actions.tsx'
import { refreshDesk } from './refresh-desk.ts'
import { counted, words } from './words.ts'

interface ActionsProps {
  readonly type: PayType | null
  /** The earlier day whose batches are shown, if any. */
  readonly day: string | undefined
  readonly batches: readonly GlobalBatch[]
  readonly chosen: readonly GlobalBatch[]
  /** Called when the selected batches were moved. */
  readonly onDone: () => void
}

/** The actions on the batches; each button is shown only if its condition holds. */
export function DeskActions({ type, day, batches, chosen, onDone }: ActionsProps) {
  const may = useCan('global_batch.update')
  const mayUnbatch = useCan('global_batch.destroy')
  const [busy, setBusy] = useState(false)
  const offer = offered(chosen, type)
  const ids = chosen.map(({ id }) => id)
  const ofTab = type ? { type } : {}
  const sum = formatMoney(sumMoney(chosen.map((batch) => batch.batch_total)))
  const chosenWords = `${counted(chosen.length, 'batch', 'batches')} · ${sum}`
  const none = chosen.length === 0 ? 'No batch is chosen' : undefined
  const act = async (work: () => Promise<void>) => {
    if (busy) return
    setBusy(true)
    try {
      await work()
    } finally {
      setBusy(false)
      refreshDesk()
    }
  }
  const move = (temp_method: TemporaryType | null) =>
    act(async () => {
      try {
        resultNotice(await callApi(globalBatchCalls.tempPayMethod, { body: { ids, temp_method, ...ofTab } }))
        onDone()
      } catch (error) {
        sayMoveFailed(error)
      }
    })
  const unbatch = () =>
    act(async () => {
      const question = {
        message: 'Unbatch the selection?',
        consequence: `${chosenWords}. The bills are unswept again and keep their amounts.`,
        confirmLabel: 'Unbatch',
      }
      if (!(await confirm(question))) return
      try {
        resultNotice(await callApi(globalBatchCalls.unbatch, { body: { ids, ...ofTab } }))
        onDone()
      } catch (error) {
        problemNotice(error, seconds.batch)
      }
    })
  return (
    <div className={styles.actions} role="group" aria-label="Actions for batches">
      {mayUnbatch && (
        <Button busy={busy} disabledReason={none} reasonHidden onClick={() => void unbatch()}>
          Unbatch selection(s)
        </Button>
      )}
      {may && (
        <>
          {offer.back && (
            <Button busy={busy} onClick={() => void move(null)}>
              Move back
            </Button>
          )}
          {offer.toNp && (
            <Button busy={busy} disabledReason={none} reasonHidden onClick={() => void move('NP')}>
              Move to NP
            </Button>
          )}
          {offer.toOp && (
            <Button busy={busy} disabledReason={none} reasonHidden onClick={() => void move('OP')}>
              Move to OP
            </Button>
          )}
          {offer.toAvid && (
            <Button busy={busy} disabledReason={none} reasonHidden onClick={() => void move('Avid')}>
              Move to Avid
            </Button>
          )}
          <PayActions {...{ type, day, batches, chosen, chosenWords, busy, act, onDone }} />
        </>
      )}
      <span className="num" role="status">
        {chosen.length > 0 && chosenWords}
      </span>
    </div>
  )
}

function sayMoveFailed(error: unknown): void {
  if (error instanceof ApiProblem && error.signedOut) return
  const message = error instanceof ApiProblem ? error.messages.join(' ') : String(error)
  notify({ kind: 'error', title: words.move_failed, message, duration: seconds.batch })
}
