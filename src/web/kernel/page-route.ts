import type { ComponentType } from 'react'
import type { Does } from './permissions.tsx'

/** The address at which the console was opened: path parameters and query parameters, by name. */
export interface EarlyAddress {
  readonly params: Readonly<Record<string, string>>
  readonly search: Readonly<Record<string, string>>
}

/** One page of the console. Slices list theirs in `routes.ts`; the app creates the routes. */
export interface PageRoute {
  /** Parameters as `:client_id`; `/clients/:client_id/divisions`. */
  readonly path: string
  /** Shown in the window's title and in the palette. */
  readonly title: string
  /** Loads the page's code when it is first needed. */
  readonly page: () => Promise<ComponentType>
  /** Requests the page's first data as soon as its code is loaded, while the rights are still loading; the server checks them too. */
  readonly early?: (address: EarlyAddress) => Promise<void>
  /** The right that opens the page; every signed-in user by default. The server checks anyway. */
  readonly may?: Does
  /** Hidden from users whose rights are limited to a client. */
  readonly staff?: boolean
  /** Opens in a window of its own, without header, menus and sidebar. Its path has no parameters. */
  readonly bare?: boolean
}
