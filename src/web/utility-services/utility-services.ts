/** The public part of utility services. */
export { serviceTypes, serviceIcon, serviceLabel } from './service-icon.tsx'
