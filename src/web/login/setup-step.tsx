import { useState } from 'react'
import { FactorSetup, RecoveryCodes } from '../second-factor/second-factor.ts'
import { confirmSetup, type FactorKey } from './auth-calls.ts'
import { signInMessages as text } from './messages.ts'
import { storeCredentials, takeReturnPath } from './session-store.ts'
import { SignInPage } from './sign-in-page.tsx'

const signedOut = 401

interface SetupStepProps {
  readonly challenge: string
  readonly factorKey: FactorKey
  /** Back to the password; `why` says what ended this step. */
  readonly onBack: (why?: string) => void
}

/** A role requires a second factor and its days of grace are over: it is set up before the sign-in. */
export function SetupStep({ challenge, factorKey, onBack }: SetupStepProps) {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const confirm = async (code: string): Promise<string | undefined> => {
    const answer = await confirmSetup(challenge, code)
    if (answer.ok) {
      storeCredentials(answer.value.credentials)
      setCodes(answer.value.recoveryCodes)
      return undefined
    }
    const message = answer.errors.join(', ')
    if (answer.status === signedOut) onBack(message)
    return message
  }

  return (
    <SignInPage title={codes ? text.codesTitle : text.setupTitle} intro={codes ? undefined : text.setupIntro}>
      {codes ? (
        <RecoveryCodes codes={codes} onDone={() => location.assign(takeReturnPath())} />
      ) : (
        <FactorSetup begun={factorKey} onCode={confirm} onCancel={() => onBack()} />
      )}
    </SignInPage>
  )
}
