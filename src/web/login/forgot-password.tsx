import { useState, type FormEvent } from 'react'
import { Button } from '../ui/button.tsx'
import { notify } from '../ui/dialogs/notices.ts'
import { TextField } from '../ui/fields/text-field.tsx'
import { requestReset } from './auth-calls.ts'
import { emailError } from './form-rules.ts'
import styles from './login.module.css'
import { signInMessages as text, signInSeconds } from './messages.ts'
import { SignInPage } from './sign-in-page.tsx'

/** /forgot_password. Two flags in the address, whatever their values, mean that a mailed link confirmed the account or was invalid. */
export function ForgotPassword() {
  const [email, setEmail] = useState('')
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [said, setSaid] = useState('')
  const wrong = emailError(email)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (wrong || busy) return
    setBusy(true)
    const answer = await requestReset(email.trim())
    setBusy(false)
    setSaid(answer.ok ? `${text.resetRequested}. ${text.resetRequestedText}` : text.resetRequestFailed)
    if (answer.ok)
      notify({ kind: 'success', title: text.resetRequested, message: text.resetRequestedText, duration: signInSeconds.resetRequested })
    else notify({ kind: 'error', title: text.resetRequestFailed, duration: signInSeconds.resetRequestFailed })
  }

  return (
    <SignInPage title="Reset Password" intro={introFor(new URLSearchParams(location.search))} foot={<a href="/login">Back to Sign In</a>}>
      <form className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          value={email}
          onChange={setEmail}
          error={tried ? wrong : undefined}
        />
        <Button type="submit" kind="primary" busy={busy}>
          Send link
        </Button>
        <p className={styles.said} role="status">
          {said}
        </p>
      </form>
    </SignInPage>
  )
}

function introFor(query: URLSearchParams): string {
  if (query.has('account_confirmation_success')) return text.accountConfirmed
  return query.has('account_confirmation_failed') ? text.confirmationFailed : text.resetIntro
}
