import { expect, test } from 'vitest'
import { pageRoutes, redirects, sameAddress } from './routes.ts'

const exists = (path: string) =>
  pageRoutes.some((page) => sameAddress(page.path, path)) || redirects.some(({ from }) => sameAddress(from, path))
const c = '/clients/:client_id'

test.each([
  '/clients',
  '/advanced_search',
  '/channel_partners',
  '/users',
  '/divisions',
  '/facilities',
  '/billable_accounts',
  '/supply_accounts',
  '/group_accounts',
  '/group_supply_accounts',
  '/bills',
  '/utility_services',
  '/vendors',
  '/settings',
  '/',
  '/landing',
  '/global_batch',
  '/global_batch/files',
  '/settings/audit_log',
  '/users/profile',
  '/users/:id/edit/password',
  '/users/:id/roles/:id/edit',
  `${c}/edit`,
  `${c}/dashboard`,
  `${c}/users/:id/roles/new`,
  `${c}/subscriptions`,
  `${c}/documents/:id/edit`,
  `${c}/client_vendor_numbers/import`,
  `${c}/divisions/:id`,
  `${c}/divisions/:id/facilities/:id/edit`,
  `${c}/facilities/:id/supply_accounts`,
  `${c}/billable_accounts/:id/services/:id/edit`,
  `${c}/supply_accounts/:id/bills`,
  `${c}/group_accounts/:id/subaccounts`,
  `${c}/group_supply_accounts/:id/edit`,
  `${c}/bills/:id/facilities`,
  `${c}/bills/bill_document_repository/:id/edit`,
  `${c}/accounting_batches/:id/bills`,
  `${c}/payment_batches/:id/vendor_payments/:id/bills`,
  `${c}/ledger_fields/import`,
  `${c}/reports/:id/generated-reports/:id/edit`,
  `${c}/site_surveys/:id/edit`,
  `${c}/ancillary_services`,
  `${c}/alerts/past_due_bills`,
  '/global_batch/todays_batches/:type',
  '/global_batch/:id/newBills',
  '/global_batch/view/:id/bills',
  '/payment_methods/new',
  '/settings/cost_parameters/:id/edit',
  `${c}/advanced_search`,
  `${c}/utility_services/:id/dashboard`,
  `${c}/channel_partners/:id/edit`,
])(
  '%s leads somewhere [NAV-ROUTE-001] [NAV-ROUTE-002] [NAV-ROUTE-003] [NAV-ROUTE-004] [NAV-ROUTE-005] [NAV-ROUTE-006] [NAV-ROUTE-007] [NAV-ROUTE-008] [NAV-ROUTE-009] [NAV-ROUTE-010] [NAV-ROUTE-011] [NAV-ROUTE-012] [NAV-ROUTE-013] [NAV-ROUTE-017] [NAV-ROUTE-018] [NAV-ROUTE-021]',
  (path) => {
    expect(exists(path)).toBe(true)
  },
)

test('no address has two pages', () => {
  const shapes = [...pageRoutes.map((page) => page.path), ...redirects.map(({ from }) => from)].map((path) => path.replaceAll(/:\w+/g, ':'))
  expect(shapes.filter((shape, at) => shapes.indexOf(shape) !== at)).toEqual([])
})
