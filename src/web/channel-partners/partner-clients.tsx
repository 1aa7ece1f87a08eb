import { useQuery } from '@tanstack/react-query'
import type { ChannelPartner } from '#contract/clients/channel-partner.ts'
import { clientCalls } from '#contract/clients/client.ts'
import type { SlotProps } from '../kernel/forms/entity-form.tsx'
import { useCan } from '../kernel/permissions.tsx'
import { EntityMultiPicker, optionsOf } from '../kernel/forms/picker.tsx'
import styles from './channel-partners.module.css'
import { movesOf } from './partner-moves.ts'

const clients = optionsOf('clients', clientCalls.selectOptions, {})

/** The clients of a partner, searched by typing. The provider's staff chooses them; the partner's administrator can only read them. */
export function PartnerClients({ value, onChange, error, disabled, row }: SlotProps & { row: ChannelPartner | undefined }) {
  const mayChoose = useCan('channel_partner.create')
  if (!mayChoose) return <ClientNames names={row?.client_names ?? []} />
  return <ClientPicker value={value} onChange={onChange} error={error} disabled={disabled} row={row} />
}

type ClientPickerProps = Pick<SlotProps, 'value' | 'onChange' | 'error' | 'disabled'> & { row: ChannelPartner | undefined }

function ClientPicker({ value, onChange, error, disabled, row }: ClientPickerProps) {
  const ids = Array.isArray(value) ? value.map(Number) : []
  const added = ids.filter((id) => !row?.client_ids.includes(id))
  return (
    <>
      <EntityMultiPicker label="Clients" source={clients} value={ids} onChange={onChange} error={error} disabled={disabled} />
      {added.length > 0 && <MovesNote clientIds={added} partnerId={row?.id} />}
    </>
  )
}

function ClientNames({ names }: { names: readonly string[] }) {
  return (
    <div>
      <div className={styles.label} id="partner-clients">
        Clients
      </div>
      <ul className={styles.names} aria-labelledby="partner-clients">
        {names.length === 0 ? <li>None yet</li> : names.map((name) => <li key={name}>{name}</li>)}
      </ul>
      <p className={styles.hint}>The provider’s staff chooses the clients of a partner.</p>
    </div>
  )
}

function MovesNote({ clientIds, partnerId }: { clientIds: readonly number[]; partnerId: number | undefined }) {
  const { data: moves = [] } = useQuery({
    queryKey: ['clients', 'moves', partnerId ?? 0, clientIds],
    queryFn: ({ signal }) => movesOf(clientIds, partnerId, signal),
  })
  if (moves.length === 0) return null
  return (
    <ul className={styles.moves} aria-label="Moves" role="status">
      {moves.map(({ client, from }) => (
        <li key={client}>
          {client} moves here from {from}
        </li>
      ))}
    </ul>
  )
}
