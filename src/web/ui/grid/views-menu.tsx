import { lazy, Suspense, useState, type ReactNode } from 'react'
import { ChevronDown } from 'lucide-react'
import { Menu, MenuHeading, MenuItem, MenuSeparator } from '../menu.tsx'

const NameDialog = lazy(() => import('./view-name-dialog.tsx').then((module) => ({ default: module.ViewNameDialog })))

export type SavedView = {
  id: number
  name: string
  /** The name of those who see it too; undefined where nobody does. */
  sharedWith: string | undefined
  /** Whether this user may change and delete it. */
  editable: boolean
}

export type ViewsMenuProps = {
  views: readonly SavedView[]
  /** The view in use; null is the list's default. */
  currentId: number | null
  /** Whether filters, sort or columns differ from the view's. */
  changed: boolean
  onChoose: (id: number | null) => void
  /** Saves the current state into the view. */
  onSave: (id: number) => void
  /** Resolves to whether the view was saved; if not, the dialog stays open. */
  onSaveAs: (view: { name: string; shared: boolean }) => Promise<boolean>
  /** Gives a view another name. Resolves to whether it has it. */
  onRename: (id: number, name: string) => Promise<boolean>
  /** The dialog's message about the last attempt, with a way to repeat it (`again`). */
  saveAsFoot: (again: () => void) => ReactNode
  saving: boolean
  /** Restores the view as saved. */
  onReset: () => void
  onDelete: (id: number) => void
  /** Whether the current view is pinned as a tab, and whether the list opens in it. */
  pinned: boolean
  isStart: boolean
  onPin: (id: number) => void
  onStart: (id: number) => void
  /** Label of the checkbox that shares a new view; undefined if this user may not share one. */
  shareLabel?: string | undefined
}

/** Named states of a list: choose one and, once something differs, save it, save it as another view, or restore it. */
export function ViewsMenu(props: ViewsMenuProps) {
  const { views, currentId, changed, onChoose, onSave, onReset, onDelete, shareLabel } = props
  const [naming, setNaming] = useState<'new' | 'other' | null>(null)
  const current = views.find((view) => view.id === currentId)
  const title = current?.name ?? 'All'
  return (
    <>
      <Menu
        label={`View: ${title}${changed ? ', changed' : ''}`}
        trigger={
          <>
            {title}
            {changed && <span title="Changed">•</span>}
            <ChevronDown size={14} aria-hidden="true" />
          </>
        }
      >
        <MenuHeading>Views</MenuHeading>
        <MenuItem checked={currentId === null} onSelect={() => onChoose(null)}>
          All
        </MenuItem>
        {views.map((view) => (
          <MenuItem key={view.id} checked={view.id === currentId} onSelect={() => onChoose(view.id)}>
            {view.name}
            {view.sharedWith !== undefined && ` (shared with ${view.sharedWith})`}
          </MenuItem>
        ))}
        <MenuSeparator />
        {current?.editable && (
          <MenuItem disabledReason={changed ? undefined : 'Nothing has changed'} onSelect={() => onSave(current.id)}>
            Save
          </MenuItem>
        )}
        <MenuItem onSelect={() => setNaming('new')}>Save as…</MenuItem>
        {current?.editable && <MenuItem onSelect={() => setNaming('other')}>Rename…</MenuItem>}
        {current && (
          <>
            <MenuItem checked={props.pinned} onSelect={() => props.onPin(current.id)}>
              Pin as a tab
            </MenuItem>
            <MenuItem checked={props.isStart} onSelect={() => props.onStart(current.id)}>
              Open the list in this view
            </MenuItem>
          </>
        )}
        <MenuItem disabledReason={changed ? undefined : 'Nothing has changed'} onSelect={onReset}>
          Reset
        </MenuItem>
        {current?.editable && (
          <MenuItem danger onSelect={() => onDelete(current.id)}>
            Delete this view
          </MenuItem>
        )}
      </Menu>
      {naming !== null && (
        <Suspense>
          <NameDialog
            title={naming === 'new' ? 'Save view' : 'Rename view'}
            start={naming === 'new' ? '' : title}
            shareLabel={naming === 'new' ? shareLabel : undefined}
            saving={props.saving}
            foot={props.saveAsFoot}
            onClose={() => setNaming(null)}
            onSave={naming === 'new' || !current ? props.onSaveAs : ({ name }) => props.onRename(current.id, name)}
          />
        </Suspense>
      )}
    </>
  )
}
