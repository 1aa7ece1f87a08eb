import { ApiProblem } from '../kernel/api-problem.ts'
import { messages, seconds } from '../kernel/notices/messages.ts'
import { problemWords } from '../kernel/notices/notices.ts'
import { notify } from '../ui/dialogs/notices.ts'

/** Says that a request of an import failed, in the import's own words. @returns the reason, to be shown where it belongs. */
export function importFailed(error: unknown): string {
  const { title, message } = problemWords(error)
  const reason = message ?? title
  const signedOut = error instanceof ApiProblem && error.signedOut
  // The sign-in page says it of a session that ended.
  if (!signedOut) notify({ kind: 'error', title: messages.an_error_occurred, message: reason, duration: seconds.import })
  return reason
}
