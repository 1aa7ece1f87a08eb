import { useEffect, useRef, type RefObject } from 'react'
import { cx } from '../class-names.ts'
import { keepPlaced } from '../place.ts'
import styles from './fields.module.css'
import type { LookupState, OptionId, PickerOption } from './use-options.ts'
import type { Picker } from './use-picker.ts'

export type PickerListProps<Id extends OptionId> = {
  id: string
  label: string
  anchor: RefObject<HTMLElement | null>
  picker: Picker<Id>
  minChars: number
  picked: readonly PickerOption<Id>[]
}

/** The list under a lookup field. The focus stays in the field, so a press on the list must not take it. */
export function PickerList<Id extends OptionId>({ id, label, anchor, picker, minChars, picked }: PickerListProps<Id>) {
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!panel.current || !anchor.current) return undefined
    panel.current.style.width = `${anchor.current.offsetWidth}px`
    panel.current.showPopover()
    return keepPlaced(panel.current, anchor.current)
  }, [anchor])
  useEffect(() => {
    panel.current?.querySelector(`[id="${id}-${picker.here}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [id, picker.here])
  const { lookup } = picker
  return (
    <div ref={panel} popover="manual" className={styles.list} onPointerDown={(event) => event.preventDefault()}>
      <div id={id} role="listbox" aria-label={label} className={styles.options}>
        {lookup.options.map((option, index) => (
          <div
            key={option.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={picked.some((one) => one.id === option.id)}
            aria-disabled={option.disabledReason ? true : undefined}
            className={cx(styles.option, index === picker.here && styles.optionHere)}
            onPointerMove={() => picker.setHere(index)}
            onClick={() => picker.choose(option)}
          >
            <span className={styles.optionText}>{option.label}</span>
            <span className={styles.optionHint}>{option.disabledReason ?? option.hint}</span>
            {picked.some((one) => one.id === option.id) && <span aria-hidden="true">✓</span>}
          </div>
        ))}
      </div>
      {lookup.hasMore && (
        <button type="button" tabIndex={-1} className={styles.more} onClick={lookup.loadMore}>
          Show more ({lookup.options.length} of {lookup.total})
        </button>
      )}
      <div role="status" className={listNote(lookup, picker.term, minChars) ? styles.listNote : undefined}>
        {listNote(lookup, picker.term, minChars)}
      </div>
    </div>
  )
}

function listNote<Id extends OptionId>(lookup: LookupState<Id>, term: string, minChars: number): string {
  if (lookup.status === 'short')
    return `Type ${minChars - term.length} more ${minChars - term.length === 1 ? 'character' : 'characters'} to search`
  if (lookup.status === 'loading') return 'Searching…'
  if (lookup.status === 'failed') return 'The search failed. Type again to retry.'
  if (lookup.status === 'ready' && lookup.options.length === 0) return term ? `Nothing found for “${term}”` : 'Nothing to choose from'
  return ''
}
