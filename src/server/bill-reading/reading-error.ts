/** Why a document cannot be read, in words for the person who uploaded it. */
export type ReadingFault = 'broken' | 'locked' | 'unsupported' | 'too_large' | 'too_many_pages' | 'too_slow' | 'stopped'

export class ReadingError extends Error {
  readonly fault: ReadingFault

  constructor(fault: ReadingFault, message: string) {
    super(message)
    this.name = 'ReadingError'
    this.fault = fault
  }
}
