/** Pickers of records, searched on the server as specified: from 3 characters, after a second, ten at a time. */
import { useMemo, useState, type ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Call, ListReply, Nothing, OptionsInput } from '#contract/kernel/call.ts'
import { allows } from '#contract/kernel/permission.ts'
import { ComboboxField, MultiComboboxField } from '../../ui/combobox/combobox-field.tsx'
import { OptionsForbidden, type OptionQuery, type OptionSearch, type PickerOption } from '../../ui/combobox/option-types.ts'
import type { ListAct } from '../../ui/combobox/list-items.ts'
import type { FieldProps } from '../../ui/fields/field-frame.tsx'
import { addNew, type Addition } from './add-new.tsx'
import { ApiProblem } from '../api-problem.ts'
import { callWith } from '../api.ts'
import { optionHint, optionLabel } from './option-words.ts'
import { usePermissions } from '../permissions.tsx'
import { keyOf } from '../query.ts'
import { recentChoices, rememberChoice } from './recent-choices.ts'

/** Options per page for divisions and facilities, whose lists are read from top to bottom. */
export const LONG_LOOKUP = 1000
/** Why a record may be missing in a lookup inside a client. */
export const WITHIN_CLIENT = 'Only those of this client are listed'

/** Source of a picker's options; created by `optionsOf`. */
export interface OptionSource {
  readonly key: readonly unknown[]
  readonly search: OptionSearch<number>
  /** Returns the options of these ids, to show what is chosen already. */
  readonly byIds: (ids: readonly number[], signal: AbortSignal) => Promise<readonly PickerOption[]>
  /** Options per page; ten by default. */
  readonly per?: number | undefined
  /** Why some records are not offered; shown if nothing is found. */
  readonly within?: string | undefined
  /** Lets the picker add a missing record. */
  readonly adds?: Addition | undefined
}

export interface OptionWords<Option> {
  readonly label?: (option: Option) => string
  readonly hint?: (option: Option) => string | undefined
  readonly disabledReason?: (option: Option) => string | undefined
  /** Options per page, where the specification wants more than ten. */
  readonly per?: number
  readonly adds?: Addition
}

/** Returns the source of a `select_options` call: `optionsOf('divisions', divisionCalls.selectOptions, { client_id })`. */
export function optionsOf<Plural extends string, Option extends { id: number }, Params>(
  plural: Plural,
  call: Call<Params, OptionsInput, Nothing, ListReply<Plural, Option>>,
  params: Params,
  words: OptionWords<Option> = {},
): OptionSource {
  const shown = (option: Option): PickerOption => {
    const label = words.label?.(option) ?? optionLabel(option)
    const hint = words.hint ? words.hint(option) : optionHint(option, label)
    return { id: option.id, label, hint, disabledReason: words.disabledReason?.(option) }
  }
  const ask = async (query: OptionsInput, signal: AbortSignal) => {
    const reply = await callWith(call, { params, query, signal })
    const options = optionsIn<Plural, Option>(reply, plural).map(shown)
    return { options, total: reply.total ?? options.length }
  }
  return {
    key: keyOf(call, { params }),
    search: ({ term, page, per }, signal) => ask({ ...(term ? { search_term: term } : {}), page, per }, signal),
    byIds: async (ids, signal) => (await ask({ values: JSON.stringify(ids), per: ids.length }, signal)).options,
    per: words.per,
    within: call.path.startsWith('/clients/:client_id/') ? WITHIN_CLIENT : undefined,
    adds: words.adds,
  }
}

function optionsIn<Plural extends string, Option>(reply: { [K in Plural]: Option[] }, plural: Plural): Option[] {
  return reply[plural]
}

export type EntityPickerProps = FieldProps & {
  source: OptionSource
  value: number | null
  onChange: (id: number | null) => void
  placeholder?: string | undefined
  minChars?: number | undefined
  debounceMs?: number | undefined
  per?: number | undefined
}

