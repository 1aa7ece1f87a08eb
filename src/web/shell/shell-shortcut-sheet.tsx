import { gridShortcuts, ShortcutSheet } from '../ui/dialogs/shortcut-sheet.tsx'
import { walkKeys } from './walk-bar.tsx'
import { listedShortcuts, type Shortcut } from '../ui/shortcuts.ts'

/** All shortcuts: those of the page, of the shell and of the lists. */
export function ShellShortcutSheet({ shortcuts, onClose }: { shortcuts: readonly Shortcut[]; onClose: () => void }) {
  return <ShortcutSheet open onClose={onClose} shortcuts={[...listedShortcuts(), ...shortcuts, ...walkKeys, ...gridShortcuts]} />
}
