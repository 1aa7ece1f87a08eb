/** What other slices use of vendors. */
export { vendorAddition } from './vendor-addition.tsx'
