import { useMemo } from 'react'
import { useGo } from '../kernel/navigation.tsx'
import { useCan } from '../kernel/permissions.tsx'
import { useScopeId } from '../kernel/scope.ts'
import { useShortcuts, type Shortcut } from '../ui/shortcuts.ts'
import { useMenu } from './main-menu.tsx'
import { CLIENT_PICKER_KEYS, openClientPicker } from './open-client-picker.ts'

/** Second strokes after `g`, by the label of the menu entry; an entry that the user does not see has no stroke. */
const strokes: Readonly<Record<string, string>> = {
  Home: 'h',
  Clients: 'c',
  Users: 'u',
  Vendors: 'v',
  Divisions: 'd',
  Facilities: 'f',
  'Billable Accounts': 'a',
  'Supply Accounts': 's',
  Bills: 'b',
  'Batch Bills': 'g',
  'Client Batches': 'l',
  'Vendor Batches': 'p',
  'Reports Dashboard': 'r',
}

/** The shell's shortcuts: palette, sheet, the first search field, and `g` with a letter for the menu. Returns them for the sheet. */
export function useShellShortcuts(open: (what: 'palette' | 'shortcuts') => void): readonly Shortcut[] {
  const go = useGo()
  const menu = useMenu()
  const clientId = useScopeId()
  const enters = useCan('bill.create')
  const inbox = clientId !== null && enters ? `/clients/${clientId}/bills/inbox` : null
  const all = useMemo<readonly Shortcut[]>(
    () => [
      { keys: 'mod+k', label: 'Search and go', group: 'Everywhere', whileTyping: true, run: () => open('palette') },
      { keys: '?', label: 'This sheet', group: 'Everywhere', run: () => open('shortcuts') },
      { keys: 'mod+/', label: 'This sheet, while typing', group: 'Everywhere', whileTyping: true, run: () => open('shortcuts') },
      { keys: CLIENT_PICKER_KEYS, label: 'Choose a client', group: 'Everywhere', run: openClientPicker },
      { keys: '/', label: 'To the first filter or search field', group: 'Everywhere', run: focusSearch },
      ...(inbox === null ? [] : [{ keys: 'g i', label: 'Inbox', group: 'Go to', run: () => go(inbox) }]),
      ...menu
        .flatMap((entry) => entry.items ?? [entry])
        .flatMap(({ label, href }) => {
          const stroke = strokes[label]
          return stroke ? [{ keys: `g ${stroke}`, label, group: 'Go to', run: () => go(href) }] : []
        }),
    ],
    [go, menu, open, inbox],
  )
  useShortcuts(all)
  return all
}

function focusSearch(): void {
  const field = document.querySelector('main [role="grid"] input[type="text"], main input[type="search"], aside input[type="search"]')
  if (field instanceof HTMLInputElement) {
    field.focus()
    field.select()
  }
}
