import { useEffect, useState } from 'react'
import { oidcCodeParam, oidcProblemParam, oidcProblems, type OidcProblem } from '#contract/access/oidc-return.ts'
import { exchangeCode } from './auth-calls.ts'
import styles from './login.module.css'
import { storeCredentials, takeReturnPath } from './session-store.ts'

const problemTexts: Readonly<Record<OidcProblem, string>> = {
  cancelled: 'The sign-in was cancelled.',
  expired: 'This sign-in took too long, or was begun in another window. Please try again.',
  unverified: 'Your provider does not confirm your email address. Ask whoever runs it, or sign in with your password.',
  unknown: 'There is no active account for you here. Ask an administrator.',
  unavailable: 'Your provider cannot be reached. Try again in a moment, or sign in with your password.',
  failed: 'The sign-in did not work. Try again, or sign in with your password.',
}

/** The sign-in by an identity provider, if one is configured, and its completion when the browser returns from it. */
export function ProviderSignIn({ label }: { label: string | null }) {
  const [returned] = useState(takeReturned)
  const [problem, setProblem] = useState(returned.problem)
  useEffect(() => {
    const code = returned.takeCode()
    if (code === null) return
    void exchangeCode(code).then((answer) => {
      if (!answer.ok) return setProblem('expired')
      storeCredentials(answer.value)
      location.assign(takeReturnPath())
    })
  }, [returned])
  return (
    <>
      {label !== null && (
        <a className={styles.provider} href="/api/v5/auth/oidc/start">
          Sign in with {label}
        </a>
      )}
      <p className={styles.providerSaid} role="status">
        {problem && problemTexts[problem]}
      </p>
    </>
  )
}

interface ComeBack {
  readonly problem: OidcProblem | undefined
  /** Returns the one-time code, but only once. */
  takeCode(): string | null
}

/** Reads the result in the address, and removes it from the address and from the history. */
function takeReturned(): ComeBack {
  const said = new URLSearchParams(location.search).get(oidcProblemParam)
  const problem = oidcProblems.find((one) => one === said)
  let code = new URLSearchParams(location.hash.slice(1)).get(oidcCodeParam)
  if (problem || code !== null) history.replaceState(null, '', '/login')
  return {
    problem,
    takeCode() {
      const taken = code
      code = null
      return taken
    },
  }
}
