/** The note below a list: a request to type, that the search is running, or why the list is empty. */
import type { LookupStatus } from './use-options.ts'

export type NoteOf = {
  readonly status: LookupStatus
  readonly count: number
  readonly term: string
  readonly minChars: number
  /** Why some records are not offered. */
  readonly within: string | undefined
}

export function listNote({ status, count, term, minChars, within }: NoteOf): string {
  switch (status) {
    case 'idle':
      return ''
    case 'short': {
      const missing = minChars - term.length
      return `Type ${missing} more ${missing === 1 ? 'character' : 'characters'} to search`
    }
    case 'loading':
      return 'Searching…'
    case 'forbidden':
      return 'You have no right to read them. Ask an administrator for a role that may.'
    case 'failed':
      if (count > 0) return 'Further matches could not be loaded.'
      return term === '' ? 'The list could not be loaded.' : 'The search failed.'
    case 'ready':
      if (count > 0) return ''
      return [term === '' ? 'Nothing to choose from' : `Nothing found for “${term}”`, within].filter(Boolean).join('. ')
  }
}
