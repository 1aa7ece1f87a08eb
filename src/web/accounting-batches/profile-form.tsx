import { useQuery } from '@tanstack/react-query'
import { exportProfile, exportProfileCalls, type ExportProfile } from '#contract/accounting-batches/export-profile.ts'
import { genericLayout } from '#contract/accounting-batches/ready-layouts.ts'
import { EntityForm, type FormSection } from '../kernel/forms/entity-form.tsx'
import { formCalls } from '../kernel/forms/use-entity-form.ts'
import { usePathId } from '../kernel/navigation.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { Breadcrumbs } from '../ui/page-header.tsx'
import { LayoutEditor } from './layout-editor.tsx'

export function NewProfile() {
  return <ProfileForm />
}

export function EditProfile() {
  const params = { client_id: usePathId('client_id'), id: usePathId('export_profile_id') }
  const asked = useQuery(apiQuery(exportProfileCalls.get, { params }))
  return (
    <RecordGate asked={asked}>{(found) => <ProfileForm key={found.export_profile.lock_version} row={found.export_profile} />}</RecordGate>
  )
}

const sections: readonly FormSection[] = [{ fields: ['name', 'is_default'] }, { title: 'Layout', fields: ['layout'], columns: 1 }]
const start = { layout: genericLayout }

function ProfileForm({ row }: { row?: ExportProfile }) {
  const client_id = usePathId('client_id')
  const list = `/clients/${client_id}/export_profiles`
  return (
    <>
      <Breadcrumbs
        items={[
          { label: 'Client Batches', href: `/clients/${client_id}/accounting_batches` },
          { label: 'Export Profiles', href: list },
          { label: row?.name ?? 'New' },
        ]}
      />
      <EntityForm
        entity={exportProfile}
        row={row}
        {...formCalls(exportProfileCalls, 'export_profile', { client_id })}
        sections={sections}
        slots={{ layout: (slot) => <LayoutEditor slot={slot} clientId={client_id} /> }}
        start={start}
        startOf={({ layout }) => ({ layout })}
        backHref={list}
      />
    </>
  )
}
