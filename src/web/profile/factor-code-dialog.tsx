import { SecretDialog } from '../kernel/secret-dialog.tsx'

interface FactorCodeDialogProps {
  readonly title: string
  readonly about: string
  readonly button: string
  readonly danger?: boolean
  readonly onClose: () => void
  /** Sends the code. What it throws is shown at the field. */
  readonly onCode: (code: string) => Promise<void>
}

/** Asks for a code before a change of the second factor. */
export function FactorCodeDialog({ onCode, ...shown }: FactorCodeDialogProps) {
  return (
    <SecretDialog
      {...shown}
      label="Code of the app, or a recovery code"
      autoComplete="one-time-code"
      missing="Enter a code"
      unchecked="The code could not be checked"
      onSecret={async (code) => {
        await onCode(code)
        shown.onClose()
      }}
    />
  )
}
