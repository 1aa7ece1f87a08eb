import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import styles from './second-factor.module.css'

/** The recovery codes, which are shown this once. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(codes.join('\n'))
      setCopied(true)
    } catch {
      // Without a clipboard the codes can be selected, saved or printed.
      setCopied(false)
    }
  }
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`Meterbook recovery codes\n\n${codes.join('\n')}\n`)}`
  return (
    <div className={styles.factor} role="status">
      <h2>Store these recovery codes</h2>
      <p>
        Each signs you in once without the app. They are not shown again: keep them where you keep your passwords, and not on the phone that
        has the app.
      </p>
      <ul className={styles.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.acts}>
        <Button onClick={() => void copy()}>{copied ? 'Copied' : 'Copy'}</Button>
        <a href={file} download="meterbook-recovery-codes.txt">
          Save as a file
        </a>
        <Button kind="primary" onClick={onDone}>
          I have stored them
        </Button>
      </div>
    </div>
  )
}
