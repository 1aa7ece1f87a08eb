import { lazy, Suspense } from 'react'
import { CircleUser } from 'lucide-react'
import { Popover } from '../ui/popover.tsx'
import { Skeleton } from '../ui/states.tsx'
import type { Overlay } from './command-palette-state.ts'

const SettingsPanel = lazy(() => import('./settings-panel.tsx').then((module) => ({ default: module.SettingsPanel })))

/** The user's own settings: profile, theme, row height, help, signing out. */
export function SettingsPopover({ onOpen }: { onOpen: (what: Overlay) => void }) {
  return (
    <Popover align="end" label="Settings" trigger={<CircleUser size={18} aria-hidden="true" />}>
      {(close) => (
        <Suspense fallback={<Skeleton width={180} />}>
          <SettingsPanel close={close} onOpen={onOpen} />
        </Suspense>
      )}
    </Popover>
  )
}
