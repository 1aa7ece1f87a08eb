/** The front door of exceptions for other slices. */
export { accountHref, carriedWords, labelOf as exceptionLabel, looks as exceptionLooks, reckoningOf, whyOf } from './exception-words.ts'
export { ExceptionsFirst } from './exceptions-first.tsx'
