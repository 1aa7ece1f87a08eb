import { useRef } from 'react'
import { useBlocker } from '@tanstack/react-router'
import { confirm } from '../../ui/dialogs/confirm-dialog.tsx'
import { readCredentials } from '../credentials.ts'
import { ownMessages } from '../notices/messages.ts'

/**
 * Asks before leaving would lose changes. Returns `release`, which must be called after a save and before navigating, so that it does not ask
 * about saved changes. If the session ended it does not ask: the draft is kept and comes back after signing in.
 */
export function useUnsavedGuard(dirty: boolean, onLeave: () => void): { release: () => void } {
  const released = useRef(false)
  const guards = () => dirty && !released.current
  useBlocker({
    disabled: !dirty,
    enableBeforeUnload: () => guards() && readCredentials() !== null,
    shouldBlockFn: async ({ current, next }) => {
      if (!guards() || current.pathname === next.pathname) return false
      const leaves = await confirm({
        title: 'Unsaved changes',
        message: ownMessages.unsaved_question,
        confirmLabel: 'Leave',
        cancelLabel: 'Stay',
        danger: true,
      })
      if (leaves) onLeave()
      return !leaves
    },
  })
  return {
    release: () => {
      released.current = true
    },
  }
}
