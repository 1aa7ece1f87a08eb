import type { ReactNode, Ref } from 'react'
import { formatDecimal, isDecimal } from '#contract/kernel/decimal.ts'
import { parseMoney } from '#contract/kernel/money.ts'
import { evaluate } from './arithmetic.ts'
import { FieldFrame, type FieldProps } from './field-frame.tsx'
import styles from './fields.module.css'
import { cx } from '../class-names.ts'
import { useDraft } from './use-draft.ts'

export type NumberFieldProps = FieldProps & {
  /** A decimal string, '' when empty. What is not a number comes back as it was typed, for the caller's validation to refuse. */
  value: string
  onChange: (value: string) => void
  /** Decimals kept; 0 unless told. */
  scale?: number | undefined
  prefix?: ReactNode
  /** The unit. */
  suffix?: ReactNode
  /** How typed text becomes a value; sums such as 120+35.5 unless told. */
  parse?: ((typed: string) => string | null) | undefined
  /** How the value is shown; grouped with all its decimals unless told. */
  format?: ((value: string) => string) | undefined
  ref?: Ref<HTMLInputElement> | undefined
}

/** A number as decimal text; takes thousands separators and sums such as 120+35.5. */
export function NumberField(props: NumberFieldProps) {
  const { value, onChange, scale = 0, prefix, suffix, name, disabled, autoFocus, onBlur, ref } = props
  const parse = props.parse ?? ((typed: string) => evaluate(typed, scale))
  const format = props.format ?? ((wire: string) => (isDecimal(wire) ? formatDecimal(wire, scale) : wire))
  const draft = useDraft(value, parse, format, onChange)
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
            data-autofocus={autoFocus || undefined}
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

export type MoneyFieldProps = Omit<NumberFieldProps, 'scale' | 'prefix' | 'parse' | 'format'>

/** US dollars and cents as decimal text; takes $1,234.50, (12.00) and sums. */
export function MoneyField(props: MoneyFieldProps) {
  return <NumberField {...props} scale={2} prefix="$" parse={(typed) => parseMoney(typed) ?? evaluate(typed, 2)} />
}
