import { useQuery } from '@tanstack/react-query'
import { channelPartnerCalls } from '#contract/clients/channel-partner.ts'
import type { Client } from '#contract/clients/client.ts'
import type { SlotProps } from '../kernel/forms/entity-form.tsx'
import { useCan, useIsProviderAdmin } from '../kernel/permissions.tsx'
import { apiQuery } from '../kernel/query.ts'
import { SelectField } from '../ui/fields/choice-fields.tsx'
import { UiLink } from '../ui/link.tsx'

/** The channel partner of a client. There are few, so all are listed. Only the provider’s staff moves a client to another one. */
export function PartnerField({ value, onChange, error, disabled, row }: SlotProps & { row: Client | undefined }) {
  const isStaff = useIsProviderAdmin()
  const mayEdit = useCan('channel_partner.update')
  const { data, isPending } = useQuery(apiQuery(channelPartnerCalls.flat, {}))
  const options = (data?.channel_partners ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  return (
    <SelectField
      label="Channel Partner"
      // Users with a single partner create clients for that one.
      emptyLabel={!isStaff && options.length === 1 ? undefined : ''}
      value={typeof value === 'number' ? String(value) : ''}
      options={options}
      error={error}
      disabled={disabled || isPending || (row !== undefined && !isStaff)}
      hint={row !== undefined && !isStaff ? 'The provider’s staff chooses the partner of a client.' : undefined}
      aside={
        row?.channel_partner_id && mayEdit ? (
          <UiLink href={`/clients/${row.id}/channel_partners/${row.channel_partner_id}/edit`}>Edit channel partner</UiLink>
        ) : undefined
      }
      onChange={(id) => onChange(id === '' ? null : Number(id))}
    />
  )
}
