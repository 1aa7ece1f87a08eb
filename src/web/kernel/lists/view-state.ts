import type { SavedView } from '#contract/list-layouts/list-layout.ts'
import type { GridLayout } from '../../ui/grid/grid-types.ts'
import type { LayoutState } from './list-layout.ts'
import type { ViewChoices } from './view-choices.ts'

export interface ViewState extends LayoutState {
  readonly view: SavedView | undefined
  readonly views: readonly SavedView[]
  readonly choices: ViewChoices
  /** Columns changed since the view was opened; they become part of the view only by Save. */
  readonly changedLayout: GridLayout | null | undefined
  readonly forgetLayout: () => void
}
