import { useRef, useState } from 'react'
import { apiToken, apiTokenCalls, apiTokenDaysDefault } from '#contract/access/api-token.ts'
import { clientCalls } from '#contract/clients/client.ts'
import { addDays } from '#contract/kernel/date.ts'
import { titleCase } from '#contract/kernel/entity.ts'
import { models } from '#contract/kernel/permission.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { callApi } from '../kernel/api.ts'
import { EntityForm, type FormSection, type SlotProps } from '../kernel/forms/entity-form.tsx'
import { optionsOf } from '../kernel/forms/picker.tsx'
import { ProfileTabs } from '../profile/profile.ts'
import { ButtonLink } from '../ui/button.tsx'
import { CheckboxField } from '../ui/fields/choice-fields.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SecretOnce } from '../ui/secret-once.tsx'
import styles from './api-tokens.module.css'

const list = '/users/profile/api_tokens'
const pickers = { client_ids: optionsOf('clients', clientCalls.selectOptions, {}) }
const slots = { models: RecordChoices }
const sections: readonly FormSection[] = [
  { fields: ['name', 'expires_on', 'access', 'client_ids'] },
  { title: 'Records', fields: ['models'] },
]

interface Made {
  readonly name: string
  readonly token: string
}

/** /users/profile/api_tokens/new: the form, and then the token, which is shown once. */
export function NewTokenPage() {
  const [made, setMade] = useState<Made | null>(null)
  return (
    <>
      <ProfileTabs />
      {made ? <ShownOnce made={made} /> : <TokenForm onMade={setMade} />}
    </>
  )
}

function TokenForm({ onMade }: { onMade: (made: Made) => void }) {
  const [start] = useState(() => ({ access: 'read', expires_on: addDays(todayIn(NEW_YORK, Date.now()), apiTokenDaysDefault) }))
  // Only this response contains the token.
  const kept = useRef<Made | null>(null)
  return (
    <EntityForm
      entity={apiToken}
      params={{}}
      title="New API Token"
      submitLabel="Make token"
      create={async (body) => {
        const answer = await callApi(apiTokenCalls.create, { body: apiTokenCalls.create.schemas.body.parse(body) })
        kept.current = { name: answer.api_token.name ?? '', token: answer.token }
        return answer
      }}
      start={start}
      sections={sections}
      slots={slots}
      pickers={pickers}
      backHref={list}
      onSaved={() => kept.current && onMade(kept.current)}
    />
  )
}

function RecordChoices({ value, onChange, error, disabled }: SlotProps) {
  const chosen: readonly unknown[] = Array.isArray(value) ? value : []
  return (
    <fieldset className={styles.records} data-wide aria-invalid={error ? true : undefined}>
      <legend>Nothing ticked: everything that you may do. Ticked: only these.</legend>
      {models.map((model) => (
        <CheckboxField
          key={model}
          label={titleCase(model)}
          checked={chosen.includes(model)}
          disabled={disabled}
          onChange={(checked) => onChange(checked ? [...chosen, model] : chosen.filter((one) => one !== model))}
        />
      ))}
      {error && <p role="alert">{error}</p>}
    </fieldset>
  )
}

function ShownOnce({ made }: { made: Made }) {
  return (
    <>
      <PageHeader title="API Token created" count={made.name} />
      <div className={styles.done}>
        <SecretOnce label="Your new API token" value={made.token}>
          Copy it now: it is not shown again. Keep it as you keep a password; whoever has it acts as you.
        </SecretOnce>
        <pre className={styles.example}>{`curl ${location.origin}/api/v5/users/profile \\\n  -H "authorization: Bearer $TOKEN"`}</pre>
        <ButtonLink href={list}>Done</ButtonLink>
      </div>
    </>
  )
}
