import { useState } from 'react'
import { exportReleaseCalls, releaseNoteMax, type ReleaseDecision, type ReleaseDetail } from '#contract/global-batches/export-release.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { callApi } from '../kernel/api.ts'
import { FailedAttempt, useAttempt } from '../kernel/attempt.tsx'
import { resultNotice } from '../kernel/notices/notices.ts'
import { useCan } from '../kernel/permissions.tsx'
import { Button } from '../ui/button.tsx'
import { confirm } from '../ui/dialogs/confirm-dialog.tsx'
import { TextAreaField } from '../ui/fields/text-field.tsx'
import styles from './global-batches.module.css'
import { refreshDesk } from './refresh-desk.ts'
import { counted } from './words.ts'

/** Releases or refuses with a note; whoever asked withdraws instead. */
export function ReleaseActs({ release }: { release: ReleaseDetail }) {
  const may = useCan('global_batch.update')
  const [note, setNote] = useState('')
  const [lacks, setLacks] = useState(false)
  const attempt = useAttempt()
  const send = async (act: ReleaseDecision['act']) => {
    setLacks(act === 'refuse' && note.trim() === '')
    if (act === 'refuse' && note.trim() === '') return
    if (act === 'release' && !(await confirmed(release))) return
    await attempt.run(() => decide(release.id, { act, note: note.trim() === '' ? null : note.trim() }))
  }
  const denied = may ? undefined : 'You may not decide on it'
  return (
    <div className={styles.confirming}>
      <TextAreaField
        label="Note"
        value={note}
        onChange={setNote}
        maxLength={releaseNoteMax}
        hint="A refusal needs one."
        error={lacks ? 'Note is required' : undefined}
      />
      {release.why_not !== null && <p role="status">{release.why_not}</p>}
      <div className={styles.acts}>
        {release.is_own ? (
          <Button busy={attempt.busy} disabledReason={denied} onClick={() => void send('withdraw')}>
            Withdraw
          </Button>
        ) : (
          <>
            <Button
              kind="primary"
              busy={attempt.busy}
              disabledReason={denied ?? release.why_not ?? undefined}
              onClick={() => void send('release')}
            >
              Release
            </Button>
            <Button kind="danger" busy={attempt.busy} disabledReason={denied} onClick={() => void send('refuse')}>
              Refuse
            </Button>
          </>
        )}
        <FailedAttempt attempt={attempt} again={() => void send(release.is_own ? 'withdraw' : 'release')} what="Not decided" />
      </div>
    </div>
  )
}

function confirmed({ total, payment_count, payer_names }: ReleaseDetail): Promise<boolean> {
  return confirm({
    message: `Release ${counted(payment_count, 'payment')} · ${formatMoney(total)}?`,
    consequence: `Payer: ${payer_names}. The files are written and the batches are paid. This cannot be taken back.`,
    confirmLabel: 'Release',
  })
}

async function decide(id: number, decision: ReleaseDecision): Promise<void> {
  try {
    resultNotice(await callApi(exportReleaseCalls.decide, { params: { id }, body: { decision } }))
  } finally {
    refreshDesk()
  }
}
