import { useQuery } from '@tanstack/react-query'
import { channelPartnerCalls } from '#contract/channel-partner.ts'
import type { SlotProps } from '../kernel/entity-form.tsx'
import { apiQuery } from '../kernel/query.ts'
import { SelectField } from '../ui/fields/choice-fields.tsx'

/** The channel partner of a client; they are few, so all are shown. */
export function PartnerField({ value, onChange, error, disabled }: SlotProps) {
  const { data, isPending } = useQuery(apiQuery(channelPartnerCalls.flat, {}))
  const options = (data?.channel_partners ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  return (
    <SelectField
      label="Channel Partner"
      emptyLabel=""
      value={typeof value === 'number' ? String(value) : ''}
      options={options}
      error={error}
      disabled={disabled || isPending}
      onChange={(id) => onChange(id === '' ? null : Number(id))}
    />
  )
}
