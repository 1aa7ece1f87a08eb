export type OptionId = string | number

export type PickerOption<Id extends OptionId = number> = {
  id: Id
  label: string
  /** Second, quieter line: number, short code, address, or the account's vendor. */
  hint?: string | undefined
  /** Further search words, used where the whole list is in the browser. */
  words?: string | undefined
  /** Why the option cannot be chosen. */
  disabledReason?: string | undefined
  /** Options of one group are listed together under its heading. */
  group?: string | undefined
  /** Shortcut with the same effect. */
  keys?: string | undefined
}

export type OptionQuery = { term: string; page: number; per: number }
export type OptionPage<Id extends OptionId> = {
  options: readonly PickerOption<Id>[]
  total: number
  /** Recently chosen options, for the first page of an empty term. */
  recent?: readonly PickerOption<Id>[] | undefined
}
/** Asks the server; an empty term lists all options. */
export type OptionSearch<Id extends OptionId> = (query: OptionQuery, signal: AbortSignal) => Promise<OptionPage<Id>>

/** Source of options: a complete list, a search, or both; with both, matches of the list come first. */
export type OptionSource<Id extends OptionId> = {
  list?: readonly PickerOption<Id>[] | undefined
  search?: OptionSearch<Id> | undefined
  /** Options listed before all others: 'All clients'. */
  lead?: readonly PickerOption<Id>[] | undefined
  /** Why some records are not offered, e.g. because they belong to another client. */
  within?: string | undefined
}

/** Thrown if the user has no right to the search; a retry would not help. */
export class OptionsForbidden extends Error {
  constructor() {
    super('You have no right to read them.')
    this.name = 'OptionsForbidden'
  }
}
