/** Saving and the like: busy while it runs, and the reason of a failure beside the button until the next try. */
import { useState } from 'react'
import { TriangleAlert } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { ApiProblem } from './api-problem.ts'
import styles from './forms/form.module.css'
import { problemNotice, problemWords } from './notices/notices.ts'

export interface Failure {
  readonly reason: string
  /** The same may go well another time: there was no answer, or the server was busy. */
  readonly passing: boolean
}

export interface Attempt {
  readonly busy: boolean
  readonly failure: Failure | null
  /** Runs the work; undefined where it failed, which is said then and stays until the next run. */
  run<Value>(work: () => Promise<Value>): Promise<Value | undefined>
  /** Says a failure of work that was not run here. */
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

/** Null where nothing is to be said: the sign-in page has taken over, or the person has gone elsewhere. */
function failureOf(error: unknown): Failure | null {
  if (error instanceof DOMException && error.name === 'AbortError') return null
  if (error instanceof ApiProblem && error.signedOut) return null
  const { title, message } = problemWords(error)
  return { reason: message ?? title, passing: error instanceof ApiProblem && (error.passing || error.status >= 500) }
}

type FailedAttemptProps = {
  attempt: Pick<Attempt, 'failure' | 'busy'>
  /** Does the same again. */
  again: () => void
  /** 'Not saved' unless told. */
  what?: string | undefined
}

/** Why the last try failed, in the foot of its form or dialog; what may go well another time can be tried again. */
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
