/**
 * Reads bill documents and proposes what they say. The front door of the slice: `readDocument` gives the words of a file (no database, a
 * thread of its own), `askThread` reads page by page, `proposeBill` is what a form is offered of the words, `learnLayout` takes what a person
 * saved.
 */
export { readDocument, refuseLarge } from './read-document.ts'
export { askThread, stopReading } from './reading-thread.ts'
export { faultOf, ReadingError, readingFaults, tooMuchMemory } from './reading-error.ts'
export type { PageWords } from './reading-message.ts'
export { proposeBill } from './propose-bill.ts'
export { learnLayout } from './learn-layout.ts'
