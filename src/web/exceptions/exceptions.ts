/** What other slices use of exceptions. */
export { ExceptionsFirst } from './exceptions-first.tsx'
