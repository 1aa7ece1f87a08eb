import { useState } from 'react'
import type { Webhook } from '#contract/webhooks/webhook.ts'
import { webhookCalls } from '#contract/webhooks/webhook-calls.ts'
import { callApi } from '../kernel/api.ts'
import { problemNotice } from '../kernel/notices/notices.ts'
import { Button } from '../ui/button.tsx'
import { Modal } from '../ui/dialogs/modal.tsx'
import { SecretOnce } from '../ui/secret-once.tsx'

/** Asks for confirmation, then shows the new secret once. */
export function RenewSecret({ row, onClose }: { row: Pick<Webhook, 'id' | 'name'>; onClose: () => void }) {
  const [secret, setSecret] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const renew = async () => {
    setBusy(true)
    try {
      setSecret((await callApi(webhookCalls.renewSecret, { params: { id: row.id } })).secret)
    } catch (error) {
      problemNotice(error)
    } finally {
      setBusy(false)
    }
  }
  const ask = (
    <>
      <Button onClick={onClose} autoFocus>
        Cancel
      </Button>
      <Button kind="primary" busy={busy} onClick={() => void renew()}>
        Renew secret
      </Button>
    </>
  )
  return (
    <Modal
      open
      title={`Secret of ${row.name ?? 'the webhook'}`}
      width={620}
      onClose={onClose}
      footer={secret ? <Button onClick={onClose}>Done</Button> : ask}
    >
      {secret ? (
        <SecretOnce label="New secret" value={secret}>
          Copy it now: it is not shown again. For 24 hours what is sent is signed with the former secret too.
        </SecretOnce>
      ) : (
        <p>
          A new secret signs what is sent from now on. The former one signs beside it for 24 hours, so that the receiver has time to change.
        </p>
      )}
    </Modal>
  )
}
