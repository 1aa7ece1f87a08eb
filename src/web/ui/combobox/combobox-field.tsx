import { useEffect, useRef, type ReactNode, type Ref, type RefObject } from 'react'
import { ChevronDown, X } from 'lucide-react'
import { cx } from '../class-names.ts'
import { FieldFrame, type ControlIds, type FieldProps } from '../fields/field-frame.tsx'
import fields from '../fields/fields.module.css'
import { keepPlaced } from '../place.ts'
import { ComboboxList } from './combobox-list.tsx'
import styles from './combobox.module.css'
import type { OptionId, OptionSource, PickerOption } from './option-types.ts'
import type { ListAct } from './list-items.ts'
import { useCombobox, type Combobox } from './use-combobox.ts'

type Lookup<Id extends OptionId> = {
  source: OptionSource<Id>
  placeholder?: string | undefined
  /** Characters that a search starts at; 3 unless told. */
  minChars?: number | undefined
  /** Milliseconds after the last key before the search goes out; 1000 unless told. */
  debounceMs?: number | undefined
  /** Options a page; 10 unless told. */
  per?: number | undefined
  /** What can be done besides choosing, by what is typed. */
  acts?: ((term: string) => readonly ListAct[]) | undefined
  ref?: Ref<HTMLInputElement> | undefined
}

export type ComboboxFieldProps<Id extends OptionId = number> = FieldProps &
  Lookup<Id> & {
    value: PickerOption<Id> | null
    onChange: (value: PickerOption<Id> | null) => void
  }

/** A field in which one thing is chosen by typing. */
export function ComboboxField<Id extends OptionId = number>({ value, onChange, ...props }: ComboboxFieldProps<Id>) {
  const box = useCombobox<Id>({ ...props, chosen: value ? [value] : [], onPick: onChange, onClear: () => onChange(null) })
  return (
    <FieldFrame {...props}>
      {(ids) => (
        <Control
          {...props}
          ids={ids}
          box={box}
          text={box.shownTerm ?? value?.label ?? ''}
          onClear={value ? () => onChange(null) : undefined}
        />
      )}
    </FieldFrame>
  )
}

export type MultiComboboxFieldProps<Id extends OptionId = number> = FieldProps &
  Lookup<Id> & {
    value: readonly PickerOption<Id>[]
    onChange: (value: readonly PickerOption<Id>[]) => void
  }

/** A field in which several things are chosen by typing; choosing one again takes it away. */
export function MultiComboboxField<Id extends OptionId = number>({ value, onChange, ...props }: MultiComboboxFieldProps<Id>) {
  const remove = (gone: PickerOption<Id>) => onChange(value.filter(({ id }) => id !== gone.id))
  const pick = (option: PickerOption<Id>) => (value.some(({ id }) => id === option.id) ? remove(option) : onChange([...value, option]))
  const box = useCombobox<Id>({ ...props, chosen: value, onPick: pick, isMulti: true, onRemove: remove })
  return (
    <FieldFrame {...props}>
      {(ids) => (
        <Control
          {...props}
          ids={ids}
          box={box}
          text={box.shownTerm ?? ''}
          onClear={value.length > 0 ? () => onChange([]) : undefined}
          tags={value.map((option) => (
            <Tag key={option.id} label={option.label} disabled={props.disabled} onRemove={() => remove(option)} />
          ))}
        />
      )}
    </FieldFrame>
  )
}

function Tag({ label, disabled, onRemove }: { label: string; disabled: boolean | undefined; onRemove: () => void }) {
  return (
    <span className={fields.tag}>
      <span className={fields.tagText} title={label}>
        {label}
      </span>
      <button type="button" className={fields.inButton} aria-label={`Remove ${label}`} disabled={disabled} onClick={onRemove}>
        <X size={12} aria-hidden="true" />
      </button>
    </span>
  )
}

type ControlProps<Id extends OptionId> = Pick<FieldProps, 'label' | 'name' | 'disabled' | 'autoFocus' | 'onBlur'> &
  Pick<Lookup<Id>, 'placeholder' | 'ref'> & {
    ids: ControlIds
    box: Combobox<Id>
    text: string
    tags?: readonly ReactNode[]
    /** Given where something is chosen. */
    onClear: (() => void) | undefined
  }

function Control<Id extends OptionId>(props: ControlProps<Id>) {
  const { ids, box, text, tags = [], onClear, label, name, disabled, autoFocus, placeholder, onBlur, ref } = props
  const control = useRef<HTMLDivElement>(null)
  return (
    <div ref={control} className={cx(fields.control, tags.length > 0 && fields.picked)}>
      {tags}
      <input
        {...ids}
        {...comboboxProps(box, `${ids.id}-list`)}
        ref={ref}
        className={cx(fields.input, styles.input)}
        name={name}
        value={text}
        title={box.shownTerm === null && text !== '' ? text : undefined}
        placeholder={onClear ? undefined : placeholder}
        disabled={disabled}
        data-autofocus={autoFocus || undefined}
        onClick={box.openList}
        // Typing replaces what was chosen.
        onFocus={(event) => event.currentTarget.select()}
        onBlur={() => {
          box.shut()
          onBlur?.()
        }}
      />
      {onClear && !disabled && (
        <button type="button" className={fields.inButton} aria-label="Clear" onClick={onClear}>
          <X size={14} aria-hidden="true" />
        </button>
      )}
      <ChevronDown size={14} aria-hidden="true" className={styles.chevron} />
      {box.open && <DropDown id={`${ids.id}-list`} label={label} anchor={control} box={box} />}
    </div>
  )
}

/** What makes an input a combobox; the list has the id. */
export function comboboxProps<Id extends OptionId>(box: Combobox<Id>, listId: string) {
  return {
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-expanded': box.open,
    'aria-controls': box.open ? listId : undefined,
    'aria-activedescendant': box.open && box.here >= 0 ? `${listId}-${box.here}` : undefined,
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: { currentTarget: HTMLInputElement }) => box.type(event.currentTarget.value),
    onKeyDown: box.onKeyDown,
  } as const
}

type DropDownProps<Id extends OptionId> = { id: string; label: string; anchor: RefObject<HTMLElement | null>; box: Combobox<Id> }

/** The list under its field. The focus stays in the field, so a press on the list must not take it. */
export function DropDown<Id extends OptionId>({ id, label, anchor, box }: DropDownProps<Id>) {
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!panel.current || !anchor.current) return undefined
    panel.current.style.width = `${anchor.current.offsetWidth}px`
    panel.current.showPopover()
    return keepPlaced(panel.current, anchor.current)
  }, [anchor])
  return (
    <div ref={panel} popover="manual" className={styles.list} onPointerDown={(event) => event.preventDefault()}>
      <ComboboxList id={id} label={label} box={box} />
    </div>
  )
}