/** Picks one record by its id. */
export function EntityPicker({ source, value, onChange, ...field }: EntityPickerProps): ReactNode {
  const chosen = useChosen(source, value === null ? [] : [value])
  const acts = useAdding(source, onChange)
  return (
    <ComboboxField
      {...field}
      per={field.per ?? source.per}
      source={useRemembering(source)}
      acts={acts}
      value={chosen.options[0] ?? null}
      onChange={(option) => {
        chosen.remember(option ? [option] : [])
        onChange(option?.id ?? null)
      }}
    />
  )
}

export type EntityMultiPickerProps = Omit<EntityPickerProps, 'value' | 'onChange'> & {
  value: readonly number[]
  onChange: (ids: number[]) => void
}

/** Picks several records by their ids. */
export function EntityMultiPicker({ source, value, onChange, ...field }: EntityMultiPickerProps): ReactNode {
  const chosen = useChosen(source, value)
  const acts = useAdding(source, (id) => onChange([...value, id]))
  return (
    <MultiComboboxField
      {...field}
      per={field.per ?? source.per}
      source={useRemembering(source)}
      acts={acts}
      value={chosen.options}
      onChange={(options) => {
        chosen.remember(options)
        onChange(options.map((option) => option.id))
      }}
    />
  )
}

/** Adds recently chosen options to the source, and turns missing rights into the list's own error. */
export function useRemembering(source: OptionSource) {
  return useMemo(() => ({ search: remembering(source), within: source.within }), [source])
}

function remembering({ key, search, byIds }: OptionSource): OptionSearch<number> {
  return async (query: OptionQuery, signal: AbortSignal) => {
    try {
      const page = await search(query, signal)
      const ids = query.term === '' && query.page === 1 ? recentChoices(kindOf(key)) : []
      const missing = ids.filter((id) => !page.options.some((option) => option.id === id))
      const known = [...page.options, ...(missing.length === 0 ? [] : await byIds(missing, signal))]
      return { ...page, recent: ids.flatMap((id) => known.find((option) => option.id === id) ?? []) }
    } catch (error) {
      throw error instanceof ApiProblem && error.forbidden ? new OptionsForbidden() : error
    }
  }
}

/** Remembers a choice that was made outside of a field. */
export function rememberOption(source: OptionSource, id: number): void {
  rememberChoice(kindOf(source.key), id)
}

function kindOf(key: readonly unknown[]): string {
  return JSON.stringify(key)
}

/** "Add new …" at the end of the list, for users with the right; the new record is chosen. */
function useAdding({ adds }: OptionSource, choose: (id: number) => void) {
  const map = usePermissions()
  if (!adds || !allows(map, adds.may)) return undefined
  return (term: string): readonly ListAct[] => [
    {
      id: 'add_new',
      label: term === '' ? `Add new ${adds.noun}` : `Add new ${adds.noun} “${term}”`,
      run: () => void addNew(adds, term).then((id) => (id === null ? undefined : choose(id))),
    },
  ]
}

/** Returns the options of the chosen ids; those not picked here are requested once. */
function useChosen(source: OptionSource, ids: readonly number[]) {
  const [known, setKnown] = useState<ReadonlyMap<number, PickerOption>>(new Map())
  const missing = ids.filter((id) => !known.has(id))
  const asked = useQuery({
    queryKey: [...source.key, 'chosen', missing],
    queryFn: ({ signal }) => source.byIds(missing, signal),
    enabled: missing.length > 0,
  })
  const found = new Map(asked.data?.map((option) => [option.id, option]))
  const remember = (options: readonly PickerOption[]) => {
    const added = options.filter(({ id }) => !ids.includes(id))
    for (const { id } of added) rememberOption(source, id)
    setKnown(new Map([...known, ...options.map((option) => [option.id, option] as const)]))
  }
  return {
    options: ids.map((id): PickerOption => known.get(id) ?? found.get(id) ?? { id, label: asked.isPending ? '…' : `#${id}` }),
    remember,
  }
}
