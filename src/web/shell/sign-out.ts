import { authCalls } from '#contract/auth.ts'
import { callApi } from '../kernel/api.ts'
import { ApiProblem } from '../kernel/api-problem.ts'
import { leaveForSignIn } from '../kernel/credentials.ts'
import { forgetDrafts } from '../kernel/form-draft.ts'
import { forgetLasting } from '../kernel/lasting-draft.ts'
import { messages, seconds } from '../kernel/messages.ts'
import { setScope } from '../kernel/scope.ts'
import { confirm } from '../ui/dialogs/confirm-dialog.tsx'
import { notify } from '../ui/dialogs/notices.ts'

/** Asks, ends the sign-in on the server, forgets the credentials and goes to the sign-in page. */
export async function signOut(): Promise<void> {
  if (!(await confirm({ title: 'Sign Out', message: messages.sign_out_question, confirmLabel: 'Sign Out' }))) return
  try {
    await callApi(authCalls.signOut, {})
    setScope(null)
    forgetDrafts(forgetLasting)
    leaveForSignIn(null)
  } catch (error) {
    if (error instanceof ApiProblem && error.signedOut) return
    const text = error instanceof ApiProblem ? error.statusText : String(error)
    notify({ kind: 'error', title: messages.sign_out_error, message: text, duration: seconds.usual })
  }
}
