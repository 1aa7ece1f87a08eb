import type { KeyboardEvent, ReactNode, Ref } from 'react'
import { compareDecimals, formatDecimal, isDecimal, minus, plus, roundTo } from '#contract/kernel/decimal.ts'
import { parseMoney } from '#contract/kernel/money.ts'
import { evaluate } from './arithmetic.ts'
import { FieldFrame, type FieldProps } from './field-frame.tsx'
import styles from './fields.module.css'
import { cx } from '../class-names.ts'
import { useDraft } from './use-draft.ts'

export type NumberFieldProps = FieldProps & {
  /** A decimal string, '' when empty. Text that is not a number is passed on as typed, and the caller's validation rejects it. */
  value: string
  onChange: (value: string) => void
  /** Number of decimals kept; 0 by default. */
  scale?: number | undefined
  prefix?: ReactNode
  /** The unit. */
  suffix?: ReactNode
  /** Parses the typed text; accepts sums such as 120+35.5 by default. */
  parse?: ((typed: string) => string | null) | undefined
  /** Formats the value; grouped, with all its decimals by default. */
  format?: ((value: string) => string) | undefined
  /** The amount by which the up and down arrows change the value, and its bounds. */
  step?: NumberStep | undefined
  placeholder?: string | undefined
  ref?: Ref<HTMLInputElement> | undefined
}

export type NumberStep = { by: string; min: string; max: string }

/** A number as decimal text; accepts thousands separators and sums such as 120+35.5. */
export function NumberField(props: NumberFieldProps) {
  const { value, onChange, scale = 0, prefix, suffix, name, disabled, autoFocus, onBlur, ref, step, placeholder } = props
  const parse = props.parse ?? ((typed: string) => evaluate(typed, scale))
  // A number with too many decimals is shown as typed; a rounded one would look accepted.
  const format = props.format ?? ((wire: string) => (isDecimal(wire) && isKept(wire, scale) ? formatDecimal(wire, scale) : wire))
  const draft = useDraft(value, parse, format, onChange)
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const next = step && stepped(value, step, event.key)
    if (next === undefined) return
    event.preventDefault()
    draft.onInput(next)
  }
  return (
    <FieldFrame {...props}>
      {(ids) => (
        <div className={styles.control}>
          {prefix && <span className={styles.affix}>{prefix}</span>}
          <input
            {...ids}
            ref={ref}
            className={cx(styles.input, styles.number)}
            inputMode="decimal"
            autoComplete="off"
            name={name}
            value={draft.text}
            disabled={disabled}
            placeholder={placeholder}
            data-autofocus={autoFocus || undefined}
            onKeyDown={onKeyDown}
            onFocus={(event) => event.currentTarget.select()}
            onChange={(event) => draft.onInput(event.currentTarget.value)}
            onBlur={() => {
              draft.onLeave()
              onBlur?.()
            }}
          />
          {suffix && <span className={cx(styles.affix, styles.affixEnd)}>{suffix}</span>}
        </div>
      )}
    </FieldFrame>
  )
}

function isKept(value: string, scale: number): boolean {
  return compareDecimals(roundTo(value, scale), value) === 0
}

/** Returns the value one step further within the bounds; undefined for other keys and for text that is not a number. */
function stepped(value: string, { by, min, max }: NumberStep, key: string): string | undefined {
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return undefined
  if (value !== '' && !isDecimal(value)) return undefined
  const next = key === 'ArrowUp' ? plus(value || '0', by) : minus(value || '0', by)
  if (compareDecimals(next, min) < 0) return min
  return compareDecimals(next, max) > 0 ? max : next
}

export type MoneyFieldProps = Omit<NumberFieldProps, 'scale' | 'prefix' | 'parse' | 'format'>

/** US dollars and cents as decimal text; accepts $1,234.50, (12.00) and sums. */
export function MoneyField(props: MoneyFieldProps) {
  return <NumberField {...props} scale={2} prefix="$" parse={(typed) => parseMoney(typed) ?? evaluate(typed, 2)} />
}
