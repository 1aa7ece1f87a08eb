import type { PageRoute } from '../kernel/page-route.ts'
import { importTargets } from './import-targets.ts'

/** One route per kind: /vendors/import, /clients/:client_id/divisions/import and so on. */
export const importRoutes: readonly PageRoute[] = importTargets
  .filter(({ way }) => way === undefined)
  .map((target) => ({
    path: `${target.list}/import`,
    title: `Import ${target.labels}`,
    may: target.may,
    page: async () => (await import('./import-page.tsx')).importPage(target),
  }))
