import { useState } from 'react'
import { originatingProfile, originatingProfileCalls, type OriginatingProfile } from '#contract/originating-profiles/originating-profile.ts'
import { DeleteItem } from '../kernel/lists/delete-item.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { Can, useCan } from '../kernel/permissions.tsx'
import { SettingsTabs } from '../settings/settings.ts'
import { MenuItem } from '../ui/menu.tsx'
import { EmptyState } from '../ui/states.tsx'
import { ProfileState } from './profile-gaps.tsx'
import { TestFileDialog } from './test-file-dialog.tsx'

/** The paying bank accounts, and which of them are ready for their bank. */
export function BankProfileList() {
  const mayEdit = useCan('global_batch.update')
  const [tested, setTested] = useState<OriginatingProfile | null>(null)
  return (
    <>
      <SettingsTabs />
      <ListPage
        entity={originatingProfile}
        calls={originatingProfileCalls}
        columns={columns}
        cells={cells}
        rowHref={mayEdit ? editHref : undefined}
        addNew={{ href: '/originating_profiles/new', may: 'global_batch.create' }}
        actions={(row) => actions(row, () => setTested(row))}
        empty={
          <EmptyState title="No bank profiles yet">
            A bank profile says whose account pays, and how its bank wants payment files.
          </EmptyState>
        }
      />
      {tested && <TestFileDialog key={tested.id} profile={tested} onClose={() => setTested(null)} />}
    </>
  )
}

const columns = [
  { key: 'client_name', width: 240 },
  { key: 'name', width: 180 },
  { key: 'bank_name', width: 180 },
  { key: 'routing_number', width: 130 },
  { key: 'company_name', width: 160 },
  { key: 'is_default', width: 96, grow: false },
  { key: 'active', width: 96, grow: false, filter: { kind: 'boolean', key: 'active', yes: 'Active', no: 'Inactive' } },
  { key: 'gaps', width: 160, grow: false },
] as const
const cells = { gaps: (row: OriginatingProfile) => <ProfileState row={row} /> }

function actions(row: OriginatingProfile, test: () => void) {
  return (
    <>
      <Can do="global_batch.update">
        <MenuItem href={editHref(row)}>Edit</MenuItem>
        <MenuItem href={`/originating_profiles/${row.id}/layouts`}>Layouts</MenuItem>
        <MenuItem disabledReason={row.active ? undefined : 'This bank profile is inactive'} onSelect={test}>
          Test File…
        </MenuItem>
      </Can>
      <Can do="global_batch.destroy">
        <DeleteItem call={originatingProfileCalls.destroy} params={{ id: row.id }} name={`${row.client_name}: ${row.name}`} />
      </Can>
    </>
  )
}

function editHref(row: OriginatingProfile): string {
  return `/originating_profiles/${row.id}/edit`
}
