import { ApiProblem } from '../kernel/api-problem.ts'
import { messages, seconds } from '../kernel/notices/messages.ts'
import { problemWords } from '../kernel/notices/notices.ts'
import { notify } from '../ui/dialogs/notices.ts'

/** Shows a notice for a failed request of an import, with the import's own title. @returns the reason, to be shown in its place. */
export function importFailed(error: unknown): string {
  const { title, message } = problemWords(error)
  const reason = message ?? title
  const signedOut = error instanceof ApiProblem && error.signedOut
  // The sign-in page reports an ended session.
  if (!signedOut) notify({ kind: 'error', title: messages.an_error_occurred, message: reason, duration: seconds.import })
  return reason
}
