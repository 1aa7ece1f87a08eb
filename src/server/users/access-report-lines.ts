/** The lines of the access report: the rights of a role after its narrowing and the subscriptions of its clients. */
import { titleCase } from '#contract/kernel/entity.ts'
import { models, rightsWithin, type Action, type Model, type PermissionMap } from '#contract/kernel/permission.ts'
import { NEW_YORK, wallTimeIn } from '#contract/kernel/zone.ts'
import { isRoleName, maskedModels, permissionsOfRole, providerRoles, staffRoles, type RoleName } from '#contract/access/rights.ts'
import { roleLabels } from '#contract/users/user-role.ts'
import type { Unsubscribed } from './unsubscribed-clients.ts'

interface Named {
  readonly id: number
  readonly name: string
}

/** A user with one of their roles; for a user without any, everything of the role is null or empty. */
export interface ReportRow {
  readonly user_id: number
  readonly email: string
  readonly username: string
  readonly first_name: string | null
  readonly last_name: string | null
  readonly title: string | null
  readonly status: string
  readonly account_confirmed: boolean
  readonly last_sign_in_at: string | null
  readonly role: string | null
  readonly granted_at: string | null
  readonly channel_partner_id: number | null
  readonly channel_partner: string | null
  readonly clients: readonly Named[]
  readonly divisions: readonly Named[]
  readonly facilities: readonly Named[]
  readonly billable_accounts: readonly Named[]
  readonly supply_accounts: readonly Named[]
}

const parts = ['divisions', 'facilities', 'billable_accounts', 'supply_accounts'] as const
const letters: Readonly<Record<Action, string>> = {
  create: 'C',
  read: 'R',
  update: 'U',
  destroy: 'D',
  read_subscription: 'S',
}
const order = ['create', 'read', 'update', 'destroy', 'read_subscription'] as const

export function reportHeader(): string {
  const person = ['Email', 'Username', 'First Name', 'Last Name', 'Title', 'Status', 'Confirmed', 'Last Sign-In']
  const role = ['Role', 'Granted', 'Reaches', 'Clients', 'Channel Partner', ...parts.map(titleCase), 'Switched Off By Subscription']
  return lineOf([...person, ...role, ...models.map((model) => `Rights: ${titleCase(model)}`)])
}

/** Returns the lines of whole users: the effect of a subscription depends on all roles of a person. */
export function reportLines(rows: readonly ReportRow[], unsubscribed: Unsubscribed): string[] {
  const byUser = Map.groupBy(rows, (row) => row.user_id)
  return [...byUser.values()].flatMap((own) => {
    const clientOnly = !own.some(({ role }) => staffRoles.some((staff) => staff === role))
    return own.map((row) => lineOf([...personCells(row), ...roleCells(row, clientOnly, unsubscribed)]))
  })
}

function personCells(row: ReportRow): string[] {
  const status = row.status === 'active' ? 'Active' : 'Inactive'
  const confirmed = row.account_confirmed ? 'Yes' : ''
  const names = [row.email, row.username, row.first_name ?? '', row.last_name ?? '', row.title ?? '']
  return [...names, status, confirmed, timeOf(row.last_sign_in_at)]
}

function roleCells(row: ReportRow, clientOnly: boolean, unsubscribed: Unsubscribed): string[] {
  const { role } = row
  if (role === null || !isRoleName(role)) return ['', '', 'Nothing', ...Array.from({ length: 3 + parts.length + models.length }, () => '')]
  const off = switchedOff(row, role, clientOnly, unsubscribed)
  const isNarrowed = parts.some((part) => row[part].length > 0)
  const held = rightsOfRow(row, role, isNarrowed)
  const rights = models.map((model) => {
    if (off.everywhere.has(model)) return ''
    return order.map((action) => (held[model]?.includes(action) ? letters[action] : '')).join('')
  })
  return [
    roleLabels[role],
    timeOf(row.granted_at),
    reachOf(row, role, isNarrowed),
    namesOf(row.clients),
    row.channel_partner ?? '',
    ...parts.map((part) => namesOf(row[part])),
    off.words,
    ...rights,
  ]
}

function rightsOfRow({ clients }: ReportRow, role: RoleName, narrowed: boolean): PermissionMap {
  const everyClient = providerRoles.includes(role) && clients.length === 0
  return rightsWithin(permissionsOfRole(role), { everyClient, wholePartner: role === 'channel_partner_admin', narrowed })
}

function reachOf(row: ReportRow, role: RoleName, isNarrowed: boolean): string {
  if (isNarrowed) return 'Parts of clients'
  if (role === 'channel_partner_admin') return 'All clients of the channel partner'
  return providerRoles.includes(role) && row.clients.length === 0 ? 'Every client' : 'The clients named'
}

/** Returns the models that subscriptions remove from the role: as text with the clients, and those that it has in no client at all. */
function switchedOff(row: ReportRow, role: RoleName, clientOnly: boolean, { clients, byPartner }: Unsubscribed) {
  const ids = role === 'channel_partner_admin' ? (byPartner.get(row.channel_partner_id ?? 0) ?? []) : row.clients.map(({ id }) => id)
  const held = permissionsOfRole(role)
  const namesByModel = new Map<Model, string[]>()
  for (const id of ids) {
    const client = clients.get(id)
    for (const model of client ? maskedModels(client, clientOnly) : []) {
      if (held[model]) namesByModel.set(model, [...(namesByModel.get(model) ?? []), client?.name ?? ''])
    }
  }
  const words = [...namesByModel].map(([model, names]) => `${titleCase(model)}: ${names.join(', ')}`).join('; ')
  return { words, everywhere: new Set([...namesByModel].flatMap(([model, names]) => (names.length === ids.length ? [model] : []))) }
}

function namesOf(named: readonly Named[]): string {
  return named.map(({ name }) => name).join(', ')
}

function timeOf(instant: string | null): string {
  if (instant === null) return ''
  const { date, time } = wallTimeIn(NEW_YORK, new Date(instant))
  return `${date} ${time.slice(0, 5)}`
}

/** Prefixes a cell that a spreadsheet would run as a formula with a quote. */
function lineOf(cells: readonly string[]): string {
  return `${cells
    .map((cell) => (/^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/.test(cell) ? `'${cell}` : cell))
    .map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(',')}\n`
}
