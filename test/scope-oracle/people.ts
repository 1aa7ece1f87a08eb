/** Random people: one to three roles, of a client as a whole, of parts of one client, of a partner, of the provider; and what they see. */
import * as fc from 'fast-check'
import type { RoleName } from '#contract/access/rights.ts'
import type { Database } from '../../src/server/kernel/postgres/database.ts'
import { addRole, makePerson, type Person, type RoleScope } from '../support/app.ts'
import { levels, pluralOf, type Item, type Level, type World } from './world.ts'

export interface RoleRow {
  readonly role: RoleName
  readonly clients: readonly number[]
  readonly partnerId?: number
  readonly narrowed: Readonly<Partial<Record<Level, readonly number[]>>>
}

export const chance = fc.nat({ max: 1_000_000 })
const clientRoles: readonly RoleName[] = ['client_admin', 'client_manager', 'client_user', 'read_only_user']

export interface DrawnRole {
  readonly way: number
  readonly picks: readonly number[]
}

export const rolesOfPerson = fc.array(fc.record({ way: fc.nat({ max: 9 }), picks: fc.array(chance, { minLength: 8, maxLength: 8 }) }), {
  minLength: 1,
  maxLength: 3,
})

export function roleRow({ clients, items }: World, { way, picks }: DrawnRole): RoleRow {
  const some = clients.filter((_, at) => ((picks[0] ?? 0) >> at) % 2 === 1).map(({ id }) => id)
  const role = clientRoles[(picks[1] ?? 0) % clientRoles.length] ?? 'client_user'
  if (way === 0) return { role: 'super_admin', clients: [], narrowed: {} }
  if (way === 1) return { role: 'muc_admin', clients: some, narrowed: {} }
  if (way === 2) {
    const partnerId = clients[(picks[1] ?? 0) % 4]?.partnerId
    return { role: 'channel_partner_admin', clients: [], ...(typeof partnerId === 'number' ? { partnerId } : {}), narrowed: {} }
  }
  if (way < 5) return { role, clients: some, narrowed: {} }
  const clientId = clients[(picks[2] ?? 0) % clients.length]?.id ?? 0
  const narrowed = Object.fromEntries(
    levels.flatMap((level, at) => {
      const pick = picks[3 + at] ?? 0
      const within = items.filter((item) => item.clientId === clientId && item.kind === pluralOf[level])
      const chosen = within.filter((_, place) => (pick >> place) % 4 === 1).map(({ id }) => id)
      return pick % 2 === 0 || chosen.length === 0 ? [] : [[level, chosen] as const]
    }),
  )
  return { role, clients: [clientId], narrowed }
}

export async function personOf(db: Database['db'], rows: readonly RoleRow[]): Promise<Person> {
  const person = await makePerson(db, null)
  for (const { role, clients: ids, partnerId, narrowed } of rows) {
    const clientId = ids[0] ?? 0
    const inside = Object.fromEntries(Object.entries(narrowed).map(([level, list]) => [level, list.map((id) => [clientId, id] as const)]))
    const scope: RoleScope = { clients: ids, ...(partnerId === undefined ? {} : { channel_partner_id: partnerId }), ...inside }
    await addRole(db, person.id, role, scope)
  }
  return person
}

export function clientsOf({ clients }: World, row: RoleRow): readonly number[] {
  const all = clients.map(({ id }) => id)
  if (row.role === 'super_admin') return all
  if (row.role === 'muc_admin') return row.clients.length === 0 ? all : row.clients
  if (row.role === 'channel_partner_admin') return clients.filter(({ partnerId }) => partnerId === row.partnerId).map(({ id }) => id)
  return row.clients
}

export function isNarrowed({ narrowed }: RoleRow): boolean {
  return Object.keys(narrowed).length > 0
}

/** Models of records of a whole client: a role that is narrowed to a part of it sees none of them. */
const wholeClientKinds: readonly Item['kind'][] = ['ledger_accounts', 'ledger_fields', 'client_vendor_numbers']

/**
 * The client's own name and its batch groups are above all its parts; documents that hang on the client itself are for who sees it whole.
 */
export function sees(world: World, row: RoleRow, item: Item): boolean {
  if (!clientsOf(world, row).includes(item.clientId)) return false
  if (!isNarrowed(row) || item.kind === 'clients' || item.kind === 'batch_groups') return true
  if (wholeClientKinds.includes(item.kind)) return false
  return levels.some((level) => {
    const id = item.above[level]
    return id !== undefined && (row.narrowed[level]?.includes(id) ?? false)
  })
}

export function seenBy(world: World, rows: readonly RoleRow[], item: Item): boolean {
  return rows.some((row) => sees(world, row, item))
}
