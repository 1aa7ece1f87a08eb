import { useMemo } from 'react'
import { exportProfile, exportProfileCalls, type ExportProfile } from '#contract/accounting-batches/export-profile.ts'
import { DeleteItem } from '../kernel/lists/delete-item.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { usePathId } from '../kernel/navigation.tsx'
import { Can, useCan } from '../kernel/permissions.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { Breadcrumbs } from '../ui/page-header.tsx'
import { EmptyState } from '../ui/states.tsx'

/** The export profiles of a client: formats of the upload files for its ledger. */
export function ProfileList() {
  const clientId = usePathId('client_id')
  const mayEdit = useCan('ledger_account.update')
  const params = useMemo(() => ({ client_id: clientId }), [clientId])
  const at = `/clients/${clientId}/export_profiles`
  return (
    <>
      <Breadcrumbs items={[{ label: 'Client Batches', href: `/clients/${clientId}/accounting_batches` }, { label: 'Export Profiles' }]} />
      <ListPage
        entity={exportProfile}
        calls={exportProfileCalls}
        params={params}
        columns={columns}
        rowHref={mayEdit ? editHref : undefined}
        addNew={{ href: `${at}/new`, may: 'ledger_account.create' }}
        actions={actions}
        empty={
          <EmptyState title="No export profiles yet">
            Upload files are written as the generic CSV. A profile says which columns the client’s ledger wants, and how.
          </EmptyState>
        }
      />
    </>
  )
}

const columns = [
  { key: 'name', width: 300 },
  { key: 'kind', width: 180, sortable: false },
  { key: 'is_default', width: 120, filter: { kind: 'boolean', key: 'is_default' } },
  { key: 'created_at', width: 150 },
] as const

function actions(row: ExportProfile) {
  return (
    <>
      <Can do="ledger_account.update">
        <MenuItem href={editHref(row)}>Edit</MenuItem>
      </Can>
      <Can do="ledger_account.destroy">
        <DeleteItem call={exportProfileCalls.destroy} params={{ client_id: row.client_id, id: row.id }} name={row.name} />
      </Can>
    </>
  )
}

function editHref(row: ExportProfile): string {
  return `/clients/${row.client_id}/export_profiles/${row.id}/edit`
}
