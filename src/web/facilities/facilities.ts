/** What other slices use of facilities. */
export { facilityAddition } from './facility-addition.tsx'
export { FacilitiesTabs, FacilityHeader } from './facility-header.tsx'
