/** The fields of the form by path: each with its error message, its findings, its read value and the reason why it is locked. */
import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { compareDecimals, isDecimal } from '#contract/kernel/decimal.ts'
import { cx } from '../ui/class-names.ts'
import { evaluate } from '../ui/fields/arithmetic.ts'
import { CheckboxField } from '../ui/fields/choice-fields.tsx'
import { DateField } from '../ui/fields/date-field.tsx'
import type { FieldProps } from '../ui/fields/field-frame.tsx'
import { MoneyField, NumberField } from '../ui/fields/number-field.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { figureText, withoutIdleZeros } from '../ui/status.tsx'
import billEntry from './bill-entry.module.css'
import styles from './bill-fields.module.css'
import { isPassed, notOnLast } from './carried.ts'
import { fieldLabel } from './bill-words.ts'
import { CarriedMark, FindingMark, ReadMark } from './field-marks.tsx'
import { openAt, useFormPlace, type FormPlace } from './form-context.ts'

export interface BillFieldProps {
  /** The field's path in the form, which is also the `name` of its control. */
  readonly path: string
  readonly label?: string | undefined
  readonly required?: boolean | undefined
  /** Shown at the end of the label's line, after the marks. */
  readonly aside?: ReactNode
  readonly hint?: string | undefined
  readonly warning?: string | undefined
  readonly wide?: boolean | undefined
  readonly autoFocus?: boolean | undefined
  /** Enter passes the field, because its value follows from others. */
  readonly passed?: boolean | undefined
}

export interface TextualProps extends BillFieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

/** The frame of a field with its messages and marks. */
export function BillField({ children, ...field }: BillFieldProps & { children: (props: FieldProps) => ReactNode }) {
  const place = useFormPlace()
  const { path, wide, passed } = field
  return (
    <div
      className={cx(styles.cell, wide && billEntry.wide)}
      data-path={path}
      data-read={place.proposals[path] ? '' : undefined}
      data-passed={passed || isPassed(place.carried, path) ? '' : undefined}
    >
      {children(propsAt(place, field))}
    </div>
  )
}

function propsAt(place: FormPlace, { path, label, required, aside, hint, warning, autoFocus }: BillFieldProps): FieldProps {
  const locked = place.locks(path)
  const found = openAt(place, path)
  const read = place.proposals[path]
  const from = place.carried?.[path]
  const isCarried = from !== undefined && from !== notOnLast
  const marks = locked !== null || found.length > 0 || read !== undefined || aside !== undefined || isCarried
  return {
    label: label ?? fieldLabel(path.replace(/^(lines|charges)\.[^.]+\./, '')),
    name: path,
    error: place.errors[path],
    hint,
    warning,
    required,
    autoFocus,
    disabled: locked !== null,
    aside: marks ? (
      <span className={styles.marks}>
        {locked !== null && (
          <span title={locked}>
            <Lock size={11} aria-hidden="true" />
            <span className="sr-only">Locked: {locked}</span>
          </span>
        )}
        {isCarried && <CarriedMark from={from} passed={isPassed(place.carried, path)} />}
        {read && <ReadMark read={read} />}
        {found.length > 0 && <FindingMark findings={found} />}
        {aside}
      </span>
    ) : undefined,
  }
}

interface BillDateProps extends TextualProps {
  readonly until?: string | undefined
  /** The day that +7 counts from. */
  readonly from?: string | undefined
}

export function BillDate({ value, onChange, until, from, ...field }: BillDateProps) {
  const { entry } = useFormPlace()
  return (
    <BillField {...field}>
      {(props) => <DateField {...props} value={value} onChange={onChange} today={entry.today} until={until} from={from} />}
    </BillField>
  )
}

/** `last` is the previous bill's value, shown as a placeholder. */
export function BillMoney({ value, onChange, last, ...field }: TextualProps & { last?: string | null | undefined }) {
  return (
    <BillField {...field}>
      {(props) => <MoneyField {...props} value={value} onChange={onChange} placeholder={last ? `was ${figureText(last)}` : undefined} />}
    </BillField>
  )
}

interface AmountProps extends TextualProps {
  readonly scale: number
  /** Omits trailing zeros of the fraction. */
  readonly bare?: boolean | undefined
  readonly suffix?: string | undefined
  readonly last?: string | null | undefined
}

export function BillNumber({ value, onChange, scale, bare, suffix, last, ...field }: AmountProps) {
  return (
    <BillField {...field}>
      {(props) => (
        <NumberField
          {...props}
          value={value}
          onChange={onChange}
          scale={scale}
          suffix={suffix}
          placeholder={last ? `was ${figureText(bare ? withoutIdleZeros(last) : last)}` : undefined}
          parse={(typed) => evaluate(typed, scale)}
          {...(bare ? { format: bareText } : {})}
        />
      )}
    </BillField>
  )
}

function bareText(value: string): string {
  return isDecimal(value) ? withoutIdleZeros(value) : value
}

export interface ComputedProps extends TextualProps {
  /** The typed value that overrides the computed one; '' where none was typed. */
  readonly typed: string
  readonly computed: string
  /** Restores the computed value. */
  readonly takeBack: () => void
  readonly scale: number
  readonly money?: boolean | undefined
  readonly last?: string | null | undefined
}

/** A computed value that a person may type over. An override is marked, and Alt with = restores the computed value. */
export function BillComputed({ value, typed, computed, onChange, takeBack, scale, money, last, aside, ...field }: ComputedProps) {
  const { carried, proposals } = useFormPlace()
  const passed = carried !== null && value !== '' && typed === '' && !(field.path in proposals)
  const isOver = typed !== '' && computed !== '' && !isSameFigure(typed, computed)
  const mark = isOver && (
    <button
      type="button"
      tabIndex={-1}
      className={styles.overtyped}
      data-take-back=""
      aria-label={`Typed over. Take back the computed ${figureText(computed)}`}
      title={`Typed over; computed: ${figureText(computed)}. Alt+= takes it back`}
      onClick={takeBack}
    >
      ≠ {figureText(money ? computed : withoutIdleZeros(computed))}
    </button>
  )
  const change = (next: string) => onChange(next === computed ? '' : next)
  const input = { value, onChange: change, last, aside: mark || aside, passed }
  return money ? <BillMoney {...field} {...input} /> : <BillNumber {...field} {...input} scale={scale} />
}

/** Whether the read or typed value equals the computed one. */
function isSameFigure(typed: string, computed: string): boolean {
  return isDecimal(typed) && isDecimal(computed) && compareDecimals(typed, computed) === 0
}

export function BillText({ value, onChange, maxLength, ...field }: TextualProps & { maxLength?: number | undefined }) {
  return <BillField {...field}>{(props) => <TextField {...props} value={value} onChange={onChange} maxLength={maxLength} />}</BillField>
}

export interface FlagProps extends BillFieldProps {
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
}

/** A checkbox in line with the controls beside it. */
export function BillFlag({ checked, onChange, ...field }: FlagProps) {
  const found = openAt(useFormPlace(), field.path).length > 0
  return (
    <BillField {...field}>
      {({ label, error, disabled, name, aside }) => (
        <div className={styles.flag}>
          <CheckboxField label={label} checked={checked} onChange={onChange} error={error} disabled={disabled} name={name} />
          {(found || disabled) && aside}
        </div>
      )}
    </BillField>
  )
}
