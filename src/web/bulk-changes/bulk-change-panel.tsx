/** Changes many records at once, in a panel beside their list: the changes, their effect on each record, and the button that applies them. */
import { useState } from 'react'
import { bulkKinds, type BulkKindName, type BulkReply } from '#contract/bulk-changes/bulk-change.ts'
import { bulkChangeCalls } from '#contract/bulk-changes/bulk-change-calls.ts'
import { callApi } from '../kernel/api.ts'
import { FailedAttempt, useAttempt } from '../kernel/attempt.tsx'
import { randomId } from '../kernel/connection.ts'
import type { Chosen } from '../kernel/lists/list-selection.ts'
import { refresh } from '../kernel/query.ts'
import { Button } from '../ui/button.tsx'
import { Modal } from '../ui/dialogs/modal.tsx'
import styles from './bulk-changes.module.css'
import { BulkFields, type BulkDraft } from './bulk-fields.tsx'
import { BulkPreview, useBulkPreview } from './bulk-preview.tsx'
import { groupsOf, saidWithUndo } from './bulk-undo.ts'
import { bodyOf } from './rows-meant.ts'

const width = 1040

export interface BulkPanelProps {
  readonly kind: BulkKindName
  readonly clientId: number
  readonly chosen: Chosen
  readonly onClose: () => void
}

export function BulkChangePanel({ kind, clientId, chosen, onClose }: BulkPanelProps) {
  // The selection at the time the panel opened, because the list behind it may be reloaded meanwhile.
  const [which] = useState(chosen.which)
  const [draft, setDraft] = useState<BulkDraft>({})
  const preview = useBulkPreview({ kind, clientId, which, changes: draft })
  const act = useApply({ kind, clientId, which, draft, preview, done: () => (chosen.clear(), onClose()) })
  const { labels } = bulkKinds[kind]
  return (
    <Modal
      open
      drawer
      width={width}
      title={`Change ${labels}`}
      onClose={onClose}
      footer={
        <>
          <FailedAttempt attempt={act.attempt} again={act.apply} what="Nothing changed" />
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" busy={act.attempt.busy} disabledReason={lackOf(draft, preview.reply, preview.error)} onClick={act.apply}>
            {applyWords(kind, preview.reply)}
          </Button>
        </>
      }
    >
      <div className={styles.panel}>
        <BulkFields
          kind={kind}
          clientId={clientId}
          draft={draft}
          errors={preview.fields}
          onChange={(next) => {
            act.attempt.forget()
            setDraft(next)
          }}
        />
        <BulkPreview kind={kind} preview={preview} changes={draft} />
      </div>
    </Modal>
  )
}

function lackOf(draft: BulkDraft, reply: BulkReply | undefined, error: Error | null): string | undefined {
  if (Object.keys(draft).length === 0) return 'Choose at least one field to change'
  if (error) return "This change isn't possible"
  if (!reply) return 'The preview is on its way'
  return reply.counts.change === 0 ? 'Nothing would change' : undefined
}

/** Returns 'Change 98 billable accounts'. */
function applyWords(kind: BulkKindName, reply: BulkReply | undefined): string {
  const { label, labels } = bulkKinds[kind]
  const count = reply?.counts.change ?? 0
  return count === 0
    ? `Change ${labels.toLowerCase()}`
    : `Change ${count.toLocaleString('en-US')} ${(count === 1 ? label : labels).toLowerCase()}`
}

type ApplyParts = Pick<BulkPanelProps, 'kind' | 'clientId'> & {
  readonly which: Chosen['which']
  readonly draft: BulkDraft
  readonly preview: ReturnType<typeof useBulkPreview>
  readonly done: () => void
}

/** One intent per preview, so that a second press, or a press after a lost response, has no second effect. */
function useApply({ kind, clientId, which, draft, preview, done }: ApplyParts) {
  const attempt = useAttempt()
  const [intent, setIntent] = useState(randomId)
  const apply = () =>
    void attempt.run(async () => {
      const { reply } = preview
      if (!reply) return
      try {
        const body = { ...bodyOf(which), changes: draft, dry_run: false, token: reply.token }
        const result = await callApi(bulkChangeCalls[kind], { params: { client_id: clientId }, body, intent })
        refresh(...groupsOf(kind))
        saidWithUndo(result, { kind, clientId })
        done()
      } catch (error) {
        setIntent(randomId())
        preview.again()
        throw error
      }
    })
  return { attempt, apply }
}
