import type { Access } from '#contract/access/auth.ts'
import { allows, type Model, type PermissionMap } from '#contract/kernel/permission.ts'

/** A user's first page: `home` shows the admin home, `go` redirects to an address. */
export type Landing = { kind: 'home' } | { kind: 'go'; href: string }

const order = [
  { model: 'client', section: 'dashboard', list: '/clients' },
  { model: 'division', section: 'divisions', list: '/divisions' },
  { model: 'facility', section: 'facilities', list: '/facilities' },
  { model: 'billable_account', section: 'billable_accounts', list: '/billable_accounts' },
  { model: 'supply_account', section: 'supply_accounts', list: '/supply_accounts' },
] as const satisfies readonly { model: Model; section: string; list: string }[]

/** The landing choice (G-LANDING-ORDER): home if the server says so, the client of a user limited to one, else the first readable list. */
export function landingOf(access: Access): Landing {
  if (access.redirect_to_home) return { kind: 'home' }
  if (access.client_only_user) {
    return {
      kind: 'go',
      href: access.redirect_client_id === null ? '/landing' : firstSectionOf(access.redirect_client_id, access.permissions),
    }
  }
  const first = order.find(({ model }) => allows(access.permissions, `${model}.read`))
  return { kind: 'go', href: first?.list ?? '/landing' }
}

/** Returns the first section of a client that the user may read. */
export function firstSectionOf(clientId: number, map: PermissionMap): string {
  const first = order.find(({ model }) => allows(map, `${model}.read`))
  return first ? `/clients/${clientId}/${first.section}` : '/landing'
}
