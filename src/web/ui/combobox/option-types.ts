export type OptionId = string | number

export type PickerOption<Id extends OptionId = number> = {
  id: Id
  label: string
  /** A second, quieter line: number, short code, address, the vendor beside the account. */
  hint?: string | undefined
  /** Further words that find it where the whole list is known. */
  words?: string | undefined
  /** Why it cannot be chosen. */
  disabledReason?: string | undefined
  /** Options of one group follow each other under its heading. */
  group?: string | undefined
  /** The shortcut that does the same. */
  keys?: string | undefined
}

export type OptionQuery = { term: string; page: number; per: number }
export type OptionPage<Id extends OptionId> = {
  options: readonly PickerOption<Id>[]
  total: number
  /** What was chosen lately, for the first page of an empty term. */
  recent?: readonly PickerOption<Id>[] | undefined
}
/** Asks the server; an empty term lists all. */
export type OptionSearch<Id extends OptionId> = (query: OptionQuery, signal: AbortSignal) => Promise<OptionPage<Id>>

/** Where options come from: a list that is whole, a search, or both, where the list is shown first. */
export type OptionSource<Id extends OptionId> = {
  list?: readonly PickerOption<Id>[] | undefined
  search?: OptionSearch<Id> | undefined
  /** Stand before all others: 'All clients'. */
  lead?: readonly PickerOption<Id>[] | undefined
  /** Why some records are not among the options: they belong to another client, say. */
  within?: string | undefined
}

/** The refusal of a search that the person may not make: trying again changes nothing. */
export class OptionsForbidden extends Error {
  constructor() {
    super('You have no right to read them.')
    this.name = 'OptionsForbidden'
  }
}
