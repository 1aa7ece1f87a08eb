/** Lines of supply accounts' bills that are shown inside this bill (G-LINKED-BILLS), entered by id or picked from an account's bills. */
import { lazy, Suspense, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import billEntry from './bill-entry.module.css'
import styles from './linked-lines.module.css'
import type { LinkedValues } from './bill-values.ts'
import { besideThePath } from './field-steps.ts'
import { useFormPlace } from './form-context.ts'

const LinkedLine = lazy(() => import('./linked-line.tsx').then((module) => ({ default: module.LinkedLine })))
const LinePicker = lazy(() => import('./line-picker.tsx').then((module) => ({ default: module.LinePicker })))

export function LinkedLines() {
  const { entry, linked, set, locks, errors } = useFormPlace()
  const [adding, setAdding] = useState(false)
  const section = useRef<HTMLElement>(null)
  if (entry.account_type === 'SupplyAccount') return null
  const locked = locks('linked') !== null
  const add = (line: LinkedValues) =>
    set((before) => ({ ...before, linked: [...before.linked.filter((one) => one.service_bill_id !== line.service_bill_id), line] }))
  const remove = (id: number) => set((before) => ({ ...before, linked: before.linked.filter((one) => one.service_bill_id !== id) }))
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label="Linked supply lines"
      className={styles.linked}
      data-filled={adding || linked.length > 0 ? '' : undefined}
      {...besideThePath}
    >
      <Suspense>
        {linked.map((line) => (
          <LinkedLine key={line.service_bill_id} line={line} onRemove={locked ? undefined : () => remove(line.service_bill_id)} />
        ))}
      </Suspense>
      {errors['linked_service_bill_ids'] && (
        <p role="alert" className={billEntry.problem}>
          {errors['linked_service_bill_ids']}
        </p>
      )}
      {!locked && !adding && (
        <Button small kind="quiet" onClick={() => setAdding(true)}>
          Link supply lines
        </Button>
      )}
      {adding && (
        <Suspense>
          <LinePicker
            onAdd={add}
            onClose={() => {
              setAdding(false)
              section.current?.focus()
            }}
          />
        </Suspense>
      )}
    </section>
  )
}
