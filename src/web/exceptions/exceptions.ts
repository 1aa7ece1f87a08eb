/** The front door of exceptions for other slices. */
export {
  accountHref,
  carriedWords,
  labelOf as exceptionLabel,
  looks as exceptionLooks,
  reckoningOf,
  todoOf,
  whyOf,
} from './exception-words.ts'
