import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { accountingBatchCalls, type AccountingBatch } from '#contract/accounting-batches/accounting-batch.ts'
import type { BatchFile } from '#contract/accounting-batches/batch-contents.ts'
import { exportProfileCalls } from '#contract/accounting-batches/export-profile.ts'
import { batchStyles } from '../batches/batches.ts'
import { usePathId } from '../kernel/navigation.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { Button } from '../ui/button.tsx'
import { SelectField } from '../ui/fields/choice-fields.tsx'
import type { GridColumn } from '../ui/grid/grid-types.ts'
import { UiLink } from '../ui/link.tsx'
import { EmptyState } from '../ui/states.tsx'
import { Missing } from '../ui/status.tsx'
import { BatchHead } from './batch-head.tsx'
import { BatchVersions } from './batch-versions.tsx'
import { generateUploadFile, whyNoUploadFile } from './generate-upload-file.ts'

export function BatchFiles() {
  const params = { client_id: usePathId('client_id'), id: usePathId('accounting_batch_id') }
  const asked = useQuery(apiQuery(accountingBatchCalls.get, { params }))
  const files = useQuery(apiQuery(accountingBatchCalls.files, { params }))
  const both = asked.data && files.data ? { batch: asked.data.accounting_batch, files: files.data.files } : undefined
  const retry = () => {
    void asked.refetch()
    void files.refetch()
  }
  return (
    <RecordGate asked={{ data: both, error: asked.error ?? files.error, refetch: retry }}>
      {(found) => <Files batch={found.batch} files={found.files} />}
    </RecordGate>
  )
}

/** The versions of the upload file, with what was read back from each. */
function Files({ batch, files }: { batch: AccountingBatch; files: readonly BatchFile[] }) {
  const [profileId, setProfileId] = useState('')
  const asked = useQuery(apiQuery(exportProfileCalls.selectOptions, { params: { client_id: batch.client_id } }))
  const profiles = asked.data?.export_profiles ?? []
  return (
    <section className={batchStyles.page} aria-label="Files of the batch">
      <BatchHead batch={batch} tab="files" />
      <div className={batchStyles.bar}>
        <p className={batchStyles.chosen}>
          A version is kept as it was written, from the state of the batch at one moment. Its rows and sums are read back from the file.
        </p>
        {profiles.length > 0 && (
          <SelectField
            label="Export Profile"
            value={profileId}
            emptyLabel={profiles.some(({ is_default }) => is_default) ? 'Default of the client' : 'Generic CSV'}
            options={profiles.map(({ id, name }) => ({ value: String(id), label: name }))}
            onChange={setProfileId}
          />
        )}
        <UiLink href={`/clients/${batch.client_id}/export_profiles`}>Export profiles</UiLink>
        <Button
          busy={batch.generating_file}
          disabledReason={whyNoUploadFile(batch)}
          onClick={() => void generateUploadFile(batch, profileId === '' ? null : Number(profileId))}
        >
          Generate Upload File
        </Button>
      </div>
      <BatchVersions
        batch={batch}
        label="Upload files"
        files={files.filter(({ kind }) => kind === 'upload')}
        totalLabel="Debits"
        rowsLabel="Lines"
        more={more}
        empty={
          <EmptyState title="No upload file yet">
            The upload file holds a row for each ledger line, for the client’s ledger to load.
          </EmptyState>
        }
      />
    </section>
  )
}

const more: readonly GridColumn<BatchFile>[] = [
  { key: 'profile_name', label: 'Profile', width: 140, cell: (file) => file.profile_name ?? <Missing word="not kept" /> },
  { key: 'changes', label: 'Since Version Before', width: 170, cell: (file) => changesText(file.changes) },
]

/** Returns '+3 bills, −1, 2 amounts'. */
function changesText(changes: BatchFile['changes']): string {
  if (changes === null) return ''
  const { bills_added, bills_removed, amounts_changed } = changes
  const parts = [
    ...(bills_added > 0 ? [`+${bills_added.toLocaleString('en-US')} ${bills_added === 1 ? 'bill' : 'bills'}`] : []),
    ...(bills_removed > 0 ? [`−${bills_removed.toLocaleString('en-US')} ${bills_removed === 1 ? 'bill' : 'bills'}`] : []),
    ...(amounts_changed > 0 ? [`${amounts_changed.toLocaleString('en-US')} ${amounts_changed === 1 ? 'amount' : 'amounts'}`] : []),
  ]
  return parts.length === 0 ? 'No bill or amount' : parts.join(', ')
}
