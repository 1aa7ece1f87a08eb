import type { CSSProperties } from 'react'
import styles from './range-slider.module.css'

export type RangeSliderProps = {
  /** Names both handles. */
  label: string
  /** Whole numbers, such as cents. */
  min: number
  max: number
  from: number
  to: number
  onChange: (range: { from: number; to: number }) => void
  /** Formats a value for people. */
  words: (value: number) => string
  disabled?: boolean | undefined
}

/** Two handles on one line. Each is a native slider, so that the arrows, Home and End move it. They cannot pass each other. */
export function RangeSlider({ label, min, max, from, to, onChange, words, disabled }: RangeSliderProps) {
  const span = Math.max(1, max - min)
  const share = (value: number) => `${((Math.min(max, Math.max(min, value)) - min) / span) * 100}%`
  const common = { className: styles.handle, min, max, step: 1, disabled: disabled || max <= min }
  return (
    <div className={styles.slider} style={placed(share(from), share(to))}>
      <div className={styles.line} aria-hidden="true" />
      <input
        {...common}
        type="range"
        aria-label={`${label} from`}
        aria-valuetext={words(from)}
        value={from}
        onChange={(event) => onChange({ from: Math.min(Number(event.currentTarget.value), to), to })}
      />
      <input
        {...common}
        type="range"
        aria-label={`${label} to`}
        aria-valuetext={words(to)}
        value={to}
        onChange={(event) => onChange({ from, to: Math.max(Number(event.currentTarget.value), from) })}
      />
    </div>
  )
}

/** React's style type has no custom properties. */
function placed(from: string, to: string): CSSProperties & Record<`--${string}`, string> {
  return { '--from': from, '--to': to }
}
