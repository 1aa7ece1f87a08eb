/** The behaviour of an entity form: holds values, validates them, saves, keeps a draft, and resolves a conflict with another person. */
import { useEffect, useEffectEvent, useRef, useState, type FocusEvent, type KeyboardEvent, type RefObject, type SubmitEvent } from 'react'
import type { Call, Nothing, Result } from '#contract/kernel/call.ts'
import { brokenRules } from '#contract/kernel/value-rules.ts'
import { callWith } from '../api.ts'
import { useAttempt, type Failure } from '../attempt.tsx'
import { accepted, ApiProblem } from '../api-problem.ts'
import type { NoticeInput } from '../../ui/dialogs/notices.ts'
import type { Conflict } from './conflict-panel.tsx'
import {
  changedKeys,
  changedValues,
  filledValues,
  rebased,
  serverErrors,
  startValues,
  validate,
  withoutError,
  type FormEntity,
  type FormErrors,
  type FormValues,
} from './form-values.ts'
import { dropKeptForm, keepForm, lastingName, readKeptForm, type KeptPlace } from './kept-form.ts'
import { usePath } from '../navigation.tsx'
import { seconds } from '../notices/messages.ts'
import { resultNotice } from '../notices/notices.ts'
import { refresh } from '../query.ts'
import { useIntent } from './use-intent.ts'
import { useHeldDraft } from './use-held-draft.ts'
import { useUnsavedGuard } from './use-unsaved-guard.ts'

/** A draft is kept after this pause (ms). */
const DRAFT_PAUSE_MS = 400

export interface FormSource<Row extends { id: number; lock_version: number }, Params> {
  entity: FormEntity
  /** The stored record; undefined for a new one. */
  row?: Row | undefined
  /** Path parameters of `create`; `update` and `get` take these and the row's id. */
  params: Params
  /** Creates the record. The body is the entity's draft under its name. */
  create?: ((body: Record<string, unknown>, intent: string) => Promise<Result>) | undefined
  /** Sends the changes, with lock_version. */
  update?: ((id: number, body: Record<string, unknown>) => Promise<Result>) | undefined
  /** Reads the current record after a conflict. */
  load?: ((id: number) => Promise<Row>) | undefined
  /** Initial values of a new record, beyond the fields' defaults. */
  start?: FormValues | undefined
  /** Initial values of a stored record whose reply uses other names than its body: `payment_methods` for `payment_method_ids`. */
  startOf?: ((row: Row) => FormValues) | undefined
  /** Values that are always sent and not shown. */
  fixed?: Readonly<Record<string, unknown>> | undefined
  /** Validates beyond the entity's schema; returns errors by wire name. */
  check?: ((values: FormValues) => FormErrors) | undefined
  /** Called after a save that the form's own validation rejected; the fields already show the errors. */
  onRefused?: ((errors: FormErrors) => void) | undefined
  /** Groups of the cache that show the record; the entity's plural by default. */
  refreshes?: readonly string[] | undefined
  /** Distinguishes the draft of a second form at the same address. */
  draftName?: string | undefined
  /** Keeps the draft of a long form beyond the tab. Must be constant. */
  lasting?: boolean | undefined
  /** The page of the saved record, which the notice of the save links to. */
  savedLink?: ((id: number, values: FormValues) => NoticeInput['link']) | undefined
  /** Called after a successful save. */
  onSaved: (result: Result) => void
}

export interface EntityFormState {
  readonly values: FormValues
  /** The values that the form started with. */
  readonly base: FormValues
  readonly errors: FormErrors
  readonly dirty: boolean
  readonly busy: boolean
  /** The error of the last attempt to save, until the next attempt. */
  readonly failure: Failure | null
  readonly again: () => void
  readonly restored: boolean
  readonly conflict: Conflict | null
  readonly setValues: (changes: FormValues) => void
  readonly discard: () => void
  readonly takeTheirs: () => void
  readonly keepMine: () => void
  readonly onSubmit: (event: SubmitEvent<HTMLFormElement>) => void
  readonly onBlur: (event: FocusEvent<HTMLFormElement>) => void
  readonly onKeyDown: (event: KeyboardEvent<HTMLFormElement>) => void
}

