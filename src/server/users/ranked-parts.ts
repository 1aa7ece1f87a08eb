/** The parts of a reach by the rank of their role. */
import type { Permission } from '#contract/kernel/permission.ts'
import { providerRoles, roleNames, type RoleName } from '#contract/access/rights.ts'
import { reachOf, type Principal, type Reach } from '../kernel/principal.ts'

/** A part of a user's reach, with the rank of the role that it comes from: 0 is the highest. */
export type RankedPart = Reach[number] & { readonly rank: number }

/** Roles that are compared with the same parts. */
export interface Group {
  readonly roleIds: readonly number[]
  readonly parts: readonly RankedPart[]
}

/** The id of a role is its position among the names, counted from one; 0004-reference-data.sql stores them so. */
export function roleIdOf(role: RoleName): number {
  return rankOf(role) + 1
}

export function rankedParts(principal: Principal, permission: Permission): RankedPart[] {
  return principal.grants.flatMap((grant) => {
    const rank = roleNames.findIndex((name) => name === grant.role)
    return rank < 0 ? [] : reachOf({ ...principal, grants: [grant] }, permission).map((part) => ({ ...part, rank }))
  })
}

export function rankOf(role: RoleName): number {
  return roleNames.indexOf(role)
}

/** Each role is compared with the parts of its own rank and above. */
export function rankGroups(parts: readonly RankedPart[]): Group[] {
  return roleNames.map((role) => ({ roleIds: [roleIdOf(role)], parts: parts.filter(({ rank }) => rank <= rankOf(role)) }))
}

export function isProvider(parts: readonly RankedPart[]): boolean {
  return parts.some(({ rank }) => providerRoles.some((role) => rankOf(role) === rank))
}
