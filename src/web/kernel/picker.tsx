/** Records to pick from, looked up on the server as the specification says: from 3 characters, after a second, ten at a time. */
import { useState, type ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import type { Call, ListReply, Nothing, OptionsInput } from '#contract/kernel/call.ts'
import { MultiPickerField, PickerField, type OptionSearch, type PickerOption } from '../ui/fields/picker-field.tsx'
import type { FieldProps } from '../ui/fields/field-frame.tsx'
import { callWith } from './api.ts'
import { keyOf } from './query.ts'

/** Options a page of the lookups of divisions and facilities, which are read from top to bottom. */
export const LONG_LOOKUP = 1000

/** Where a picker's options come from; made by `optionsOf`. */
export interface OptionSource {
  readonly key: readonly unknown[]
  readonly search: OptionSearch<number>
  /** The options of these ids, to show what is chosen already. */
  readonly byIds: (ids: readonly number[], signal: AbortSignal) => Promise<readonly PickerOption[]>
  /** Options a page; ten where none is said. */
  readonly per?: number | undefined
}

export interface OptionWords<Option> {
  readonly label?: (option: Option) => string
  readonly hint?: (option: Option) => string | undefined
  readonly disabledReason?: (option: Option) => string | undefined
  /** Options a page, where the specification says more than ten. */
  readonly per?: number
}

/** The options of a `select_options` call: `optionsOf('divisions', divisionCalls.selectOptions, { client_id })`. */
export function optionsOf<Plural extends string, Option extends { id: number }, Params>(
  plural: Plural,
  call: Call<Params, OptionsInput, Nothing, ListReply<Plural, Option>>,
  params: Params,
  words: OptionWords<Option> = {},
): OptionSource {
  const shown = (option: Option): PickerOption => ({
    id: option.id,
    label: words.label?.(option) ?? labelOf(option),
    hint: words.hint?.(option),
    disabledReason: words.disabledReason?.(option),
  })
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
  }
}

function optionsIn<Plural extends string, Option>(reply: { [K in Plural]: Option[] }, plural: Plural): Option[] {
  return reply[plural]
}

const words = z.object({
  display_name: z.string().nullish(),
  name: z.string().nullish(),
  account_name_with_number: z.string().nullish(),
  account_number: z.string().nullish(),
  symbol: z.string().nullish(),
  title: z.string().nullish(),
})

function labelOf(option: { id: number }): string {
  const found = words.safeParse(option)
  const given = found.success ? found.data : {}
  return (
    given.display_name ??
    given.name ??
    given.account_name_with_number ??
    given.account_number ??
    given.symbol ??
    given.title ??
    `#${option.id}`
  )
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
  return (
    <PickerField
      {...field}
      per={field.per ?? source.per}
      search={source.search}
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
  return (
    <MultiPickerField
      {...field}
      per={field.per ?? source.per}
      search={source.search}
      value={chosen.options}
      onChange={(options) => {
        chosen.remember(options)
        onChange(options.map((option) => option.id))
      }}
    />
  )
}

/** The options of the chosen ids: those picked here are known, the others are asked for once. */
function useChosen(source: OptionSource, ids: readonly number[]) {
  const [known, setKnown] = useState<ReadonlyMap<number, PickerOption>>(new Map())
  const missing = ids.filter((id) => !known.has(id))
  const asked = useQuery({
    queryKey: [...source.key, 'chosen', missing],
    queryFn: ({ signal }) => source.byIds(missing, signal),
    enabled: missing.length > 0,
  })
  const found = new Map(asked.data?.map((option) => [option.id, option]))
  return {
    options: ids.map((id): PickerOption => known.get(id) ?? found.get(id) ?? { id, label: asked.isPending ? '…' : `#${id}` }),
    remember: (options: readonly PickerOption[]) => setKnown(new Map([...known, ...options.map((option) => [option.id, option] as const)])),
  }
}
