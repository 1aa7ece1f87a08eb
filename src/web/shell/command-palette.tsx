import { useMemo } from 'react'
import { allows, type Permission, type PermissionMap } from '#contract/kernel/permission.ts'
import { ownMessages } from '../kernel/notices/messages.ts'
import type { Overlay } from './command-palette-state.ts'
import { CLIENT_PICKER_KEYS, openClientPicker } from './open-client-picker.ts'
import { useGo, withSearch, type Go } from '../kernel/navigation.tsx'
import { recentPages } from '../kernel/page-title.ts'
import { useAccess, usePermissions } from '../kernel/permissions.tsx'
import { setScope, useScopeId } from '../kernel/scope.ts'
import { Palette, type PaletteGroup, type PaletteItem } from '../ui/dialogs/palette.tsx'
import type { ListAct } from '../ui/combobox/list-items.ts'
import { useMenu } from './main-menu.tsx'
import type { MenuEntry } from './menus.ts'
import { signOut } from './sign-out.ts'
import { item, searchRecords } from './search-records.ts'

/** Ctrl-K: pages, recently visited pages, and records of the scoped client (or of all clients) by name and number. */
export function CommandPalette({ open, onClose, onOpen }: { open: boolean; onClose: () => void; onOpen: (what: Overlay) => void }) {
  const go = useGo()
  const menu = useMenu()
  const map = usePermissions()
  const clientId = useScopeId()
  const { access } = useAccess()
  const staff = access?.client_only_user === false
  const groups = useMemo<readonly PaletteGroup[]>(() => {
    if (!open) return []
    return [
      {
        label: 'Recent',
        items: recentPages()
          .slice(1, 6)
          .map((page) => item(`recent:${page.href}`, page.title, () => go(page.href))),
      },
      { label: 'Pages', items: menu.flatMap((entry) => pageItems(entry, go)) },
      { label: 'Actions', items: actionItems({ go, clientId, staff, map, onOpen }) },
    ]
  }, [open, menu, go, clientId, staff, map, onOpen])
  return (
    <Palette
      open={open}
      onClose={onClose}
      groups={groups}
      search={(term, signal) => searchRecords({ term, signal, clientId, map, go })}
      withTerm={(term) => accountSearch(term, { go, clientId, map })}
    />
  )
}

/** The advanced search covers what the palette does not: aliases, meter numbers and parts of numbers. */
function accountSearch(term: string, { go, clientId, map }: Pick<Acting, 'go' | 'clientId' | 'map'>): readonly ListAct[] {
  if (term === '' || !allows(map, 'advanced_search.read')) return []
  const run = () => go(withSearch(searchHref(clientId), { text: term }))
  return [{ id: 'do:search-term', label: `Search accounts for “${term}”`, group: 'Advanced Search', isFallback: true, run }]
}

function searchHref(clientId: number | null): string {
  return clientId === null ? '/advanced_search' : `/clients/${clientId}/advanced_search`
}

function pageItems(entry: MenuEntry, go: Go): PaletteItem[] {
  if (!entry.items) return [item(`page:${entry.href}`, entry.label, () => go(entry.href))]
  return entry.items.map((inner) => ({
    ...item(`page:${inner.href}`, inner.label, () => go(inner.href)),
    hint: entry.label,
    words: entry.label,
  }))
}

type Acting = { go: Go; clientId: number | null; staff: boolean; map: PermissionMap; onOpen: (what: Overlay) => void }

function actionItems({ go, clientId, staff, map, onOpen }: Acting): PaletteItem[] {
  const adminView = item('do:admin', ownMessages.admin_view, () => {
    setScope(null)
    go('/')
  })
  return [
    ...(clientId === null ? [] : clientActions(clientId, map, go)),
    ...(allows(map, 'advanced_search.read') ? [item('do:search', 'Advanced Search', () => go(searchHref(clientId)))] : []),
    { ...item('do:client', 'Go to client…', openClientPicker), words: 'choose switch', keys: CLIENT_PICKER_KEYS },
    ...(staff && clientId !== null ? [{ ...adminView, words: 'all clients' }] : []),
    item('do:profile', 'User Profile', () => go('/users/profile')),
    { ...item('do:keys', 'Keyboard shortcuts', () => onOpen('shortcuts')), keys: '?' },
    { ...item('do:glossary', 'Glossary', () => onOpen('glossary')), words: 'help words terms meaning' },
    item('do:out', 'Sign Out', () => void signOut()),
  ]
}

/** Returns the create actions within a client that the user has the rights to. */
function clientActions(clientId: number, map: PermissionMap, go: Go): PaletteItem[] {
  const acts: readonly { label: string; at: string; may: Permission }[] = [
    { label: 'New bill', at: 'bills/new', may: 'bill.create' },
    { label: 'New billable account', at: 'billable_accounts/new', may: 'billable_account.create' },
    { label: 'New supply account', at: 'supply_accounts/new', may: 'supply_account.create' },
    { label: 'New facility', at: 'facilities/new', may: 'facility.create' },
    { label: 'New division', at: 'divisions/new', may: 'division.create' },
    { label: 'Import bills', at: 'bills/import', may: 'bill.create' },
  ]
  return acts
    .filter(({ may }) => allows(map, may))
    .map(({ label, at }) => ({ ...item(`do:${at}`, label, () => go(`/clients/${clientId}/${at}`)), words: 'add create' }))
}
