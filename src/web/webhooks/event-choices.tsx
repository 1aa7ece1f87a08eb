import { webhookActions, webhookSubjects } from '#contract/webhooks/webhook.ts'
import type { SlotProps } from '../kernel/forms/entity-form.tsx'
import styles from './webhooks.module.css'

/** The events to report: actions as columns, subjects as rows. */
export function EventChoices({ value, onChange, error, values, disabled }: SlotProps) {
  if (values['all_events'] === true) return null
  const chosen = Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
  const set = (names: readonly string[], on: boolean): void =>
    onChange(on ? [...chosen.filter((one) => !names.includes(one)), ...names] : chosen.filter((one) => !names.includes(one)))
  return (
    <div>
      <table className={styles.events} aria-invalid={error ? true : undefined}>
        <caption className="sr-only">Events</caption>
        <thead>
          <tr>
            <th scope="col">What</th>
            {webhookActions.map((action) => (
              <th key={action.value} scope="col">
                {action.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {webhookSubjects.map((subject) => (
            <tr key={subject.value}>
              <th scope="row">{subject.label}</th>
              {webhookActions.map((action) => {
                const name = `${subject.value}.${action.value}`
                return (
                  <td key={name}>
                    <label className={styles.event}>
                      <input
                        type="checkbox"
                        aria-label={`${subject.label} ${action.label.toLowerCase()}`}
                        checked={chosen.includes(name)}
                        disabled={disabled}
                        onChange={(event) => set([name], event.currentTarget.checked)}
                      />
                    </label>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {error && (
        <p role="alert" className={styles.error}>
          {error}
        </p>
      )}
    </div>
  )
}
