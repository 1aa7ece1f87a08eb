import { useState } from 'react'
import { secondFactorCalls } from '#contract/access/second-factor.ts'
import type { User } from '#contract/users/user.ts'
import { callApi } from '../kernel/api.ts'
import { problemNotice, resultNotice } from '../kernel/notices/notices.ts'
import { refresh } from '../kernel/query.ts'
import { Button } from '../ui/button.tsx'
import { confirm } from '../ui/dialogs/confirm-dialog.tsx'
import { personName } from './user-place.ts'
import styles from './users.module.css'

/** Removes the second factor of somebody who has lost both their app and their recovery codes. */
export function UserSecondFactor({ person }: { person: User }) {
  const [busy, setBusy] = useState(false)
  if (!person.second_factor) return <p className={styles.note}>They have no second factor.</p>
  const remove = async () => {
    const sure = await confirm({
      message: `Remove the second factor of ${personName(person)}?`,
      consequence: 'Their password alone then opens their account. Make sure that it is them who ask. They are told by mail.',
      confirmLabel: 'Remove',
      danger: true,
    })
    if (!sure) return
    setBusy(true)
    try {
      resultNotice(await callApi(secondFactorCalls.removeOf, { params: { id: person.id } }))
    } catch (error) {
      problemNotice(error)
    }
    setBusy(false)
    refresh('users')
  }
  return (
    <div className={styles.note}>
      <p>They sign in with a second factor.</p>
      <Button kind="danger" busy={busy} onClick={() => void remove()}>
        Remove second factor…
      </Button>
    </div>
  )
}
