/**
 * Shown when another person saved the bill meanwhile: lists their changes value by value beside the values of this form, with a choice where
 * both changed the same value.
 */
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Missing, wireText } from '../ui/status.tsx'
import { differences } from './bill-differences.ts'
import billEntry from './bill-entry.module.css'
import styles from './past-bills.module.css'
import { merged } from './merge-bills.ts'
import type { BillFormState } from './use-bill-form.ts'

export function BillConflictPanel({ form }: { form: BillFormState }) {
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set())
  const { conflict, base, values, entry } = form
  if (!conflict) return null
  const changes = differences(base, values, conflict.values, entry)
  const choose = (path: string, taken: boolean) =>
    setTheirs((before) => new Set(taken ? [...before, path] : [...before].filter((one) => one !== path)))
  return (
    <section role="alert" className={styles.conflict} aria-label="Changed by somebody else">
      <h2>This bill was changed by somebody else meanwhile</h2>
      <table className={styles.past}>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">It was</th>
            <th scope="col">Their change</th>
            <th scope="col">Yours</th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => (
            <tr key={change.path}>
              <th scope="row">{change.label}</th>
              <td>
                <Said value={change.was} />
              </td>
              <td>
                {change.contested ? (
                  <label className={styles.side}>
                    <input type="radio" name={change.path} checked={theirs.has(change.path)} onChange={() => choose(change.path, true)} />
                    <Said value={change.theirs} />
                  </label>
                ) : (
                  <Said value={change.theirs} />
                )}
              </td>
              <td>
                {change.contested ? (
                  <label className={styles.side}>
                    <input type="radio" name={change.path} checked={!theirs.has(change.path)} onChange={() => choose(change.path, false)} />
                    <Said value={change.mine} />
                  </label>
                ) : (
                  <span className={billEntry.quiet}>{change.computed ? 'computed from both' : 'not changed here'}</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>Their other changes are taken over, and yours stay to be saved again. Where both changed the same value, the marked one counts.</p>
      <div className={billEntry.buttons}>
        <Button kind="primary" autoFocus onClick={() => form.settle(merged(base, values, conflict.values, theirs))}>
          Go on with both
        </Button>
        <Button onClick={() => form.settle(conflict.values)}>Drop mine</Button>
      </div>
    </section>
  )
}

function Said({ value }: { value: string }) {
  return value === '' ? <Missing word="empty" /> : wireText(value)
}
