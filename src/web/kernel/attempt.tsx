/** State of an action such as saving: busy while it runs, then the reason of a failure beside the button until the next attempt. */
import { useState } from 'react'
import { TriangleAlert } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { ApiProblem } from './api-problem.ts'
import styles from './forms/form.module.css'
import { problemNotice, problemWords } from './notices/notices.ts'

export interface Failure {
  readonly reason: string
  /** A retry may succeed: there was no response, or the server was busy. */
  readonly passing: boolean
  /** The messages of a refusal by field. */
  readonly fields: ApiProblem['fields']
}

export interface Attempt {
  readonly busy: boolean
  readonly failure: Failure | null
  /** Runs the work. Returns undefined if it failed; the failure is shown until the next run. */
  run<Value>(work: () => Promise<Value>): Promise<Value | undefined>
  /** Reports a failure of work that was not run here. */
  fail(error: unknown): void
  forget(): void
}

export function useAttempt(): Attempt {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const fail = (error: unknown) => {
    problemNotice(error)
    setFailure(failureOf(error))
  }
  return {
    busy,
    failure,
    fail,
    forget: () => setFailure(null),
    run: async (work) => {
      setBusy(true)
      setFailure(null)
      try {
        return await work()
      } catch (error) {
        fail(error)
        return undefined
      } finally {
        setBusy(false)
      }
    },
  }
}

/** Returns null if there is nothing to show: the sign-in page has opened, or the user has left the page. */
function failureOf(error: unknown): Failure | null {
  if (error instanceof DOMException && error.name === 'AbortError') return null
  if (error instanceof ApiProblem && error.signedOut) return null
  const { title, message } = problemWords(error)
  const reason = message ?? title
  if (!(error instanceof ApiProblem)) return { reason, passing: false, fields: {} }
  return { reason, passing: error.passing || error.status >= 500, fields: error.fields }
}

type FailedAttemptProps = {
  attempt: Pick<Attempt, 'failure' | 'busy'>
  /** Repeats the action. */
  again: () => void
  /** 'Not saved' by default. */
  what?: string | undefined
}

/** Shows why the last attempt failed, at the bottom of its form or dialog, with a retry if that may help. */
export function FailedAttempt({ attempt: { failure, busy }, again, what = 'Not saved' }: FailedAttemptProps) {
  if (!failure) return null
  return (
    <span className={styles.failed} role="alert">
      <TriangleAlert size={14} aria-hidden="true" />
      <span>
        {what}: {failure.reason}
      </span>
      {failure.passing && (
        <Button small busy={busy} onClick={again}>
          Retry
        </Button>
      )}
    </span>
  )
}
