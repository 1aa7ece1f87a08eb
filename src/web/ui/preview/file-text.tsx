import styles from './file-text.module.css'

/** Length in characters of a segment of the ruler. */
const RULER = 10

/** The text of a file, which can be scrolled by keyboard and copied from. Lines of a fixed width have a ruler above them. */
export function FileText({ label, text, ruled }: { label: string; text: string; ruled: boolean }) {
  const lines = text.replaceAll('\r\n', '\n')
  const shown = ruled ? `${rulerOf(lines)}\n${lines}` : lines
  return <textarea className={styles.file} aria-label={label} readOnly wrap="off" rows={shown.split('\n').length} value={shown} />
}

/** Returns '....:....1....:....2', as long as the longest line. */
function rulerOf(text: string): string {
  const length = Math.max(...text.split('\n').map((line) => line.length))
  return Array.from({ length: Math.ceil(length / RULER) }, (_, place) => `....:....${(place + 1) % RULER}`).join('')
}
