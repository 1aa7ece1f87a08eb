import { useQuery } from '@tanstack/react-query'
import { client, clientCalls } from '#contract/clients/client.ts'
import type { SlotProps } from '../kernel/forms/entity-form.tsx'
import { apiQuery } from '../kernel/query.ts'
import { SelectField } from '../ui/fields/choice-fields.tsx'

/** The source of a client's statements: one of the configured services. A service that was removed stays visible until another one is chosen. */
export function RetrievalField({ value, onChange, error, disabled }: SlotProps) {
  const { data, isPending } = useQuery(apiQuery(clientCalls.retrievalServices, {}))
  const services = data?.retrieval_services ?? []
  const chosen = typeof value === 'string' ? value : ''
  const isGone = !isPending && chosen !== '' && !services.some(({ id }) => id === chosen)
  const [first] = services
  return (
    <SelectField
      label={client.fields.retrieval_provider.label}
      emptyLabel={first ? `Default: ${first.label}` : 'Default'}
      value={chosen}
      options={[
        ...services.map(({ id, label }) => ({ value: id, label })),
        ...(isGone ? [{ value: chosen, label: `${chosen} (not set up here)` }] : []),
      ]}
      hint={client.fields.retrieval_provider.help}
      error={error}
      disabled={disabled || isPending}
      onChange={(id) => onChange(id === '' ? null : id)}
    />
  )
}
