import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import type { AuthAnswer } from './auth-calls.ts'
import { signInMessages as text } from './messages.ts'
import { storeCredentials, takeReturnPath, type Credentials } from './session-store.ts'

/** Whether the browser knows passkeys and their JSON. */
export const knowsPasskeys = typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential

interface PasskeyButtonProps {
  readonly label: string
  readonly kind?: 'primary'
  readonly ask: () => Promise<AuthAnswer<Credentials>>
  readonly onFailure: (message: string, status: number) => void
}

/** Signs in by a passkey. */
export function PasskeyButton({ label, kind, ask, onFailure }: PasskeyButtonProps) {
  const [busy, setBusy] = useState(false)
  const use = async () => {
    setBusy(true)
    onFailure('', 0)
    const answer = await ask().catch(() => null)
    if (answer?.ok) {
      storeCredentials(answer.value)
      location.assign(takeReturnPath())
      return
    }
    setBusy(false)
    onFailure(answer?.errors.join(', ') ?? text.unreadable, answer?.status ?? 0)
  }
  return (
    <Button kind={kind} busy={busy} onClick={() => void use()}>
      {label}
    </Button>
  )
}
