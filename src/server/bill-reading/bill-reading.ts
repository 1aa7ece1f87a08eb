/**
 * Reads bill documents and proposes their values. The front door of the slice: `readDocument` returns the words of a file (no database, in
 * its own thread), `askThread` reads page by page, `proposeBill` returns the proposal for a form, `learnLayout` learns from what a person
 * saved.
 */
export { readDocument, refuseLarge } from './read-document.ts'
export { askThread, stopReading } from './reading-thread.ts'
export { faultOf, ReadingError, readingFaults, stoppedReading, tooMuchMemory } from './reading-error.ts'
export type { PageWords } from './reading-message.ts'
export { proposeBill } from './propose-bill.ts'
export { learnLayout } from './learn-layout.ts'
