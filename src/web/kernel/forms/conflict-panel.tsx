import type { ReactNode } from 'react'
import type { Problem } from '#contract/kernel/problem.ts'
import { Button } from '../../ui/button.tsx'
import { fieldText } from '../lists/list-columns.tsx'
import styles from './form.module.css'
import { startValues, type FormEntity, type FormValues } from './form-values.ts'

export type Conflict = NonNullable<Problem['changed']>

export interface ConflictPanelProps {
  entity: FormEntity
  /** The stored value (`from`) of each field that the form would change, by wire name. */
  conflict: Conflict
  /** The values that the form started with. */
  base: FormValues
  values: FormValues
  /** Formatters by wire name, for fields whose raw values mean nothing to people. */
  said?: Readonly<Record<string, (value: unknown) => ReactNode>> | undefined
  busy: boolean
  onReload: () => void
  onKeep: () => void
}

/** Shown when another person saved first: compares their changes with the form field by field and lets the user choose. */
export function ConflictPanel({ entity, conflict, base, values, said, busy, onReload, onKeep }: ConflictPanelProps) {
  const stored = Object.fromEntries(Object.entries(conflict).map(([key, { from }]) => [key, from]))
  const theirs = startValues(entity, stored)
  // Fields that only this form changed are left out.
  const keys = Object.keys(conflict).filter((key) => key in entity.fields && JSON.stringify(theirs[key]) !== JSON.stringify(base[key]))
  const textOf = (key: string, value: unknown) => said?.[key]?.(value) ?? fieldText(entity.fields[key], value)
  return (
    <section role="alert" className={styles.conflict} aria-label="Changed by somebody else">
      <h2>This record was changed by somebody else meanwhile</h2>
      {keys.length > 0 && (
        <table className={styles.changes}>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">It was</th>
              <th scope="col">Their change</th>
              <th scope="col">Yours</th>
            </tr>
          </thead>
          <tbody>
            {keys.map((key) => (
              <tr key={key}>
                <th scope="row">{entity.fields[key]?.label}</th>
                <td>{textOf(key, base[key])}</td>
                <td>{textOf(key, stored[key])}</td>
                <td>{textOf(key, values[key])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p>
        Reload shows the record as it is now and drops what you typed. Keep mine takes over their other changes and keeps yours, to be saved
        again.
      </p>
      <div className={styles.conflictButtons}>
        <Button busy={busy} onClick={onReload}>
          Reload
        </Button>
        <Button kind="primary" busy={busy} onClick={onKeep}>
          Keep mine
        </Button>
      </div>
    </section>
  )
}
