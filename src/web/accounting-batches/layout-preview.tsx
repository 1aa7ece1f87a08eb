/** Previews an upload layout, and takes headings from a spreadsheet. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { accountingBatchCalls } from '#contract/accounting-batches/accounting-batch.ts'
import type { UploadLayout } from '#contract/accounting-batches/upload-layout.ts'
import { apiQuery } from '../kernel/query.ts'
import { Button } from '../ui/button.tsx'
import { SelectField } from '../ui/fields/choice-fields.tsx'
import { TextAreaField } from '../ui/fields/text-field.tsx'
import layoutStyles from '../ui/layout-editor.module.css'
import styles from './accounting-batches.module.css'
import { UploadPreview } from './upload-preview.tsx'

export function PasteHeadings({ onPaste }: { onPaste: (pasted: string) => void }) {
  const [pasted, setPasted] = useState<string | null>(null)
  if (pasted === null)
    return (
      <div>
        <Button small onClick={() => setPasted('')}>
          Paste a header row
        </Button>
      </div>
    )
  return (
    <div className={styles.paste}>
      <TextAreaField
        label="Header row of the ledger’s import"
        hint="Headings with tabs, pipes, semicolons or commas between them. They take the place of the columns below."
        rows={2}
        autoFocus
        value={pasted}
        onChange={setPasted}
      />
      <Button
        small
        disabledReason={pasted.trim() === '' ? 'Paste the headings first' : undefined}
        onClick={() => {
          onPaste(pasted)
          setPasted(null)
        }}
      >
        Map columns by name
      </Button>
      <Button small kind="quiet" onClick={() => setPasted(null)}>
        Cancel
      </Button>
    </div>
  )
}

/** Number of batches offered for a preview, newest first. */
const BATCHES_OFFERED = 20

export function PreviewOfBatch({ layout, clientId }: { layout: UploadLayout; clientId: number }) {
  const [chosen, setChosen] = useState('')
  const query = { per: BATCHES_OFFERED, with_total: 'false' } as const
  const batches = useQuery(apiQuery(accountingBatchCalls.list, { params: { client_id: clientId }, query }))
  const offered = (batches.data?.accounting_batches ?? []).filter(({ bill_count }) => bill_count > 0)
  const id = chosen === '' ? offered[0]?.id : Number(chosen)
  return (
    <section className={layoutStyles.preview} aria-label="Preview">
      <h3 className={styles.uncodedTitle}>Preview</h3>
      {id === undefined ? (
        <p className={styles.reason}>{batches.isPending ? 'Loading' : 'No client batch holds bills yet, so there is nothing to show.'}</p>
      ) : (
        <>
          <SelectField
            label="Client Batch"
            value={String(id)}
            options={offered.map((batch) => ({ value: String(batch.id), label: batch.batch_code }))}
            onChange={setChosen}
          />
          <UploadPreview layout={layout} clientId={clientId} batchId={id} />
        </>
      )}
    </section>
  )
}
