/** The form of a record inside a dialog: the fields and the saving of `EntityForm` without its page. */
import { useLayoutEffect, useRef } from 'react'
import { writableKeys } from '#contract/kernel/entity.ts'
import { Button } from '../../ui/button.tsx'
import type { Adding } from './add-new.tsx'
import { FailedAttempt } from '../attempt.tsx'
import { FieldSet, type FieldSetSource, type FormSection } from './entity-form.tsx'
import styles from './form.module.css'
import { useEntityForm, type FormSource } from './use-entity-form.ts'
import { useFirstField } from './use-first-field.ts'

export type AddFormProps<Row extends { id: number; lock_version: number }, Params> = Omit<
  FormSource<Row, Params>,
  'row' | 'onSaved' | 'draftName' | 'start'
> &
  Omit<FieldSetSource, 'row'> & {
    adding: Adding
    /** Fields in order; all writable ones by default. */
    sections?: readonly FormSection[] | undefined
  }

export function AddForm<Row extends { id: number; lock_version: number }, Params>(props: AddFormProps<Row, Params>) {
  const { entity, adding, sections, slots } = props
  const ref = useRef<HTMLFormElement>(null)
  const source: FormSource<Row, Params> = {
    ...props,
    start: { name: adding.name },
    draftName: `new ${entity.name}`,
    onSaved: ({ id }) => id !== undefined && adding.onAdded(id),
  }
  const form = useEntityForm(source, ref)
  const { dirty } = form
  const { onDirty } = adding
  // A busy browser runs other effects after the next key, and Escape would then lose what was typed.
  useLayoutEffect(() => onDirty(dirty), [onDirty, dirty])
  useFirstField(ref)
  const shown = sections ?? [{ fields: writableKeys(entity.fields).filter((key) => entity.fields[key]?.kind !== 'list' || slots?.[key]) }]
  return (
    <form
      ref={ref}
      noValidate
      aria-label={`New ${entity.label} form`}
      className={styles.form}
      onSubmit={form.onSubmit}
      onBlur={form.onBlur}
      onKeyDown={form.onKeyDown}
    >
      {form.errors['base'] && (
        <p role="alert" className={styles.base}>
          {form.errors['base']}
        </p>
      )}
      {shown.map((section) => (
        <FieldSet key={section.title ?? section.fields.join()} section={section} form={form} props={props} />
      ))}
      <div className={styles.foot}>
        <Button kind="primary" type="submit" busy={form.busy} title="Ctrl+Enter">
          Save and choose
        </Button>
        <FailedAttempt attempt={form} again={form.again} />
      </div>
    </form>
  )
}
