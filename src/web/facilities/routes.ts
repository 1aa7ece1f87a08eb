import type { PageRoute } from '../kernel/page-route.ts'

const base = '/clients/:client_id/facilities'
const ofDivision = '/clients/:client_id/divisions/:division_id'

export const facilityRoutes: readonly PageRoute[] = [
  { path: '/facilities', title: 'Facilities', may: 'facility.read', page: async () => (await import('./facility-list.tsx')).AllFacilities },
  { path: base, title: 'Facilities', may: 'facility.read', page: async () => (await import('./facility-list.tsx')).ClientFacilities },
  {
    path: `${base}/new`,
    title: 'New Facility',
    may: 'facility.create',
    page: async () => (await import('./facility-form.tsx')).NewFacility,
  },
  {
    path: `${base}/:facility_id/edit`,
    title: 'Edit Facility',
    may: 'facility.update',
    page: async () => (await import('./facility-form.tsx')).EditFacility,
  },
  {
    path: `${base}/:facility_id/billable_accounts`,
    title: 'Facility’s Billable Accounts',
    may: 'billable_account.read',
    page: async () => (await import('./facility-accounts.tsx')).FacilityBillableAccounts,
  },
  {
    path: `${base}/:facility_id/supply_accounts`,
    title: 'Facility’s Supply Accounts',
    may: 'supply_account.read',
    page: async () => (await import('./facility-accounts.tsx')).FacilitySupplyAccounts,
  },
  {
    path: `${ofDivision}/facilities`,
    title: 'Division Facilities',
    may: 'facility.read',
    page: async () => (await import('./division-facilities.tsx')).DivisionFacilities,
  },
  {
    path: `${ofDivision}/facilities/new`,
    title: 'New Facility',
    may: 'facility.create',
    page: async () => (await import('./division-facilities.tsx')).NewDivisionFacility,
  },
  {
    path: `${ofDivision}/facilities/:facility_id/edit`,
    title: 'Edit Facility',
    may: 'facility.update',
    page: async () => (await import('./division-facilities.tsx')).EditDivisionFacility,
  },
]
