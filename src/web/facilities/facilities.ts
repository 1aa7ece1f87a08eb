/** The public part of facilities. */
export { facilityAddition } from './facility-addition.tsx'
export { FacilitiesTabs, FacilityHeader } from './facility-header.tsx'
