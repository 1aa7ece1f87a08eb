import { useEffect, useState, type FormEvent } from 'react'
import { Button } from '../ui/button.tsx'
import { notify } from '../ui/dialogs/notices.ts'
import { TextField } from '../ui/fields/text-field.tsx'
import { signIn, waysIn, type Ways } from './auth-calls.ts'
import { emailError, requiredError } from './form-rules.ts'
import styles from './login.module.css'
import { signInMessages, signInSeconds } from './messages.ts'
import { knowsPasskeys, PasskeyButton } from './passkey-button.tsx'
import { ProviderSignIn } from './provider-sign-in.tsx'
import { storeCredentials, takeNews, takeReturnPath } from './session-store.ts'
import { SignInPage } from './sign-in-page.tsx'
import type { Step } from './steps.ts'

interface PasswordStepProps {
  readonly email: string
  readonly onEmail: (email: string) => void
  /** Why the last try led nowhere. */
  readonly failure: string
  readonly onFailure: (message: string) => void
  readonly onStep: (step: Step) => void
}

export function PasswordStep({ email, onEmail, failure, onFailure, onStep }: PasswordStepProps) {
  const [password, setPassword] = useState('')
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const emailWrong = emailError(email)
  const passwordWrong = requiredError(password, signInMessages.passwordRequired)
  const [ways, setWays] = useState<Ways>({ label: null, password: true })
  useEffect(sayNews, [])
  useEffect(() => void waysIn().then(setWays), [])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (emailWrong || passwordWrong || busy) return
    setBusy(true)
    onFailure('')
    const answer = await signIn(email.trim(), password)
    if (answer.ok) {
      const entered = answer.value
      if (entered.step !== 'in') return onStep(entered)
      storeCredentials(entered.credentials)
      if (entered.dueAt !== undefined) return onStep({ step: 'due', dueAt: entered.dueAt })
      location.assign(takeReturnPath())
      return
    }
    setBusy(false)
    const message = answer.errors.join(', ')
    onFailure(message)
    notify({ kind: 'error', title: signInMessages.signInError, message, duration: signInSeconds.signInError })
  }

  return (
    <SignInPage title="Sign In" foot={ways.password && <a href="/forgot_password">Forgot your password?</a>}>
      {ways.password && (
        <form className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
          <TextField
            label="Email"
            name="email"
            type="email"
            autoComplete="username"
            value={email}
            onChange={onEmail}
            error={tried ? emailWrong : undefined}
          />
          <TextField
            label="Password"
            name="password"
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={setPassword}
            error={tried ? passwordWrong : undefined}
          />
          <Button type="submit" kind="primary" busy={busy}>
            Sign In
          </Button>
          <p className={styles.failure} role="status">
            {failure}
          </p>
        </form>
      )}
      {ways.password && knowsPasskeys && (
        <div className={styles.passkey}>
          <PasskeyButton
            label="Sign in with a passkey"
            ask={async () => (await import('./passkey-calls.ts')).signInByPasskey()}
            onFailure={onFailure}
          />
        </div>
      )}
      <ProviderSignIn label={ways.label} />
    </SignInPage>
  )
}

function sayNews(): void {
  if (!takeNews('passwordReset')) return
  notify({
    kind: 'success',
    title: signInMessages.passwordReset,
    message: signInMessages.passwordResetText,
    duration: signInSeconds.passwordReset,
  })
}
