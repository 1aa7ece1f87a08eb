/** The public part of vendors. */
export { vendorAddition } from './vendor-addition.tsx'
