/** The form of an entity. Fields, validation and saving follow from its field list; special cases are sections and slots. */
import { useRef, type ReactNode } from 'react'
import { writableKeys } from '#contract/kernel/entity.ts'
import { Button } from '../../ui/button.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { FailedAttempt } from '../attempt.tsx'
import { BackLink } from '../back-link.tsx'
import { ConflictPanel } from './conflict-panel.tsx'
import { FormField, type Pickers } from './form-field.tsx'
import { errorOf, type FormEntity, type FormErrors, type FormValues } from './form-values.ts'
import { HistoryButton } from '../history/history-button.tsx'
import { ownMessages } from '../notices/messages.ts'
import styles from './form.module.css'
import { useEntityForm, type EntityFormState, type FormSource } from './use-entity-form.ts'
import { nameOfRecord } from '../record-name.ts'
import { useWayBack } from '../lists/way-back.ts'
import { useFirstField } from './use-first-field.ts'

/** For pages that lay out a form themselves. */
export { styles as formStyles }

export interface FormSection {
  readonly title?: string
  readonly fields: readonly string[]
  /** Number of columns; 2 by default. */
  readonly columns?: 1 | 2 | 3
}

/** Props with which a slot renders a field. */
export interface SlotProps {
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  readonly error: string | undefined
  /** All errors, those of nested values by their path. */
  readonly errors: FormErrors
  /** All values, for fields that depend on others. */
  readonly values: FormValues
  readonly setValues: (changes: FormValues) => void
  readonly disabled: boolean
}

export type EntityFormProps<Row extends { id: number; lock_version: number }, Params> = Omit<FormSource<Row, Params>, 'onSaved'> & {
  /** Called after a successful save; by default the page returns to the list of `backHref`, with the row of the record lit. */
  onSaved?: FormSource<Row, Params>['onSaved'] | undefined
  /** Fields in order, by section; by default all writable ones. A field in no section is not shown. */
  sections?: readonly FormSection[] | undefined
  /** Custom controls by wire name. */
  slots?: Readonly<Record<string, (props: SlotProps) => ReactNode>> | undefined
  /** Option sources of `ref` and `refs` fields, by wire name. */
  pickers?: Pickers | undefined
  /** Read-only fields with the reason. */
  locked?: Readonly<Record<string, string>> | undefined
  /** Formatters for a conflict's values by wire name, for fields whose values are ids. */
  said?: Readonly<Record<string, (value: unknown) => ReactNode>> | undefined
  /** Path of the Go Back link. */
  backHref: string
  /** 'Edit Form' or 'New Form' by default. */
  title?: string | undefined
  submitLabel?: string | undefined
  /** False if the page's own header links to the history, or the record has none. */
  history?: boolean | undefined
  /** `aside` is beside the heading, `children` below the fields. */
  aside?: ReactNode
  children?: ReactNode
}

/** A whole form page: heading, Go Back, fields, Save. */
export function EntityForm<Row extends { id: number; lock_version: number }, Params>(props: EntityFormProps<Row, Params>) {
  const { entity, row, sections, backHref, title, submitLabel = 'Save', aside, children } = props
  const ref = useRef<HTMLFormElement>(null)
  const goBack = useWayBack()
  const { onSaved = ({ id }) => goBack(backHref, entity.name, id) } = props
  const form = useEntityForm({ ...props, onSaved }, ref)
  useFirstField(ref, row === undefined)
  const shown = sections ?? [
    { fields: writableKeys(entity.fields).filter((key) => entity.fields[key]?.kind !== 'list' || props.slots?.[key]) },
  ]
  return (
    <div className={styles.page}>
      <BackLink href={backHref} />
      <PageHeader
        title={title ?? (row ? 'Edit Form' : 'New Form')}
        count={title === undefined ? identity(entity, row) : undefined}
        actions={row && props.history !== false && <HistoryButton item={entity.name} id={row.id} clientId={clientIn(props.params)} />}
      >
        {aside}
      </PageHeader>
      <FormNotices entity={entity} form={form} said={props.said} />
      <form
        ref={ref}
        noValidate
        aria-label={`${entity.label} form`}
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
        {children}
        <div className={styles.foot}>
          <Button kind="primary" type="submit" busy={form.busy} title="Ctrl+Enter">
            {submitLabel}
          </Button>
          <FailedAttempt attempt={form} again={form.again} />
          {form.dirty && !form.failure && <span className={styles.unsaved}>Not saved yet</span>}
        </div>
      </form>
    </div>
  )
}

/** Says which record the form is about, because the specification fixes its title. */
function identity({ label }: FormEntity, row: object | undefined): string {
  const name = row ? nameOfRecord(row) : null
  return name === null ? label : `${label} ${name}`
}

type FormNoticesProps = {
  entity: FormEntity
  form: EntityFormState
  said?: Readonly<Record<string, (value: unknown) => ReactNode>> | undefined
}

/** Notices above the fields: a draft was restored, or another person has saved meanwhile. */
export function FormNotices({ entity, form, said }: FormNoticesProps) {
  return (
    <>
      {form.restored && (
        <div className={styles.restored} role="status">
          {ownMessages.draft_restored}
          <Button small kind="quiet" onClick={form.discard}>
            Discard it
          </Button>
        </div>
      )}
      {form.conflict && (
        <ConflictPanel
          entity={entity}
          conflict={form.conflict}
          base={form.base}
          values={form.values}
          said={said}
          busy={form.busy}
          onReload={form.takeTheirs}
          onKeep={form.keepMine}
        />
      )}
    </>
  )
}

/** Returns the client id among the form's path parameters. */
function clientIn(params: unknown): number | undefined {
  if (typeof params !== 'object' || params === null || !('client_id' in params)) return undefined
  return typeof params.client_id === 'number' ? params.client_id : undefined
}

/** The data that a form's fields are rendered from. */
export type FieldSetSource = {
  entity: FormEntity
  slots?: Readonly<Record<string, (props: SlotProps) => ReactNode>> | undefined
  pickers?: Pickers | undefined
  locked?: Readonly<Record<string, string>> | undefined
  row?: object | undefined
}

export function FieldSet({ section, form, props }: { section: FormSection; form: EntityFormState; props: FieldSetSource }) {
  const { entity, slots, pickers, locked, row } = props
  return (
    <fieldset className={styles.section} data-columns={section.columns ?? 2}>
      {section.title && <legend className={styles.legend}>{section.title}</legend>}
      {section.fields.map((key) => {
        const field = entity.fields[key]
        const slot = slots?.[key]
        const error = errorOf(form.errors, key)
        const value = form.values[key]
        const onChange = (next: unknown) => form.setValues({ [key]: next })
        if (slot) {
          return (
            <div key={key} className={styles.cell} data-field={key}>
              {slot({ value, onChange, error, errors: form.errors, values: form.values, setValues: form.setValues, disabled: form.busy })}
            </div>
          )
        }
        if (!field) return null
        return (
          <div key={key} className={styles.cell} data-field={key} data-wide={field.kind === 'long_text' || undefined}>
            <FormField
              name={key}
              field={field}
              value={value}
              onChange={onChange}
              error={error}
              picker={pickers?.[key]}
              lockedReason={locked?.[key]}
              row={row ?? null}
            />
          </div>
        )
      })}
    </fieldset>
  )
}
