import { useRef, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { clientCalls } from '#contract/clients/client.ts'
import { webhook, type Webhook } from '#contract/webhooks/webhook.ts'
import { webhookCalls } from '#contract/webhooks/webhook-calls.ts'
import { callApi } from '../kernel/api.ts'
import { EntityForm, type FormSection } from '../kernel/forms/entity-form.tsx'
import { useGo, usePathId } from '../kernel/navigation.tsx'
import { optionsOf } from '../kernel/forms/picker.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { SettingsTabs } from '../settings/settings.ts'
import { ButtonLink } from '../ui/button.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SecretOnce } from '../ui/secret-once.tsx'
import { EventChoices } from './event-choices.tsx'
import styles from './webhooks.module.css'

const list = '/settings/webhooks'
const pickers = { client_id: optionsOf('clients', clientCalls.selectOptions, {}) }
const slots = { events: EventChoices }
const ofClient = { client_id: 'The client of a webhook stays: make another webhook' }
const ofAllClients = { client_id: 'It is for all clients, and stays so: make another webhook' }
const sections: readonly FormSection[] = [
  { fields: ['name', 'url', 'client_id', 'active'] },
  { title: 'Events', fields: ['all_events', 'events'], columns: 1 },
]
const common = { entity: webhook, params: {}, sections, slots, pickers, backHref: list }

interface Made {
  readonly id: number
  readonly name: string
  readonly secret: string
}

/** /settings/webhooks/new: the form, and then the secret, which is shown once. */
export function NewWebhook() {
  const [made, setMade] = useState<Made | null>(null)
  // Only this response contains the secret.
  const kept = useRef<Made | null>(null)
  return (
    <>
      <SettingsTabs />
      {made ? (
        <ShownOnce made={made} />
      ) : (
        <EntityForm
          {...common}
          create={async (body) => {
            const answer = await callApi(webhookCalls.create, { body: webhookCalls.create.schemas.body.parse(body) })
            kept.current = { id: answer.webhook.id, name: answer.webhook.name ?? '', secret: answer.secret }
            return answer
          }}
          onSaved={() => setMade(kept.current)}
        />
      )}
    </>
  )
}

function ShownOnce({ made }: { made: Made }) {
  return (
    <>
      <PageHeader title="Webhook created" count={made.name} />
      <div className={styles.done}>
        <SecretOnce label="Its secret" value={made.secret}>
          Copy it now: it is not shown again. The receiver verifies with it that a message comes from here, by any library of Standard
          Webhooks.
        </SecretOnce>
        <ButtonLink href={`${list}/${made.id}/deliveries`}>Done</ButtonLink>
      </div>
    </>
  )
}

export function EditWebhook() {
  const asked = useQuery(apiQuery(webhookCalls.get, { params: { id: usePathId('id') } }))
  return (
    <>
      <SettingsTabs />
      <RecordGate asked={asked}>{(found) => <EditForm row={found.webhook} />}</RecordGate>
    </>
  )
}

function EditForm({ row }: { row: Webhook }) {
  const go = useGo()
  return (
    <EntityForm
      {...common}
      row={row}
      locked={row.client_id === null ? ofAllClients : ofClient}
      update={(id, body) => callApi(webhookCalls.update, { params: { id }, body: webhookCalls.update.schemas.body.parse(body) })}
      load={async (id) => (await callApi(webhookCalls.get, { params: { id } })).webhook}
      onSaved={() => go(list)}
    />
  )
}
