import { useId, useMemo, useRef } from 'react'
import { comboboxProps, DropDown } from '../combobox/combobox-field.tsx'
import { useCombobox } from '../combobox/use-combobox.ts'
import { cx } from '../class-names.ts'
import type { Choice } from '../fields/choice-fields.tsx'
import styles from './data-grid.module.css'

export type ChoiceFilterProps = {
  /** Names the control. */
  name: string
  value: string
  options: readonly Choice[]
  onChange: (value: string) => void
}

const all = { id: '', label: 'All' }

/** The filter of a column with many choices, which are searched by typing. */
export function ChoiceFilter({ name, value, options, onChange }: ChoiceFilterProps) {
  const listId = useId()
  const cell = useRef<HTMLDivElement>(null)
  const list = useMemo(() => [all, ...options.map((option) => ({ id: option.value, label: option.label }))], [options])
  const chosen = list.find(({ id }) => id === value) ?? all
  const box = useCombobox<string>({
    source: { list },
    chosen: [chosen],
    onPick: ({ id }) => onChange(id),
    onClear: () => onChange(''),
  })
  return (
    <div ref={cell} className={styles.choiceFilter}>
      <input
        {...comboboxProps(box, listId)}
        aria-label={name}
        className={cx(styles.filterInput, value !== '' && styles.filterOn)}
        value={box.shownTerm ?? chosen.label}
        onClick={box.openList}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={box.shut}
      />
      {box.open && <DropDown id={listId} label={name} anchor={cell} box={box} />}
    </div>
  )
}
