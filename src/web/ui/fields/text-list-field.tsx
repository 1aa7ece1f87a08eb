import { useRef, useState, type ClipboardEvent, type KeyboardEvent } from 'react'
import { X } from 'lucide-react'
import { flushSync } from 'react-dom'
import { cx } from '../class-names.ts'
import { FieldFrame, type FieldProps } from './field-frame.tsx'
import styles from './fields.module.css'

export type TextListFieldProps = FieldProps & {
  value: readonly string[]
  onChange: (value: string[]) => void
  /** Maximum number of texts. */
  max?: number | undefined
  /** Maximum number of characters of each text. */
  maxLength?: number | undefined
}

/** Several short texts: Enter adds one, each pasted line is added, and Backspace in the empty input removes the last one. */
export function TextListField({ value, onChange, max, maxLength, ...props }: TextListFieldProps) {
  const { name, disabled, autoFocus, onBlur, label } = props
  const [typed, setTyped] = useState('')
  const [said, setSaid] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const add = (texts: readonly string[]) => {
    const given = [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))]
    const fresh = given.filter((text) => !value.includes(text))
    setTyped('')
    if (fresh.length > 0) onChange([...value, ...fresh])
    if (given.length > 0) setSaid(fresh.length > 0 ? `${fresh.join(', ')} added` : `${given.join(', ')} is there already`)
  }
  const remove = (text: string) => {
    onChange(value.filter((one) => one !== text))
    setSaid(`${text} removed`)
    input.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const last = value.at(-1)
    if (event.key === 'Backspace' && typed === '' && last !== undefined) return remove(last)
    if (event.key !== 'Enter' || typed.trim() === '') return
    // Ctrl+Enter saves the form, so the typed text must be part of the value by then.
    if (event.ctrlKey || event.metaKey) return flushSync(() => add([typed]))
    event.preventDefault()
    add([typed])
  }
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const texts = event.clipboardData.getData('text').split(/[\r\n\t;]+/)
    if (texts.length < 2) return
    event.preventDefault()
    add([typed, ...texts])
  }
  return (
    <FieldFrame {...props} aside={props.aside ?? (max !== undefined && value.length > 0 ? `${value.length} of ${max}` : undefined)}>
      {(ids) => (
        <div className={cx(styles.control, value.length > 0 && styles.picked)}>
          {value.map((text) => (
            <span key={text} className={styles.tag}>
              <span className={styles.tagText} title={text}>
                {text}
              </span>
              <button
                type="button"
                className={styles.inButton}
                aria-label={`Remove ${text} from ${label}`}
                disabled={disabled}
                onClick={() => remove(text)}
              >
                <X size={12} aria-hidden="true" />
              </button>
            </span>
          ))}
          <input
            {...ids}
            ref={input}
            className={styles.input}
            autoComplete="off"
            name={name}
            value={typed}
            maxLength={maxLength}
            placeholder={value.length === 0 ? 'Type one and press Enter' : undefined}
            disabled={disabled}
            data-autofocus={autoFocus || undefined}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
            onBlur={() => {
              add([typed])
              onBlur?.()
            }}
          />
          <span className="sr-only" role="status">
            {said}
          </span>
        </div>
      )}
    </FieldFrame>
  )
}
