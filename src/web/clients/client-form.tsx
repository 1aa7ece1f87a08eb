import { useQuery } from '@tanstack/react-query'
import { client, clientCalls, type Client } from '#contract/clients/client.ts'
import { ChildRows, textOf, type ChildValues } from '../kernel/forms/child-rows.tsx'
import { EntityForm, type FormSection, type SlotProps } from '../kernel/forms/entity-form.tsx'
import { usePathId } from '../kernel/navigation.tsx'
import { useCan } from '../kernel/permissions.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { formCalls } from '../kernel/forms/use-entity-form.ts'
import { TextField } from '../ui/fields/text-field.tsx'
import { LogoField } from './logo-field.tsx'
import { logoIsThere } from './logo-upload.ts'
import { PartnerField } from './partner-field.tsx'
import { RetrievalField } from './retrieval-field.tsx'

export function NewClient() {
  return <ClientForm />
}

export function EditClient() {
  const asked = useQuery(apiQuery(clientCalls.get, { params: { id: usePathId('client_id') } }))
  return <RecordGate asked={asked}>{(found) => <ClientForm row={found.client} />}</RecordGate>
}

const list = '/clients'
const mainSections: readonly FormSection[] = [
  { fields: ['name', 'short_code', 'identifier', 'channel_partner_id', 'bills_due_on', 'active', 'notes'] },
  { fields: ['logo'], columns: 1 },
]
const retrieval: FormSection = { title: 'Bill Retrieval', fields: ['retrieval_provider'], columns: 1 }
const batchGroups: FormSection = { title: 'Batch Groups', fields: ['batch_groups_attributes'] }
const newGroup: ChildValues = { name: '' }

function ClientForm({ row }: { row?: Client }) {
  const choosesService = useCan('setting.update')
  return (
    <EntityForm
      entity={client}
      row={row}
      {...formCalls(clientCalls, 'client', {})}
      sections={[...mainSections, ...(choosesService ? [retrieval] : []), batchGroups]}
      slots={{
        logo: (slot) => <LogoField {...slot} row={row} />,
        channel_partner_id: (slot) => <PartnerField {...slot} row={row} />,
        retrieval_provider: (slot) => <RetrievalField {...slot} />,
        batch_groups_attributes: BatchGroups,
      }}
      start={{ batch_groups_attributes: [] }}
      startOf={({ batch_groups }) => ({ logo: '', batch_groups_attributes: batch_groups })}
      check={logoIsThere('logo')}
      refreshes={['clients', 'batch_groups', 'channel_partners', 'user_roles']}
      backHref={list}
    />
  )
}

function BatchGroups(slot: SlotProps) {
  return (
    <ChildRows {...slot} name="batch_groups_attributes" title="Batch Groups" addLabel="Add Batch Group" blank={newGroup}>
      {({ child, set, error }) => (
        <TextField
          label="Batch Group Name"
          required
          value={textOf(child, 'name')}
          error={error('name')}
          onChange={(name) => set({ name })}
        />
      )}
    </ChildRows>
  )
}
