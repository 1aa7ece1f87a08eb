import { useMemo } from 'react'
import { allows, type Permission, type PermissionMap } from '#contract/kernel/permission.ts'
import { call } from '#contract/kernel/call.ts'
import { listInput } from '#contract/kernel/query.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { z } from 'zod'
import { callApi } from '../kernel/api.ts'
import { ownMessages } from '../kernel/notices/messages.ts'
import { CLIENT_PICKER_KEYS, openClientPicker } from './open-client-picker.ts'
import { useGo, withSearch, type Go } from '../kernel/navigation.tsx'
import { recentPages } from '../kernel/page-title.ts'
import { useAccess, usePermissions } from '../kernel/permissions.tsx'
import { scopeCalls } from '../kernel/scope-calls.ts'
import { setScope, useScopeId } from '../kernel/scope.ts'
import { Palette, type PaletteGroup, type PaletteItem } from '../ui/dialogs/palette.tsx'
import { figureText } from '../ui/status.tsx'
import type { ListAct } from '../ui/combobox/list-items.ts'
import { useMenu } from './main-menu.tsx'
import type { MenuEntry } from './menus.ts'
import { signOut } from './sign-out.ts'

/** Number of records shown per kind. */
const FOUND_LIMIT = 6

/** Ctrl-K: pages, recently visited pages, and records of the scoped client (or of all clients) by name and number. */
export function CommandPalette({ open, onClose, onShortcuts }: { open: boolean; onClose: () => void; onShortcuts: () => void }) {
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
      { label: 'Actions', items: actionItems({ go, clientId, staff, map, onShortcuts }) },
    ]
  }, [open, menu, go, clientId, staff, map, onShortcuts])
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

type Acting = { go: Go; clientId: number | null; staff: boolean; map: PermissionMap; onShortcuts: () => void }

function actionItems({ go, clientId, staff, map, onShortcuts }: Acting): PaletteItem[] {
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
    { ...item('do:keys', 'Keyboard shortcuts', onShortcuts), keys: '?' },
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

interface RecordKind {
  readonly plural: string
  readonly label: string
  readonly may: Permission
  readonly page: string
}

const recordKinds: readonly RecordKind[] = [
  { plural: 'billable_accounts', label: 'Billable Accounts', may: 'billable_account.read', page: 'dashboard' },
  { plural: 'supply_accounts', label: 'Supply Accounts', may: 'supply_account.read', page: 'dashboard' },
  { plural: 'facilities', label: 'Facilities', may: 'facility.read', page: 'dashboard' },
  { plural: 'bills', label: 'Bills', may: 'bill.read', page: 'edit' },
]

type Searching = { term: string; signal: AbortSignal; clientId: number | null; map: PermissionMap; go: Go }

/** Searches all kinds at once. If one fails, the others are still shown; if all fail, the error is shown. */
async function searchRecords({ term, signal, clientId, map, go }: Searching): Promise<readonly PaletteGroup[]> {
  const kinds = recordKinds.filter((kind) => allows(map, kind.may))
  const asked = await Promise.allSettled([
    searchClients(term, signal, go),
    ...kinds.map((kind) => searchKind(kind, term, signal, clientId, go)),
  ])
  const found = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  if (found.length === 0) throw new Error('every search failed')
  return found
}

async function searchClients(term: string, signal: AbortSignal, go: Go): Promise<PaletteGroup> {
  const { clients } = await callApi(scopeCalls.choices, { query: { search_term: term, per: FOUND_LIMIT }, signal })
  return {
    label: 'Clients',
    items: clients.map(({ id, name, short_code }) => ({
      ...item(`client:${id}`, name, () => go(`/clients/${id}/dashboard`)),
      hint: short_code,
    })),
  }
}

const record = z.object({
  id: z.int(),
  client_id: z.int().nullish(),
  name: z.string().nullish(),
  account_number: z.string().nullish(),
  date: z.string().nullish(),
  vendor_name: z.string().nullish(),
  amount_due: z.string().nullish(),
  full_status: z.string().nullish(),
})

async function searchKind(kind: RecordKind, term: string, signal: AbortSignal, clientId: number | null, go: Go): Promise<PaletteGroup> {
  const answer = await callApi(searchCall(kind, clientId), { query: { search_term: term, per: FOUND_LIMIT, with_total: false }, signal })
  const rows = z.array(record).parse(answer[kind.plural])
  const items = rows.flatMap((row) => {
    const client = clientId ?? row.client_id
    if (!client) return []
    const name = row.name === row.account_number ? null : row.name
    const label = [row.account_number, name, row.date && formatDate(row.date)].filter(Boolean).join(' · ')
    const amount = row.amount_due && figureText(row.amount_due, 2, true)
    const hint = [row.vendor_name, amount, row.full_status].filter(Boolean).join(' · ')
    return [
      {
        ...item(`${kind.plural}:${row.id}`, label || `#${row.id}`, () => go(`/clients/${client}/${kind.plural}/${row.id}/${kind.page}`)),
        ...(hint ? { hint } : {}),
      },
    ]
  })
  return { label: kind.label, items }
}

function searchCall({ plural, may }: RecordKind, clientId: number | null) {
  const path = clientId === null ? `/${plural}` : `/clients/${clientId}/${plural}`
  return call({
    name: `${plural}.palette`,
    method: 'GET',
    path,
    may,
    summary: 'Records for the palette',
    params: z.object({}),
    query: listInput,
    reply: z.looseObject({}),
  })
}

function item(id: string, label: string, run: () => void): PaletteItem {
  return { id, label, run }
}
