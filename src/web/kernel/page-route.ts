import type { ComponentType } from 'react'
import type { Does } from './permissions.tsx'

/** One page of the console. Slices list theirs in `routes.ts`; the app makes the routes. */
export interface PageRoute {
  /** Parameters as `:client_id`; `/clients/:client_id/divisions`. */
  readonly path: string
  /** In the window's title and in the palette. */
  readonly title: string
  /** Loads the page's code when it is first wanted. */
  readonly page: () => Promise<ComponentType>
  /** Who may open it; everybody who is signed in unless told. The server decides all the same. */
  readonly may?: Does
  /** Not for people whose rights end at a client. */
  readonly staff?: boolean
}
