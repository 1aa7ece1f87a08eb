import { lazy, Suspense, useState } from 'react'
import { CodeStep } from './code-step.tsx'
import { DueStep } from './due-step.tsx'
import { PasswordStep } from './password-step.tsx'
import type { Step } from './steps.ts'

/** Few people come to it, and once. */
const SetupStep = lazy(async () => ({ default: (await import('./setup-step.tsx')).SetupStep }))

/** /login: the password, and then what the account needs beside it. */
export function Login() {
  const [email, setEmail] = useState('')
  const [at, setAt] = useState<Step>({ step: 'password' })
  const [failure, setFailure] = useState('')
  const goBack = (why = '') => {
    setFailure(why)
    setAt({ step: 'password' })
  }
  switch (at.step) {
    case 'password':
      return <PasswordStep email={email} onEmail={setEmail} failure={failure} onFailure={setFailure} onStep={setAt} />
    case 'code':
      return <CodeStep asked={at} onBack={goBack} />
    case 'due':
      return <DueStep dueAt={at.dueAt} />
    case 'setup':
      return (
        <Suspense>
          <SetupStep challenge={at.challenge} factorKey={at.key} onBack={goBack} />
        </Suspense>
      )
  }
}
