import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { secondFactorCalls, type SecondFactorState } from '#contract/access/second-factor.ts'
import { joinedMessages } from '#contract/kernel/problem.ts'
import { ApiProblem } from '../kernel/api-problem.ts'
import { callApi } from '../kernel/api.ts'
import { useAttempt } from '../kernel/attempt.tsx'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { resultNotice } from '../kernel/notices/notices.ts'
import { apiQuery, refresh } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { FactorSetup, RecoveryCodes, type Begun } from '../second-factor/second-factor.ts'
import { Button } from '../ui/button.tsx'
import { StatusDot } from '../ui/status.tsx'
import { FactorCodeDialog } from './factor-code-dialog.tsx'
import { PasskeySection } from './passkey-section.tsx'
import { ProfileFrame } from './profile-frame.tsx'
import styles from './profile.module.css'

const about =
  'With it, a sign-in with your password also asks for a code of an app on your phone, or for a passkey. Whoever learns your password then still cannot sign in.'
/** Below this many, the page advises new codes. */
const fewCodes = 3

/** Sends the first code. @returns what is wrong with it; nothing where it was right. */
async function confirmed(code: string, take: (codes: readonly string[]) => void): Promise<string | undefined> {
  try {
    take((await callApi(secondFactorCalls.confirm, { body: { code } })).recovery_codes)
    return undefined
  } catch (problem) {
    return problem instanceof ApiProblem ? joinedMessages(problem.messages) : 'The code could not be checked'
  }
}

/** /users/profile/second_factor */
export function SecondFactorPage() {
  const asked = useQuery(apiQuery(secondFactorCalls.get, {}))
  const [begun, setBegun] = useState<Begun | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const take = (made: readonly string[]) => {
    setBegun(null)
    setCodes(made)
    refresh('users')
  }
  return (
    <ProfileFrame title="Second Factor" about={about}>
      {codes ? (
        <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />
      ) : begun ? (
        <FactorSetup begun={begun} onCode={(code) => confirmed(code, take)} onCancel={() => setBegun(null)} />
      ) : (
        <RecordGate asked={asked}>
          {({ second_factor: state }) => (
            <>
              {state.app ? <AppInForce state={state} /> : <NoApp state={state} onBegun={setBegun} />}
              <PasskeySection hasApp={state.app} onCodes={take} />
              {state.active && <CodesInForce left={state.recovery_codes_left} onCodes={take} />}
            </>
          )}
        </RecordGate>
      )}
    </ProfileFrame>
  )
}

function NoApp({ state, onBegun }: { state: SecondFactorState; onBegun: (begun: Begun) => void }) {
  const attempt = useAttempt()
  const begin = async () => {
    const answer = await attempt.run(() => callApi(secondFactorCalls.begin, {}))
    if (answer) onBegun(answer)
  }
  return (
    <section className={styles.factor} aria-labelledby="app-of-codes">
      <h2 id="app-of-codes">Authenticator app</h2>
      <StatusDot tone={state.active ? 'grey' : 'warn'}>Off</StatusDot>
      {state.due_at !== null && (
        <p>
          Your role requires it: without one you sign in until <NewYorkTime at={state.due_at} />.
        </p>
      )}
      <p>You need an authenticator app: any that makes six-digit codes will do.</p>
      <div className={styles.acts}>
        <Button kind="primary" busy={attempt.busy} onClick={() => void begin()}>
          Set up
        </Button>
      </div>
      {attempt.failure && <p role="alert">{attempt.failure.reason}</p>}
    </section>
  )
}

function AppInForce({ state }: { state: SecondFactorState }) {
  const [asks, setAsks] = useState(false)
  return (
    <section className={styles.factor} aria-labelledby="app-of-codes">
      <h2 id="app-of-codes">Authenticator app</h2>
      <StatusDot tone="ok">On</StatusDot>
      <p>Set up {state.confirmed_at && <NewYorkTime at={state.confirmed_at} />}.</p>
      <div className={styles.acts}>
        <Button kind="danger" onClick={() => setAsks(true)}>
          Switch off…
        </Button>
      </div>
      {asks && (
        <FactorCodeDialog
          title="Switch the authenticator app off"
          about="Without a passkey, your password alone then opens your account."
          button="Switch off"
          danger
          onClose={() => setAsks(false)}
          onCode={async (code) => {
            resultNotice(await callApi(secondFactorCalls.remove, { body: { code } }))
            refresh('users')
          }}
        />
      )}
    </section>
  )
}

function CodesInForce({ left, onCodes }: { left: number; onCodes: (codes: readonly string[]) => void }) {
  const [asks, setAsks] = useState(false)
  return (
    <section className={styles.factor} aria-labelledby="recovery-codes">
      <h2 id="recovery-codes">Recovery codes</h2>
      <p>
        {left === 1 ? '1 recovery code is' : `${left} recovery codes are`} left
        {left < fewCodes ? ': make new ones before you run out.' : '.'}
      </p>
      <div className={styles.acts}>
        <Button onClick={() => setAsks(true)}>New recovery codes…</Button>
      </div>
      {asks && (
        <FactorCodeDialog
          title="Make new recovery codes"
          about="The recovery codes that you have now stop working."
          button="Make new codes"
          onClose={() => setAsks(false)}
          onCode={async (code) => {
            const answer = await callApi(secondFactorCalls.renewCodes, { body: { code } })
            onCodes(answer.recovery_codes)
          }}
        />
      )}
    </section>
  )
}
