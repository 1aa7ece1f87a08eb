/**
 * Reasons why a document cannot be read, in words for the user who uploaded it. 'stopped' does not depend on the document: it may be tried
 * again.
 */
export const readingFaults = [
  'broken',
  'locked',
  'unsupported',
  'too_large',
  'too_many_pages',
  'too_much_memory',
  'too_slow',
  'stopped',
] as const
export type ReadingFault = (typeof readingFaults)[number]

export class ReadingError extends Error {
  readonly fault: ReadingFault

  constructor(fault: ReadingFault, message: string) {
    super(message)
    this.name = 'ReadingError'
    this.fault = fault
  }
}

export const stoppedReading = (): ReadingError => new ReadingError('stopped', 'Reading was stopped.')

export const tooMuchMemory = (): ReadingError => new ReadingError('too_much_memory', 'This document needs too much memory to be read.')

/** Converts an error to a message between threads or processes. An unexpected error is reported as a damaged file. */
export function faultOf(error: unknown): { kind: 'fault'; fault: ReadingFault; message: string } {
  const known =
    error instanceof ReadingError ? error : new ReadingError('broken', 'The document could not be read: it seems to be damaged.')
  return { kind: 'fault', fault: known.fault, message: known.message }
}
