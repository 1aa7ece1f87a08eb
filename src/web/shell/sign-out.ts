import { authCalls } from '#contract/access/auth.ts'
import { callApi } from '../kernel/api.ts'
import { ApiProblem } from '../kernel/api-problem.ts'
import { leaveForSignIn } from '../kernel/credentials.ts'
import { forgetDrafts } from '../kernel/forms/form-draft.ts'
import { forgetLasting } from '../kernel/forms/lasting-draft.ts'
import { messages, seconds } from '../kernel/notices/messages.ts'
import { forgetChoices } from '../kernel/forms/recent-choices.ts'
import { setScope } from '../kernel/scope.ts'
import { confirm } from '../ui/dialogs/confirm-dialog.tsx'
import { notify } from '../ui/dialogs/notices.ts'

/** Asks, ends the sign-in on the server, clears the credentials and goes to the sign-in page. */
export async function signOut(): Promise<void> {
  if (!(await confirm({ title: 'Sign Out', message: messages.sign_out_question, confirmLabel: 'Sign Out' }))) return
  try {
    await callApi(authCalls.signOut, {})
    setScope(null)
    forgetDrafts((owner) => {
      forgetLasting(owner)
      forgetChoices(owner)
    })
    leaveForSignIn(null)
  } catch (error) {
    if (error instanceof ApiProblem && error.signedOut) return
    const text = error instanceof ApiProblem ? error.statusText : String(error)
    notify({ kind: 'error', title: messages.sign_out_error, message: text, duration: seconds.usual })
  }
}
