import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { authCalls, type SignInPlace } from '#contract/access/auth.ts'
import { callApi } from '../kernel/api.ts'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { problemNotice, resultNotice } from '../kernel/notices/notices.ts'
import { apiQuery, refresh } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { Button } from '../ui/button.tsx'
import { confirm } from '../ui/dialogs/confirm-dialog.tsx'
import { Badge } from '../ui/status.tsx'
import { ProfileFrame } from './profile-frame.tsx'
import styles from './profile.module.css'

/** The user's current sign-ins, each of which can be ended. */
export function SignInsPage() {
  const asked = useQuery(apiQuery(authCalls.signIns, {}))
  const [busy, setBusy] = useState(false)
  const others = asked.data?.sign_ins.filter((one) => !one.current).length ?? 0
  const end = async (work: () => Promise<{ success: boolean; message: string }>) => {
    setBusy(true)
    try {
      resultNotice(await work())
    } catch (error) {
      problemNotice(error)
    } finally {
      setBusy(false)
      refresh('users')
    }
  }
  const endOthers = async () => {
    const yes = await confirm({
      message: 'Sign out everywhere else?',
      consequence: `${others} ${others === 1 ? 'sign-in ends' : 'sign-ins end'} at once; this one stays.`,
      confirmLabel: 'Sign out',
      danger: true,
    })
    if (yes) await end(() => callApi(authCalls.endOtherSignIns, {}))
  }
  return (
    <ProfileFrame
      title="Sign-ins"
      about="Every browser and program that is signed in as you. End what you do not recognise, and change your password."
      actions={
        <Button
          busy={busy}
          disabledReason={asked.data && others === 0 ? 'You are signed in nowhere else' : undefined}
          reasonHidden
          onClick={() => void endOthers()}
        >
          Sign out everywhere else
        </Button>
      }
    >
      <RecordGate asked={asked}>
        {({ sign_ins }) => (
          <SignInTable all={sign_ins} busy={busy} onEnd={(id) => void end(() => callApi(authCalls.endSignIn, { params: { id } }))} />
        )}
      </RecordGate>
    </ProfileFrame>
  )
}

interface SignInTableProps {
  readonly all: readonly SignInPlace[]
  readonly busy: boolean
  readonly onEnd: (id: number) => void
}

function SignInTable({ all, busy, onEnd }: SignInTableProps) {
  return (
    <div className={styles.scroll}>
      <table className={styles.signIns}>
        <caption className="sr-only">Where you are signed in</caption>
        <thead>
          <tr>
            <th scope="col">Device</th>
            <th scope="col">Address</th>
            <th scope="col">Signed in</th>
            <th scope="col">Last used</th>
            <th scope="col">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {all.map((one) => (
            <SignInLine key={one.id} one={one} busy={busy} onEnd={() => onEnd(one.id)} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function SignInLine({ one, busy, onEnd }: { one: SignInPlace; busy: boolean; onEnd: () => void }) {
  return (
    <tr>
      <th scope="row">
        {one.device} {one.current && <Badge tone="ok">This one</Badge>}
      </th>
      <td className="num">{one.ip_address ?? 'not known'}</td>
      <td>
        <NewYorkTime at={one.signed_in_at} />
      </td>
      <td>
        <NewYorkTime at={one.used_at} />
      </td>
      <td className={styles.end}>
        {!one.current && (
          <Button small kind="danger" busy={busy} aria-label={`Sign out ${one.device}`} onClick={onEnd}>
            Sign out
          </Button>
        )}
      </td>
    </tr>
  )
}
