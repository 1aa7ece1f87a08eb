import { useQuery } from '@tanstack/react-query'
import { channelPartner, channelPartnerCalls, type ChannelPartner } from '#contract/clients/channel-partner.ts'
import { LogoField, logoIsThere } from '../clients/clients.ts'
import { callApi } from '../kernel/api.ts'
import { EntityForm, type FormSection } from '../kernel/forms/entity-form.tsx'
import { usePathId } from '../kernel/navigation.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { formCalls } from '../kernel/forms/use-entity-form.ts'
import { confirm } from '../ui/dialogs/confirm-dialog.tsx'
import styles from './channel-partners.module.css'
import { PartnerClients } from './partner-clients.tsx'
import { clientsSent, movesOf, type Move } from './partner-moves.ts'

export function NewPartner() {
  return <PartnerForm backHref={list} />
}

export function EditPartner() {
  return <StoredPartner backHref={list} />
}

/** The same form inside a client's scope; it returns to the client. */
export function EditPartnerOfClient() {
  return <StoredPartner backHref={`/clients/${usePathId('client_id')}/edit`} />
}

function StoredPartner({ backHref }: { backHref: string }) {
  const asked = useQuery(apiQuery(channelPartnerCalls.get, { params: { id: usePathId('channel_partner_id') } }))
  return <RecordGate asked={asked}>{({ channel_partner: row }) => <PartnerForm row={row} backHref={backHref} />}</RecordGate>
}

const list = '/channel_partners'
const { create, update } = channelPartnerCalls
const sections: readonly FormSection[] = [{ fields: ['name', 'client_ids', 'signed_file_id'], columns: 1 }]

function PartnerForm({ row, backHref }: { row?: ChannelPartner; backHref: string }) {
  return (
    <EntityForm
      entity={channelPartner}
      row={row}
      {...formCalls(channelPartnerCalls, 'channel_partner', {})}
      create={async (body, intent) => {
        await agreeToMoves(await movesOf(clientsSent(body), undefined))
        return callApi(create, { body: create.schemas.body.parse(body), intent })
      }}
      update={async (id, body) => {
        await agreeToMoves(await movesOf(clientsSent(body), id))
        return callApi(update, { params: { id }, body: update.schemas.body.parse(body) })
      }}
      sections={sections}
      slots={{
        client_ids: (slot) => <PartnerClients {...slot} row={row} />,
        signed_file_id: (slot) => <LogoField {...slot} row={row} />,
      }}
      startOf={() => ({ signed_file_id: '' })}
      check={logoIsThere('signed_file_id')}
      refreshes={['channel_partners', 'clients', 'user_roles']}
      backHref={backHref}
    />
  )
}

/** Asks before clients change their partner. Declining stays in the form and saves nothing. */
async function agreeToMoves(moves: readonly Move[]): Promise<void> {
  if (moves.length === 0) return
  const agreed = await confirm({
    message: `Move ${moves.length === 1 ? 'this client' : `these ${moves.length} clients`} from another channel partner?`,
    consequence: (
      <>
        <ul className={styles.names}>
          {moves.map(({ client, from }) => (
            <li key={client}>
              {client}, now with {from}
            </li>
          ))}
        </ul>
        The administrators of the other partner lose sight of {moves.length === 1 ? 'it' : 'them'}.
      </>
    ),
    confirmLabel: 'Move and save',
  })
  if (!agreed) throw new DOMException('The move was not agreed to', 'AbortError')
}
