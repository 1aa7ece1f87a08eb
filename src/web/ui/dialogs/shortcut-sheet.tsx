import { useState } from 'react'
import { CheckboxField } from '../fields/choice-fields.tsx'
import { KeyHint } from '../key-hint.tsx'
import { areLettersOn, setLettersOn, type Shortcut } from '../shortcuts.ts'
import styles from './palette.module.css'
import { Modal } from './modal.tsx'

export type ShortcutSheetProps = {
  open: boolean
  onClose: () => void
  shortcuts: ReadonlyArray<Pick<Shortcut, 'keys' | 'label' | 'group'>>
}

/** Keys of the data grid, for the shortcut sheet. */
export const gridShortcuts: ShortcutSheetProps['shortcuts'] = [
  { keys: 'arrowdown', label: 'Move between cells (all arrows, Home, End, PageUp, PageDown)', group: 'Lists' },
  { keys: 'n', label: 'Add New', group: 'Lists' },
  { keys: 'j', label: 'Go one row down; k goes one up', group: 'Lists' },
  { keys: 'space', label: 'Select the row; with Shift, all rows in between', group: 'Lists' },
  { keys: 'x', label: 'Select the row, as Space does', group: 'Lists' },
  { keys: 'escape', label: 'Clear selection', group: 'Lists' },
  { keys: 'enter', label: 'Open the row, follow its link, or edit the cell', group: 'Lists' },
  { keys: 'f2', label: 'Edit the cell; Enter goes down, Tab to the right, Esc gives up', group: 'Lists' },
  { keys: 'alt+arrowdown', label: 'Move the row down where rows have an order (arrow up: up)', group: 'Lists' },
  { keys: 'shift+arrowright', label: 'On a title: make the column wider (arrow left: narrower)', group: 'Lists' },
]

/** All shortcuts on one sheet, by group. */
export function ShortcutSheet({ open, onClose, shortcuts }: ShortcutSheetProps) {
  const groups = Map.groupBy(shortcuts, (shortcut) => shortcut.group)
  return (
    <Modal open={open} onClose={onClose} title="Keyboard shortcuts" width={760}>
      <LettersChoice />
      <div className={styles.sheet}>
        {[...groups].map(([group, items]) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {items.map((item) => (
                <div key={item.keys} className={styles.sheetLine}>
                  <dt>
                    <KeyHint keys={item.keys} />
                  </dt>
                  <dd>{item.label}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  )
}

/** In a list that has the focus, j, k and x go on working, as its arrows do. */
function LettersChoice() {
  const [isOn, setOn] = useState(areLettersOn)
  const change = (on: boolean) => {
    setLettersOn(on)
    setOn(on)
  }
  return <CheckboxField label="Letters and signs act by themselves, in this browser" checked={isOn} onChange={change} />
}
