/** What other slices use of utility services. */
export { serviceTypes, serviceIcon, serviceLabel } from './service-icon.tsx'
