import { useState, type FormEvent } from 'react'
import { codeDigits, secondFactorCalls } from '#contract/access/second-factor.ts'
import { ApiProblem } from '../kernel/api-problem.ts'
import { callApi } from '../kernel/api.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import styles from './profile.module.css'

/** A secret that counts once a code of it is confirmed. */
export interface Begun {
  readonly secret: string
  readonly uri: string
}

interface FactorSetupProps {
  readonly begun: Begun
  readonly onCodes: (codes: readonly string[]) => void
  readonly onCancel: () => void
}

/** The key for the app, and the first code of it. */
export function FactorSetup({ begun, onCodes, onCancel }: FactorSetupProps) {
  const [code, setCode] = useState('')
  const [error, setError] = useState<string | undefined>()
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (code.trim() === '') return setError(`Enter the ${codeDigits}-digit code`)
    setBusy(true)
    try {
      onCodes((await callApi(secondFactorCalls.confirm, { body: { code } })).recovery_codes)
    } catch (problem) {
      setError(problem instanceof ApiProblem ? problem.messages.join('. ') : 'The code could not be checked')
      setBusy(false)
    }
  }
  return (
    <form className={styles.factor} noValidate aria-label="Set up a second factor" onSubmit={(event) => void submit(event)}>
      <ol className={styles.steps}>
        <li>
          <h2>Add Meterbook to your app</h2>
          <p>
            <a href={begun.uri}>Open your authenticator app</a> on this device, or type this key into it:
          </p>
          <p className={styles.key} aria-label="Key">
            {begun.secret.match(/.{4}/g)?.join(' ')}
          </p>
        </li>
        <li>
          <h2>Enter the code that the app shows</h2>
          <TextField
            label={`${codeDigits}-digit code`}
            autoComplete="one-time-code"
            inputMode="numeric"
            required
            value={code}
            onChange={(value) => {
              setCode(value)
              setError(undefined)
            }}
            error={error}
          />
        </li>
      </ol>
      <p>Your other sign-ins end.</p>
      <div className={styles.acts}>
        <Button type="submit" kind="primary" busy={busy}>
          Confirm
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  )
}
