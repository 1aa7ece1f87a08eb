/** The caller, their rights and the reach of those. Pure: no database in the decision. */
import { createHash } from 'node:crypto'
import {
  models,
  partsOf,
  permissionsOf,
  rightsWithin,
  type Action,
  type May,
  type Model,
  type Permission,
  type PermissionMap,
} from '#contract/kernel/permission.ts'

/** One role row of a user with everything that it reaches, resolved when the sign-in is read. */
export interface Grant {
  readonly role: string
  /** Permissions of the role, before its reach takes any away. */
  readonly permissions: PermissionMap
  /** 'all' for staff whose role is not bound to clients. */
  readonly clients: 'all' | readonly number[]
  /** Ids by level if the role is narrowed inside its clients; empty otherwise. */
  readonly narrowed: Readonly<Record<string, readonly number[]>>
  /** The role may get its clients later: it holds its permissions although it reaches no client yet. */
  readonly awaitsClients?: boolean
}

export interface Principal {
  readonly user_id: number
  readonly email: string
  readonly grants: readonly Grant[]
  /** Per client, the models that its subscription disables, whatever the role allows. */
  readonly masked: ReadonlyMap<number, readonly Model[]>
  readonly session_id: number
  /** The API token of the request, if it is not a sign-in: tasks that it starts stay within its bounds. */
  readonly api_token_id?: number
}

/** The part of a grant that a permission reaches: whole clients, or ids at levels inside them. */
export type Reach = readonly {
  readonly clients: 'all' | readonly number[]
  readonly narrowed: Readonly<Record<string, readonly number[]>>
}[]

/** Reach of the program itself: for rows that a transaction has just written inside the caller's reach, and for rows as they are stored. */
export const everything: Reach = [{ clients: 'all', narrowed: {} }]

/** The person who may use a link: by which sign-in or API token, and a digest of the rights that they had when it was made. */
export interface LinkHolder {
  readonly user_id: number
  readonly session_id: number
  readonly api_token_id: number | null
  readonly rights: string
}

export function linkHolderOf(principal: Principal): LinkHolder {
  const { user_id, session_id, api_token_id } = principal
  return { user_id, session_id, api_token_id: api_token_id ?? null, rights: rightsDigest(principal) }
}

/** Changes with every right and every part of the reach. Subscriptions count where they take rights away. */
function rightsDigest({ grants, masked }: Principal): string {
  const taken = [...masked].filter(([, models]) => models.length > 0)
  const text = JSON.stringify([grants, grants.every(({ clients }) => clients === 'all') ? [] : taken])
  return createHash('sha256').update(text).digest('base64url')
}

/** Returns the reach of `permissions` of the principal, united over its grants. An empty reach means: forbidden. */
export function reachOf(principal: Principal, may: May): Reach {
  const permissions = permissionsOf(may)
  return principal.grants.flatMap((grant) => {
    const held = permissions.filter((permission) => grantHolds(grant, permission))
    const models = held.map((permission) => partsOf(permission).model)
    if (held.length === 0) return []
    const clients = withoutMasked(grant.clients, models, principal)
    const isEmpty = clients !== 'all' && clients.length === 0 && !(grant.awaitsClients && grant.clients.length === 0)
    return isEmpty ? [] : [{ clients, narrowed: grant.narrowed }]
  })
}

/** Returns everything that the principal's roles reach, whatever the permission. */
export function wholeReach(principal: Principal): Reach {
  return principal.grants.map(({ clients, narrowed }) => ({ clients, narrowed }))
}

/** Returns true if one of the permissions reaches this client (or, without a client, anything at all). */
export function mayIn(principal: Principal, may: May, clientId?: number): boolean {
  if (may === 'public' || may === 'signed_url' || may === 'signed_in') return true
  return reachOf(principal, may).some((part) => clientId === undefined || covers(part.clients, clientId))
}

/** Returns the permission map for one client, or over everything that the principal reaches. */
export function permissionMapOf(principal: Principal, clientId?: number): PermissionMap {
  const map: Partial<Record<Model, Action[]>> = {}
  for (const grant of principal.grants) {
    if (clientId !== undefined && !covers(grant.clients, clientId)) continue
    const held = rightsOf(grant)
    for (const model of models) {
      if (clientId !== undefined && principal.masked.get(clientId)?.includes(model)) continue
      const merged = new Set([...(map[model] ?? []), ...(held[model] ?? [])])
      if (merged.size > 0) map[model] = [...merged]
    }
  }
  return map
}

/** Returns true if the reach contains the client as a whole, without narrowing. */
export function reachesWhole(reach: Reach, clientId: number): boolean {
  return reach.some((part) => covers(part.clients, clientId) && Object.keys(part.narrowed).length === 0)
}

/** Returns true if the reach contains every present and future client, each as a whole. */
export function reachesEveryClient(reach: Reach): boolean {
  return reach.some((part) => part.clients === 'all' && Object.keys(part.narrowed).length === 0)
}

export function covers(clients: 'all' | readonly number[], clientId: number): boolean {
  return clients === 'all' || clients.includes(clientId)
}

export function isNarrowed(grant: Pick<Grant, 'narrowed'>): boolean {
  return Object.keys(grant.narrowed).length > 0
}

function grantHolds(grant: Grant, permission: Permission): boolean {
  const { model, action } = partsOf(permission)
  return rightsOf(grant)[model]?.includes(action) ?? false
}

/** A grant does not change, and every request asks for its rights several times. */
const rights = new WeakMap<Grant, PermissionMap>()

function rightsOf(grant: Grant): PermissionMap {
  const known = rights.get(grant)
  if (known) return known
  const held = rightsWithin(grant.permissions, {
    everyClient: grant.clients === 'all',
    wholePartner: grant.awaitsClients === true,
    narrowed: isNarrowed(grant),
  })
  rights.set(grant, held)
  return held
}

/** A client whose subscription masks all the requested models is dropped. Staff keep 'all': the mask restricts what a client bought. */
function withoutMasked(clients: 'all' | readonly number[], held: readonly Model[], principal: Principal): 'all' | readonly number[] {
  if (clients === 'all') return clients
  return clients.filter((id) => held.some((model) => !principal.masked.get(id)?.includes(model)))
}
