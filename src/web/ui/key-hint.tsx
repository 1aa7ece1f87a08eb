import styles from './kit.module.css'
import { cx } from './class-names.ts'

/** Shows a shortcut such as `mod+k` or `g b` as keys. */
export function KeyHint({ keys }: { keys: string }) {
  return (
    <span className={styles.keys}>
      {keys.split(' ').map((stroke, index) => (
        <kbd key={`${stroke}${index}`} className={cx(styles.key, 'num')}>
          {strokeText(stroke)}
        </kbd>
      ))}
    </span>
  )
}

const isMac = /Mac|iPhone|iPad/.test(globalThis.navigator?.userAgent ?? '')

/** Returns the keys of a stroke as this machine's keyboard names them. */
export function strokeText(stroke: string): string {
  const names: Readonly<Record<string, string>> = {
    mod: isMac ? '⌘' : 'Ctrl',
    shift: isMac ? '⇧' : 'Shift',
    alt: isMac ? '⌥' : 'Alt',
    enter: 'Enter',
    tab: 'Tab',
    escape: 'Esc',
    space: 'Space',
    arrowdown: '↓',
    arrowup: '↑',
    arrowleft: '←',
    arrowright: '→',
  }
  return stroke
    .split('+')
    .map((part) => names[part] ?? part.toUpperCase())
    .join(isMac ? '' : '+')
}
