import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { clientCalls } from '#contract/clients/client.ts'
import { originatingProfile, originatingProfileCalls, type OriginatingProfile } from '#contract/originating-profiles/originating-profile.ts'
import { EntityForm, type FormSection } from '../kernel/forms/entity-form.tsx'
import { optionsOf } from '../kernel/forms/picker.tsx'
import { formCalls } from '../kernel/forms/use-entity-form.ts'
import { usePathId, useSearchText } from '../kernel/navigation.tsx'
import { useRoles } from '../kernel/permissions.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { SecretField } from '../ui/fields/secret-field.tsx'
import { ProfileGaps, ProfileState } from './profile-gaps.tsx'
import { TestFileDialog } from './test-file-dialog.tsx'

/** A new profile; the address may name its client, as links from an export's errors do. */
export function NewBankProfile() {
  const { client_id } = useSearchText()
  return <BankProfileForm start={client_id !== undefined && /^[1-9]\d{0,14}$/.test(client_id) ? { client_id: Number(client_id) } : {}} />
}

export function EditBankProfile() {
  const asked = useQuery(apiQuery(originatingProfileCalls.get, { params: { id: usePathId('id') } }))
  return <RecordGate asked={asked}>{({ originating_profile: row }) => <BankProfileForm row={row} />}</RecordGate>
}

/** The state of the profile, and its test file. What is typed and not saved is not in the file. */
function ProfileAside({ row }: { row: OriginatingProfile }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <ProfileState row={row} />
      <ButtonLink href={`${at}/${row.id}/layouts`}>Layouts</ButtonLink>
      <Button disabledReason={row.active ? undefined : 'This bank profile is inactive'} onClick={() => setOpen(true)}>
        Test File…
      </Button>
      {open && <TestFileDialog profile={row} onClose={() => setOpen(false)} />}
    </>
  )
}

const at = '/originating_profiles'
const pickers = { client_id: optionsOf('clients', clientCalls.selectOptions, {}, { hint: ({ short_code }) => short_code }) }
const sections: readonly FormSection[] = [
  { fields: ['client_id', 'name', 'active', 'is_default'] },
  { title: 'Account that Pays', fields: ['bank_name', 'routing_number', 'account_number', 'account_type', 'next_check_number'] },
  { title: 'Payer as Vendors Read It', fields: ['company_name', 'company_id', 'entry_description', 'discretionary_data'] },
  {
    title: 'Bank that Takes the File',
    fields: [
      'immediate_destination',
      'immediate_destination_name',
      'immediate_origin',
      'immediate_origin_name',
      'line_end',
      'character_set',
      'balanced',
    ],
  },
  { title: 'Days and Limits', fields: ['lead_days', 'cutoff_time', 'same_day_allowed', 'entry_limit', 'file_limit'] },
  {
    title: 'Release by a Second Person',
    fields: ['release_always', 'release_vendor_limit', 'release_export_limit', 'release_day_limit', 'release_apart'],
  },
  {
    title: 'Layouts',
    fields: ['standard_layout', 'nacha_plus_layout', 'ach_2_layout', 'ach_bank_layout', 'positive_pay_layout'],
  },
  {
    title: 'Avid',
    fields: ['avid_payer_id', 'avid_bank_account_id', 'street_address_1', 'street_address_2', 'city', 'state', 'zip'],
  },
]
const locked = { client_id: 'The client of a bank profile stays as it is' }
const onlySuper = 'Only a super_admin changes when exports wait for a release'
const lockedRules = Object.fromEntries(
  ['release_always', 'release_vendor_limit', 'release_export_limit', 'release_day_limit', 'release_apart'].map((key) => [key, onlySuper]),
)

function BankProfileForm({ row, start = {} }: { row?: OriginatingProfile; start?: { client_id?: number } }) {
  const isSuper = useRoles()?.includes('super_admin') ?? false
  return (
    <EntityForm
      entity={originatingProfile}
      row={row}
      {...formCalls(originatingProfileCalls, 'originating_profile', {})}
      sections={sections}
      pickers={pickers}
      start={start}
      locked={{ ...(row ? locked : {}), ...(isSuper ? {} : lockedRules) }}
      slots={{
        account_number: ({ value, onChange, error }) => (
          <SecretField
            name="account_number"
            label={originatingProfile.fields.account_number.label}
            value={typeof value === 'string' ? value : undefined}
            onChange={onChange}
            error={error}
            lastFour={row?.account_number?.replace(/^•+/, '')}
          />
        ),
      }}
      aside={row && <ProfileAside row={row} />}
      backHref={at}
    >
      {row && <ProfileGaps row={row} />}
    </EntityForm>
  )
}
