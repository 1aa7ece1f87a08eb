import { useRef } from 'react'
import { useBlocker } from '@tanstack/react-router'
import { confirm } from '../../ui/dialogs/confirm-dialog.tsx'
import { readCredentials } from '../credentials.ts'
import { ownMessages } from '../notices/messages.ts'

/**
 * Asks before changes are lost by leaving. Answers `release`, to be called when the work is saved and before going on: the guard must not
 * ask about what is stored already. A session that ended is not held up: the draft is kept and comes back after signing in.
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
