import { useEffect, useId, useRef, type ReactNode } from 'react'
import { FieldFrame } from '../fields/field-frame.tsx'
import fields from '../fields/fields.module.css'
import { comboboxProps } from './combobox-field.tsx'
import { ComboboxList } from './combobox-list.tsx'
import styles from './combobox.module.css'
import type { OptionId } from './option-types.ts'
import { useCombobox, type Combobox, type ComboboxInput } from './use-combobox.ts'

export type ComboboxPanelProps<Id extends OptionId> = Omit<ComboboxInput<Id>, 'inline'> & {
  /** Names the field; without it there is no field and the list receives the keys itself. */
  fieldLabel?: string | undefined
  listLabel: string
  /** Makes the field as wide as its dialog, with a placeholder as its label. */
  big?: boolean | undefined
  footer?: ((box: Combobox<Id>) => ReactNode) | undefined
}

/** A combobox whose list is always open, inside a popover or a dialog that opens and closes as a whole. */
export function ComboboxPanel<Id extends OptionId>({ fieldLabel, listLabel, big, footer, ...input }: ComboboxPanelProps<Id>) {
  const box = useCombobox<Id>({ ...input, inline: true })
  const listId = useId()
  const panel = useRef<HTMLDivElement>(null)
  const holds = fieldLabel === undefined
  // The panel's code may load after its popover opened, so it takes the focus now.
  useEffect(() => {
    const place = panel.current?.querySelector(holds ? '[role="listbox"]' : 'input')
    if (place instanceof HTMLElement) place.focus({ preventScroll: true })
  }, [holds])
  const text = { ...comboboxProps(box, listId), value: box.shownTerm ?? '' }
  return (
    <div ref={panel} className={styles.panel}>
      {fieldLabel !== undefined &&
        (big ? (
          <input {...text} className={styles.bigInput} data-autofocus="" aria-label={fieldLabel} placeholder={fieldLabel} />
        ) : (
          <FieldFrame label={fieldLabel}>
            {(ids) => (
              <div className={fields.control}>
                <input {...ids} {...text} type="search" className={fields.input} />
              </div>
            )}
          </FieldFrame>
        ))}
      <div className={big ? styles.bigList : undefined}>
        <ComboboxList id={listId} label={listLabel} box={box} onKeyDown={holds ? box.onKeyDown : undefined} footer={footer?.(box)} />
      </div>
    </div>
  )
}
