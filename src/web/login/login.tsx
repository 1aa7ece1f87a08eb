import { useState } from 'react'
import { CodeStep } from './code-step.tsx'
import { PasswordStep } from './password-step.tsx'

/** /login: the password, and then the code where the account has a second factor. */
export function Login() {
  const [email, setEmail] = useState('')
  const [challenge, setChallenge] = useState<string | null>(null)
  const [failure, setFailure] = useState('')
  if (challenge === null)
    return <PasswordStep email={email} onEmail={setEmail} failure={failure} onFailure={setFailure} onChallenge={setChallenge} />
  const goBack = (why = '') => {
    setFailure(why)
    setChallenge(null)
  }
  return <CodeStep challenge={challenge} onBack={goBack} />
}
