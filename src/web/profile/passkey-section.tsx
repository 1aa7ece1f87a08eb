import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { passkeyCalls, type Passkey } from '#contract/access/passkey.ts'
import { callApi } from '../kernel/api.ts'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { problemNotice, resultNotice } from '../kernel/notices/notices.ts'
import { apiQuery, refresh } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { createPasskey } from '../second-factor/second-factor.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { confirm } from '../ui/dialogs/confirm-dialog.tsx'
import { PasskeyDialog } from './passkey-dialog.tsx'
import styles from './profile.module.css'

interface PasskeySectionProps {
  /** Then a new passkey needs a code of it. */
  readonly hasApp: boolean
  readonly onCodes: (codes: readonly string[]) => void
}

/** The passkeys of the signed-in user. */
export function PasskeySection({ hasApp, onCodes }: PasskeySectionProps) {
  const asked = useQuery(apiQuery(passkeyCalls.list, {}))
  const [adds, setAdds] = useState(false)
  const add = async (name: string, code: string) => {
    const { options } = await callApi(passkeyCalls.creationOptions, {})
    const credential = await createPasskey(options)
    const body = passkeyCalls.create.schemas.body.parse({ name, credential, ...(hasApp ? { code } : {}) })
    const answer = await callApi(passkeyCalls.create, { body })
    resultNotice(answer)
    refresh('users')
    if (answer.recovery_codes) onCodes(answer.recovery_codes)
  }
  return (
    <section className={cx(styles.factor, styles.wide)} aria-labelledby="passkeys">
      <h2 id="passkeys">Passkeys</h2>
      <p>A passkey signs you in without a password, by the PIN, face or finger of your device, or by a security key.</p>
      <RecordGate asked={asked}>{({ passkeys }) => passkeys.length > 0 && <PasskeyTable all={passkeys} />}</RecordGate>
      <div className={styles.acts}>
        <Button onClick={() => setAdds(true)}>Add a passkey…</Button>
      </div>
      {adds && (
        <PasskeyDialog
          title="Add a passkey"
          about="Your device then asks for its PIN, your face or your finger."
          button="Add"
          asksCode={hasApp}
          onClose={() => setAdds(false)}
          onSave={add}
        />
      )}
    </section>
  )
}

function PasskeyTable({ all }: { all: readonly Passkey[] }) {
  return (
    <div className={styles.scroll}>
      <table className={styles.signIns}>
        <caption className="sr-only">Your passkeys</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Added</th>
            <th scope="col">Last used</th>
            <th scope="col">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {all.map((one) => (
            <PasskeyLine key={one.id} one={one} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function PasskeyLine({ one }: { one: Passkey }) {
  const [renames, setRenames] = useState(false)
  const [busy, setBusy] = useState(false)
  const remove = async () => {
    const sure = await confirm({
      message: `Remove the passkey “${one.name}”?`,
      consequence: 'It does not sign in any more. Delete it on your device as well.',
      confirmLabel: 'Remove',
      danger: true,
    })
    if (!sure) return
    setBusy(true)
    try {
      resultNotice(await callApi(passkeyCalls.destroy, { params: { id: one.id } }))
    } catch (error) {
      problemNotice(error)
    }
    setBusy(false)
    refresh('users')
  }
  return (
    <tr>
      <th scope="row">
        {one.name}
        {!one.signs_in && <p className={styles.note}>Your password was replaced: use both together once.</p>}
      </th>
      <td>
        <NewYorkTime at={one.created_at} />
      </td>
      <td>{one.last_used_at === null ? 'never' : <NewYorkTime at={one.last_used_at} />}</td>
      <td>
        <div className={styles.acts}>
          <Button small aria-label={`Rename ${one.name}`} onClick={() => setRenames(true)}>
            Rename…
          </Button>
          <Button small kind="danger" busy={busy} aria-label={`Remove ${one.name}`} onClick={() => void remove()}>
            Remove…
          </Button>
        </div>
        {renames && (
          <PasskeyDialog
            title="Rename the passkey"
            about="The name is shown here and in mails."
            button="Rename"
            name={one.name}
            onClose={() => setRenames(false)}
            onSave={async (name) => {
              resultNotice(await callApi(passkeyCalls.rename, { params: { id: one.id }, body: { name } }))
              refresh('users')
            }}
          />
        )}
      </td>
    </tr>
  )
}
