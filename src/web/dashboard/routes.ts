import type { PageRoute } from '../kernel/page-route.ts'

const base = '/clients/:client_id'
const pages = () => import('./dashboard-pages.tsx')

export const dashboardRoutes: readonly PageRoute[] = [
  { path: `${base}/dashboard`, title: 'Client Dashboard', may: 'client.read', page: async () => (await pages()).ClientDashboard },
  {
    path: `${base}/divisions/dashboard`,
    title: 'Divisions Dashboard',
    may: 'division.read',
    page: async () => (await pages()).DivisionsDashboard,
  },
  {
    path: `${base}/divisions/:division_id/dashboard`,
    title: 'Division Dashboard',
    may: 'division.read',
    page: async () => (await pages()).DivisionDashboard,
  },
  {
    path: `${base}/facilities/dashboard`,
    title: 'Facilities Dashboard',
    may: 'facility.read',
    page: async () => (await pages()).FacilitiesDashboard,
  },
  {
    path: `${base}/facilities/:facility_id/dashboard`,
    title: 'Facility Dashboard',
    may: 'facility.read',
    page: async () => (await pages()).FacilityDashboard,
  },
  {
    path: `${base}/facilities/:facility_id/weather`,
    title: 'In the Same Weather',
    may: 'facility.read',
    page: async () => (await import('./weather-page.tsx')).WeatherPage,
  },
  {
    path: `${base}/billable_accounts/dashboard`,
    title: 'Billable Accounts Dashboard',
    may: 'billable_account.read',
    page: async () => (await pages()).BillableAccountsDashboard,
  },
  {
    path: `${base}/supply_accounts/dashboard`,
    title: 'Supply Accounts Dashboard',
    may: 'supply_account.read',
    page: async () => (await pages()).SupplyAccountsDashboard,
  },
  {
    path: `${base}/billable_accounts/:billable_account_id/dashboard`,
    title: 'Billable Account Dashboard',
    may: 'billable_account.read',
    page: async () => (await pages()).BillableAccountDashboard,
  },
  {
    path: `${base}/supply_accounts/:supply_account_id/dashboard`,
    title: 'Supply Account Dashboard',
    may: 'supply_account.read',
    page: async () => (await pages()).SupplyAccountDashboard,
  },
  {
    path: `${base}/group_accounts/:group_account_id/dashboard`,
    title: 'Group Account Dashboard',
    may: 'billable_account.read',
    page: async () => (await pages()).GroupAccountDashboard,
  },
  {
    path: `${base}/group_supply_accounts/:group_supply_account_id/dashboard`,
    title: 'Group Supply Account Dashboard',
    may: 'supply_account.read',
    page: async () => (await pages()).GroupSupplyAccountDashboard,
  },
  { path: `${base}/bills/dashboard`, title: 'Bills Dashboard', may: 'bill.read', page: async () => (await pages()).BillsDashboard },
  {
    path: `${base}/utility_services/:utility_service_id/dashboard`,
    title: 'Utility Service Dashboard',
    may: 'client.read',
    page: async () => (await pages()).UtilityServiceDashboard,
  },
]
