/**
 * The addresses of the specification whose pages are still to come, with what belongs there; no address leads nowhere. A page that a slice
 * brings for the same address takes its place, and its entry goes.
 */
import type { PageRoute } from '../kernel/page-route.ts'
import type { Does } from '../kernel/permissions.tsx'

const base = '/clients/:client_id'

interface Later {
  readonly path: string
  readonly title: string
  /** One sentence: what will be here. */
  readonly what: string
  readonly may?: Does
  readonly staff?: boolean
}

export const laterRoutes: readonly PageRoute[] = [...accountDashboards()].map(laterRoute)

function laterRoute({ path, title, what, may, staff }: Later): PageRoute {
  return {
    path,
    title,
    ...(may ? { may } : {}),
    ...(staff ? { staff } : {}),
    page: async () => (await import('./later-page.tsx')).laterPage(title, what),
  }
}

function accountDashboards(): Later[] {
  return [
    {
      path: `${base}/billable_accounts/dashboard`,
      title: 'Billable Accounts Dashboard',
      what: 'Cost, usage and emissions of the billable accounts of this client.',
      may: 'billable_account.read',
    },
    {
      path: `${base}/supply_accounts/dashboard`,
      title: 'Supply Accounts Dashboard',
      what: 'Cost, usage and emissions of the supply accounts of this client.',
      may: 'supply_account.read',
    },
  ]
}
