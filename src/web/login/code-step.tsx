import { useEffect, useRef, useState, type FormEvent } from 'react'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { secondStep, type CodeAsked } from './auth-calls.ts'
import { requiredError } from './form-rules.ts'
import styles from './login.module.css'
import { signInMessages as text } from './messages.ts'
import { knowsPasskeys, PasskeyButton } from './passkey-button.tsx'
import { storeCredentials, takeReturnPath } from './session-store.ts'
import { SignInPage } from './sign-in-page.tsx'

const signedOut = 401

const ways = {
  code: { title: text.codeTitle, intro: text.codeIntro, use: 'Use a code of the app' },
  passkey: { title: text.passkeyTitle, intro: text.passkeyIntro, use: 'Use a passkey' },
  recovery: { title: text.recoveryTitle, intro: text.recoveryIntro, use: 'Use a recovery code' },
} as const
type Way = keyof typeof ways

interface CodeStepProps {
  readonly asked: CodeAsked
  /** Back to the password; `why` says what ended this step. */
  readonly onBack: (why?: string) => void
}

/** The second step of a sign-in: a code of the app, a passkey, or a recovery code. */
export function CodeStep({ asked, onBack }: CodeStepProps) {
  const open = waysOf(asked)
  const [way, setWay] = useState<Way>(open[0] ?? 'recovery')
  return (
    <SignInPage
      title={ways[way].title}
      intro={ways[way].intro}
      foot={
        <span className={styles.ways}>
          {open
            .filter((one) => one !== way)
            .map((one) => (
              <Button key={one} onClick={() => setWay(one)}>
                {ways[one].use}
              </Button>
            ))}
          <Button onClick={() => onBack()}>Back</Button>
        </span>
      }
    >
      {way === 'passkey' ? (
        <PasskeyForm asked={asked} onOver={onBack} />
      ) : (
        <CodeForm key={way} isRecovery={way === 'recovery'} challenge={asked.challenge} onOver={onBack} />
      )}
    </SignInPage>
  )
}

function waysOf({ app, passkey }: CodeAsked): Way[] {
  return [...(app ? (['code'] as const) : []), ...(passkey !== null && knowsPasskeys ? (['passkey'] as const) : []), 'recovery']
}

function PasskeyForm({ asked, onOver }: { asked: CodeAsked; onOver: (why: string) => void }) {
  const [failure, setFailure] = useState('')
  return (
    <div className={styles.form}>
      <PasskeyButton
        label="Use a passkey"
        kind="primary"
        ask={async () => (await import('./passkey-calls.ts')).passkeySecondStep(asked.challenge, asked.passkey)}
        onFailure={(message, status) => (status === signedOut ? onOver(message) : setFailure(message))}
      />
      <p className={styles.failure} role="status">
        {failure}
      </p>
    </div>
  )
}

interface CodeFormProps {
  readonly isRecovery: boolean
  readonly challenge: string
  readonly onOver: (why: string) => void
}

function CodeForm({ isRecovery, challenge, onOver }: CodeFormProps) {
  const [code, setCode] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | undefined>()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const missing = requiredError(code.trim(), isRecovery ? text.recoveryRequired : text.codeRequired)
    setFailure(missing)
    if (missing || busy) return
    setBusy(true)
    const answer = await secondStep(challenge, code)
    if (answer.ok) {
      storeCredentials(answer.value)
      location.assign(takeReturnPath())
      return
    }
    setBusy(false)
    const message = answer.errors.join(', ')
    if (answer.status === signedOut) return onOver(message)
    setFailure(message)
    field.current?.select()
  }

  return (
    <form className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
      <TextField
        ref={field}
        label={isRecovery ? 'Recovery code' : text.codeLabel}
        name="code"
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        inputMode={isRecovery ? undefined : 'numeric'}
        value={code}
        onChange={(value) => {
          setCode(value)
          setFailure(undefined)
        }}
        error={failure}
      />
      <Button type="submit" kind="primary" busy={busy}>
        Verify
      </Button>
    </form>
  )
}
