/**
 * Reads bill documents and proposes what they say. The front door of the slice: `readDocument` gives the words of a file (no database, a
 * thread of its own), `proposeBill` what a form is offered of them, `learnLayout` takes what a person saved.
 */
export { readDocument, stopReading } from './read-document.ts'
export { ReadingError } from './reading-error.ts'
export { proposeBill } from './propose-bill.ts'
export { learnLayout } from './learn-layout.ts'