export function useEntityForm<Row extends { id: number; lock_version: number }, Params>(
  source: FormSource<Row, Params>,
  ref: RefObject<HTMLFormElement | null>,
): EntityFormState {
  const { entity, start } = source
  const path = usePath()
  const address = source.draftName === undefined ? path : `${path} ${source.draftName}`
  const place: KeptPlace = { address, entity, lasting: source.lasting ?? false }
  const [kept] = useState(() => readKeptForm(place))
  // Changes based on an older version are sent with that version, so that they do not overwrite what another person saved meanwhile.
  const [row, setRow] = useState(() => typedOver(source.row, kept?.lock_version))
  const base = startValues(entity, row ?? null, row ? source.startOf?.(row) : start)
  const [values, setAllValues] = useState<FormValues>(() => ({ ...base, ...kept?.changes }))
  const [restored, setRestored] = useState(kept !== null)
  const [errors, setErrors] = useState<FormErrors>({})
  // Errors that the server returned stay until their field changes, because the form's own rules do not know them.
  const [refused, setRefused] = useState<FormErrors>({})
  const [tried, setTried] = useState(false)
  const attempt = useAttempt()
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const changed = changedKeys(base, values)
  const dirty = changed.length > 0
  const guard = useUnsavedGuard(dirty, () => dropKeptForm(place))
  const changes = Object.fromEntries(changed.map((key) => [key, values[key]]))
  const forget = useKeptDraft(place, changes, row?.lock_version)
  const intent = useIntent()

  const check = (): FormErrors => {
    const sent = row ? changedValues(entity, base, values) : filledValues(entity, values)
    const broken = brokenRules(entity.rules ?? [], values)
    return { ...validate(row ? entity.patch : entity.draft, { ...sent, ...source.fixed }), ...broken, ...source.check?.(values) }
  }
  const save = async () => {
    setTried(true)
    const found = check()
    setErrors(found)
    setRefused({})
    if (Object.keys(found).length > 0) {
      source.onRefused?.(found)
      return jumpToError(ref)
    }
    // The response may be that the session has ended; the sign-in page then opens at once.
    keepForm(place, changes, row?.lock_version)
    await attempt.run(async () => {
      try {
        await store()
      } catch (error) {
        if (error instanceof ApiProblem && error.body?.code === 'stale') return setConflict(error.body.changed ?? {})
        if (error instanceof ApiProblem && error.status === 422) setRefused(serverErrors(error.fields))
        jumpToError(ref)
        throw error
      }
    })
  }
  const store = async () => {
    const result = accepted(await send(source, row, base, values, intent))
    const id = result.id ?? row?.id
    resultNotice(result, seconds.usual, id === undefined ? undefined : source.savedLink?.(id, values))
    guard.release()
    forget()
    refresh(...(source.refreshes ?? [entity.plural]))
    source.onSaved({ ...result, id })
  }
  const settle = async (keep: boolean) => {
    if (!row || !source.load) return
    const { load } = source
    await attempt.run(async () => {
      const fresh = await load(row.id)
      const freshValues = startValues(entity, fresh, source.startOf?.(fresh))
      setAllValues(keep ? rebased(base, values, freshValues) : freshValues)
      setRow(fresh)
      setConflict(null)
      setErrors({})
      setRefused({})
    })
  }
  return {
    values,
    base,
    errors: { ...refused, ...errors },
    dirty,
    busy: attempt.busy,
    failure: attempt.failure,
    again: () => void save(),
    restored,
    conflict,
    setValues: (changes) => {
      setAllValues((before) => ({ ...before, ...changes }))
      setErrors((before) => Object.keys(changes).reduce(withoutError, before))
      setRefused((before) => Object.keys(changes).reduce(withoutError, before))
    },
    discard: () => {
      dropKeptForm(place)
      setAllValues(base)
      setErrors({})
      setRefused({})
      setRestored(false)
    },
    takeTheirs: () => void settle(false),
    keepMine: () => void settle(true),
    onSubmit: (event) => {
      event.preventDefault()
      if (!attempt.busy) void save()
    },
    // A check on blur would move Save away under the pointer that is about to press it; saving checks anyway.
    onBlur: (event) => tried && !isSubmit(event.relatedTarget) && setErrors(check()),
    onKeyDown: (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault()
        event.currentTarget.requestSubmit()
      }
    },
  }
}

