import { useState, type FormEvent } from 'react'
import { Button } from '../ui/button.tsx'
import { notify } from '../ui/dialogs/notices.ts'
import { TextField } from '../ui/fields/text-field.tsx'
import { setPassword as sendPassword } from './auth-calls.ts'
import { requiredError } from './form-rules.ts'
import styles from './login.module.css'
import { signInMessages as text, signInSeconds } from './messages.ts'
import { clearCredentials, keepNews, takeLinkCredentials } from './session-store.ts'
import { SignInPage } from './sign-in-page.tsx'

/** /reset_password, opened by the mailed link. The server checks whether the two passwords match. */
export function ResetPassword() {
  const [password, setPassword] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const [tried, setTried] = useState(false)
  const [stage, setStage] = useState<'typing' | 'sending'>('typing')
  const [failure, setFailure] = useState('')
  const passwordWrong = requiredError(password, text.passwordRequired)
  const confirmationWrong = requiredError(confirmation, text.confirmationRequired)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    const credentials = takeLinkCredentials()
    if (passwordWrong || confirmationWrong || stage !== 'typing' || !credentials) return
    setStage('sending')
    setFailure('')
    const answer = await sendPassword(credentials, password, confirmation)
    if (answer.ok) {
      leaveWithNews()
      return
    }
    setStage('typing')
    const message = answer.errors.join(', ')
    setFailure(message)
    notify({ kind: 'error', title: text.passwordResetFailed, message, duration: signInSeconds.passwordResetFailed })
  }

  return (
    <SignInPage title="Set a new password" foot={<a href="/login">Back to Sign In</a>}>
      <form className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
          error={tried ? passwordWrong : undefined}
        />
        <TextField
          label="Password confirmation"
          name="password_confirmation"
          type="password"
          autoComplete="new-password"
          value={confirmation}
          onChange={setConfirmation}
          error={tried ? confirmationWrong : undefined}
        />
        <Button type="submit" kind="primary" busy={stage === 'sending'}>
          Set password
        </Button>
        <p className={styles.failure} role="status">
          {failure}
        </p>
      </form>
    </SignInPage>
  )
}

/** The other sessions ended with the old password; the sign-in page reports that the new one is set. */
function leaveWithNews(): void {
  clearCredentials()
  keepNews('passwordReset')
  location.assign('/login')
}
