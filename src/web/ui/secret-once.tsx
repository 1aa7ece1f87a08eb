import { useId, useRef, useState, type ReactNode } from 'react'
import { Check, Copy } from 'lucide-react'
import { Button } from './button.tsx'
import styles from './kit.module.css'

export type SecretOnceProps = {
  label: string
  value: string
  /** Explains the use of the secret, and that it is not shown again. */
  children: ReactNode
}

/** A secret that is shown only this once, to be copied. */
export function SecretOnce({ label, value, children }: SecretOnceProps) {
  const id = useId()
  const text = useRef<HTMLInputElement>(null)
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    text.current?.select()
    try {
      await navigator.clipboard.writeText(value)
      setCopied(true)
    } catch {
      // If the clipboard is not available, the text stays selected for copying by key.
      setCopied(false)
    }
  }
  return (
    <div className={styles.secretOnce} role="status">
      <label htmlFor={id} className={styles.secretLabel}>
        {label}
      </label>
      <div className={styles.secretLine}>
        <input
          id={id}
          ref={text}
          className={styles.secretText}
          readOnly
          value={value}
          spellCheck={false}
          autoComplete="off"
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button kind="primary" onClick={() => void copy()}>
          {copied ? <Check size={14} aria-hidden="true" /> : <Copy size={14} aria-hidden="true" />}
          {copied ? 'Copied' : 'Copy'}
        </Button>
      </div>
      <div className={styles.secretNote}>{children}</div>
    </div>
  )
}
