import { useState, type ReactNode } from 'react'
import { ChevronDown } from 'lucide-react'
import { Button } from '../button.tsx'
import { Modal } from '../dialogs/modal.tsx'
import { CheckboxField } from '../fields/choice-fields.tsx'
import { TextField } from '../fields/text-field.tsx'
import { Menu, MenuHeading, MenuItem, MenuSeparator } from '../menu.tsx'

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
        <NameDialog
          title={naming === 'new' ? 'Save view' : 'Rename view'}
          start={naming === 'new' ? '' : title}
          shareLabel={naming === 'new' ? shareLabel : undefined}
          saving={props.saving}
          foot={props.saveAsFoot}
          onClose={() => setNaming(null)}
          onSave={naming === 'new' || !current ? props.onSaveAs : ({ name }) => props.onRename(current.id, name)}
        />
      )}
    </>
  )
}

type NameDialogProps = {
  title: string
  /** The name at first. */
  start: string
  shareLabel: string | undefined
  saving: boolean
  foot: ViewsMenuProps['saveAsFoot']
  onClose: () => void
  onSave: ViewsMenuProps['onSaveAs']
}

function NameDialog({ title, start, shareLabel, saving, foot, onClose, onSave }: NameDialogProps) {
  const [name, setName] = useState(start)
  const [shared, setShared] = useState(false)
  const [tried, setTried] = useState(false)
  const missing = name.trim() === ''
  const save = async () => {
    setTried(true)
    if (!missing && (await onSave({ name: name.trim(), shared }))) onClose()
  }
  return (
    <Modal
      open
      onClose={onClose}
      title={title}
      footer={
        <>
          {foot(() => void save())}
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" busy={saving} onClick={() => void save()}>
            {title}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <TextField
          label="Name"
          required
          autoFocus
          value={name}
          onChange={setName}
          maxLength={60}
          error={tried && missing ? 'Give the view a name' : undefined}
        />
        {shareLabel !== undefined && <CheckboxField label={shareLabel} checked={shared} onChange={setShared} />}
      </form>
    </Modal>
  )
}
