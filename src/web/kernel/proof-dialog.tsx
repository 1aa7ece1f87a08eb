/** The dialog that asks for the password anew. */
import { authCalls } from '#contract/access/auth.ts'
import { callApi } from './api.ts'
import { SecretDialog } from './secret-dialog.tsx'

export function ProofDialog({ onAnswer }: { onAnswer: (proven: boolean) => void }) {
  return (
    <SecretDialog
      title="Enter your password"
      about="You signed in a while ago. Your password shows that it is you."
      button="Continue"
      label="Current Password"
      type="password"
      autoComplete="current-password"
      missing="Enter your password"
      unchecked="The password could not be checked"
      onClose={() => onAnswer(false)}
      onSecret={async (password) => {
        await callApi(authCalls.prove, { body: { password } })
        onAnswer(true)
      }}
    />
  )
}
