import { useId, type ReactNode } from 'react'
import styles from './fields.module.css'

/** Props of every field. The caller validates; the field only shows the error. */
export type FieldProps = {
  label: string
  error?: string | undefined
  /** Quiet line under the field while there is no error. */
  hint?: string | undefined
  /** Replaces the hint: a doubt about the value that does not block saving. */
  warning?: string | undefined
  required?: boolean | undefined
  disabled?: boolean | undefined
  /** At the right end of the label's line: the last value, or a mark that a computed value was overridden. */
  aside?: ReactNode
  name?: string | undefined
  /** The rest of the label for screen readers, which need the row of a field in a row of many: 'of column 3'. */
  labelOf?: string | undefined
  autoFocus?: boolean | undefined
  onBlur?: (() => void) | undefined
}

export type ControlIds = {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
  'aria-required': true | undefined
}

export type FieldFrameProps = Pick<FieldProps, 'label' | 'labelOf' | 'error' | 'hint' | 'warning' | 'required' | 'aside'> & {
  children: (ids: ControlIds) => ReactNode
}

/** Label above, control, and error or hint below. A custom control must set the given ids. */
export function FieldFrame({ label, labelOf, error, hint, warning, required, aside, children }: FieldFrameProps) {
  const id = useId()
  const noteId = `${id}-note`
  const note = error ?? warning ?? hint
  return (
    <div className={styles.field}>
      <div className={styles.labelRow}>
        <label className={styles.label} htmlFor={id} id={`${id}-label`}>
          {label}
          {labelOf !== undefined && <span className="sr-only">{` ${labelOf}`}</span>}
          {required && (
            <span className={styles.required} aria-hidden="true">
              {' *'}
            </span>
          )}
        </label>
        {aside && <span className={styles.aside}>{aside}</span>}
      </div>
      {children({
        id,
        'aria-describedby': note ? noteId : undefined,
        'aria-invalid': error ? true : undefined,
        'aria-required': required ? true : undefined,
      })}
      {note && (
        <div
          id={noteId}
          className={error ? styles.error : warning ? styles.warning : styles.hint}
          role={error ? 'alert' : warning ? 'status' : undefined}
        >
          {note}
        </div>
      )}
    </div>
  )
}
