/** The front door of exceptions for other slices. */
export { ExceptionsFirst } from './exceptions-first.tsx'
