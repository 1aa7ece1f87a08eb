import { useEffect, useRef, useState, type FormEvent } from 'react'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { secondStep } from './auth-calls.ts'
import { requiredError } from './form-rules.ts'
import styles from './login.module.css'
import { signInMessages as text } from './messages.ts'
import { storeCredentials, takeReturnPath } from './session-store.ts'
import { SignInPage } from './sign-in-page.tsx'

const signedOut = 401

interface CodeStepProps {
  readonly challenge: string
  /** Back to the password; `why` says what ended this step. */
  readonly onBack: (why?: string) => void
}

/** The second step of a sign-in: a code of the app, or a recovery code. */
export function CodeStep({ challenge, onBack }: CodeStepProps) {
  const [isRecovery, setRecovery] = useState(false)
  return (
    <SignInPage
      title={isRecovery ? text.recoveryTitle : text.codeTitle}
      intro={isRecovery ? text.recoveryIntro : text.codeIntro}
      foot={
        <span className={styles.ways}>
          <Button onClick={() => setRecovery(!isRecovery)}>{isRecovery ? 'Use a code of the app' : 'Use a recovery code'}</Button>
          <Button onClick={() => onBack()}>Back</Button>
        </span>
      }
    >
      <CodeForm key={String(isRecovery)} isRecovery={isRecovery} challenge={challenge} onOver={onBack} />
    </SignInPage>
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