function isSubmit(target: EventTarget | null): boolean {
  return target instanceof HTMLButtonElement && target.type === 'submit'
}

async function send<Row extends { id: number; lock_version: number }, Params>(
  source: FormSource<Row, Params>,
  row: Row | undefined,
  base: FormValues,
  values: FormValues,
  intent: (body: object) => string,
): Promise<Result> {
  const { entity, create, update, fixed } = source
  if (row) {
    if (!update) throw new Error(`the form of ${entity.name} cannot save a change`)
    return update(row.id, { [entity.name]: { ...changedValues(entity, base, values), ...fixed, lock_version: row.lock_version } })
  }
  if (!create) throw new Error(`the form of ${entity.name} cannot make a new one`)
  const body = { [entity.name]: { ...filledValues(entity, values), ...fixed } }
  return create(body, intent(body))
}

/** Keeps unsaved changes after a pause and when the page goes away. @returns a function that deletes the draft once it is saved. */
function useKeptDraft(place: KeptPlace, changes: FormValues, lockVersion: number | undefined): () => void {
  const { address, lasting } = place
  const isOver = useRef(false)
  const keep = useEffectEvent((changed: string) => {
    if (changed === '{}' || isOver.current) dropKeptForm(place)
    else keepForm(place, changes, lockVersion)
  })
  const text = JSON.stringify(changes)
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    waiting.current = setTimeout(() => keep(text), DRAFT_PAUSE_MS)
    return () => clearTimeout(waiting.current)
  }, [text])
  useHeldDraft(lasting ? lastingName(address) : null, () => keep(text))
  return () => {
    // The form stays until the next page has loaded, and would keep the saved values as a draft.
    isOver.current = true
    clearTimeout(waiting.current)
    dropKeptForm(place)
  }
}

function typedOver<Row extends { lock_version: number }>(row: Row | undefined, version: number | undefined): Row | undefined {
  return row && version !== undefined ? { ...row, lock_version: version } : row
}

/** Focuses the first invalid field once its message is rendered. */
function jumpToError(ref: RefObject<HTMLFormElement | null>): void {
  requestAnimationFrame(() => {
    const field = ref.current?.querySelector('[aria-invalid="true"]')
    if (!(field instanceof HTMLElement)) return
    field.focus({ preventScroll: true })
    field.scrollIntoView({ block: 'center' })
  })
}

/** Returns the three calls of a plain entity for its form: `formCalls(vendorCalls, 'vendor', {})`. */
export function formCalls<Name extends string, Row extends { id: number; lock_version: number }, Draft, Patch, Params>(
  calls: {
    get: Call<Params & { id: number }, Nothing, Nothing, { [K in Name]: Row }>
    create: Call<Params, Nothing, { [K in Name]: Draft }, Result>
    update: Call<Params & { id: number }, Nothing, { [K in Name]: Patch }, Result>
  },
  name: Name,
  params: Params,
): Required<Pick<FormSource<Row, Params>, 'create' | 'update' | 'load' | 'params'>> {
  return {
    params,
    create: (body, intent) => callWith(calls.create, { params, body: calls.create.schemas.body.parse(body), intent }),
    update: (id, body) => callWith(calls.update, { params: { ...params, id }, body: calls.update.schemas.body.parse(body) }),
    load: async (id) => recordOf(await callWith(calls.get, { params: { ...params, id } }), name),
  }
}

function recordOf<Name extends string, Row>(reply: { [K in Name]: Row }, name: Name): Row {
  return reply[name]
}
