import { alerts, type AlertKey } from '#contract/alerts/alert-names.ts'
import type { PageRoute } from '../kernel/page-route.ts'

const pages = () => import('./alert-pages.tsx')

const pageOf: Readonly<Record<AlertKey, PageRoute['page']>> = {
  billable_accounts_missing_bills: async () => (await pages()).MissingBillableBills,
  supply_accounts_missing_bills: async () => (await pages()).MissingSupplyBills,
  billable_accounts_consecutive_estimations: async () => (await pages()).ConsecutiveEstimations,
  past_due_bills: async () => (await pages()).PastDueBills,
}

export const alertRoutes: readonly PageRoute[] = alerts.map(({ key, label, model }) => ({
  path: `/clients/:client_id/alerts/${key}`,
  title: label,
  may: `${model}.read`,
  page: pageOf[key],
}))
