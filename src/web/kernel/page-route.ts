import type { ComponentType } from 'react'
import type { Does } from './permissions.tsx'

/** The address that the console was opened at: the path's parameters and its search text, by name. */
export interface EarlyAddress {
  readonly params: Readonly<Record<string, string>>
  readonly search: Readonly<Record<string, string>>
}

/** One page of the console. Slices list theirs in `routes.ts`; the app makes the routes. */
export interface PageRoute {
  /** Parameters as `:client_id`; `/clients/:client_id/divisions`. */
  readonly path: string
  /** In the window's title and in the palette. */
  readonly title: string
  /** Loads the page's code when it is first wanted. */
  readonly page: () => Promise<ComponentType>
  /** Asks for what the page shows first as soon as its code is there, while rights are still on their way; the server checks them too. */
  readonly early?: (address: EarlyAddress) => Promise<void>
  /** Who may open it; everybody who is signed in unless told. The server decides all the same. */
  readonly may?: Does
  /** Not for people whose rights end at a client. */
  readonly staff?: boolean
  /** In a window of its own, without header, menus and sidebar. Its path has no parameters. */
  readonly bare?: boolean
}
