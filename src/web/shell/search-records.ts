/** Searches records for the command palette. */
import { allows, type Permission, type PermissionMap } from '#contract/kernel/permission.ts'
import { call } from '#contract/kernel/call.ts'
import { listInput } from '#contract/kernel/query.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { z } from 'zod'
import { callApi } from '../kernel/api.ts'
import type { Go } from '../kernel/navigation.tsx'
import { scopeCalls } from '../kernel/scope-calls.ts'
import type { PaletteGroup, PaletteItem } from '../ui/dialogs/palette.tsx'
import { figureText } from '../ui/status.tsx'

/** Number of records shown per kind. */
const FOUND_LIMIT = 6

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
export async function searchRecords({ term, signal, clientId, map, go }: Searching): Promise<readonly PaletteGroup[]> {
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

export function item(id: string, label: string, run: () => void): PaletteItem {
  return { id, label, run }
}
