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
  /** Minimum number of characters for a search; 3 by default. */
  minChars?: number | undefined
  /** Milliseconds after the last key before the search is sent; 1000 by default. */
  debounceMs?: number | undefined
  /** Options per page; 10 by default. */
  per?: number | undefined
  /** Actions besides choosing, for the typed text. */
  acts?: ((term: string) => readonly ListAct[]) | undefined
  ref?: Ref<HTMLInputElement> | undefined
}

export type ComboboxFieldProps<Id extends OptionId = number> = FieldProps &
  Lookup<Id> & {
    value: PickerOption<Id> | null
    onChange: (value: PickerOption<Id> | null) => void
  }

/** A field that chooses one option by typing. */
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

/** A field that chooses several options by typing; choosing a chosen one again removes it. */
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
    /** Given if something is chosen. */
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
        // Typing replaces the chosen option.
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

/** Returns the attributes that make an input a combobox of the list with this id. */
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

/** The list below its field. The focus stays in the field, so pressing on the list must not move it. */
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
