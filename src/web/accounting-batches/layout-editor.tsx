import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { accountingBatchCalls } from '#contract/accounting-batches/accounting-batch.ts'
import {
  columnsOfHeadings,
  dateFormats,
  delimiters,
  fixedWidthLayout,
  genericLayout,
  grains,
  iifLayout,
  layoutDraft,
  layoutKinds,
  signStyles,
  type LayoutKind,
  type UploadLayout,
} from '#contract/accounting-batches/upload-layout.ts'
import { ledgerFieldCalls } from '#contract/ledger/ledger-field.ts'
import type { SlotProps } from '../kernel/forms/entity-form.tsx'
import { apiQuery } from '../kernel/query.ts'
import { Button } from '../ui/button.tsx'
import { CheckboxField, SelectField } from '../ui/fields/choice-fields.tsx'
import { TextAreaField, TextField } from '../ui/fields/text-field.tsx'
import styles from './accounting-batches.module.css'
import { ColumnEditor } from './column-editor.tsx'
import { UploadPreview } from './upload-preview.tsx'

const starts: Readonly<Record<LayoutKind, UploadLayout>> = { delimited: genericLayout, fixed_width: fixedWidthLayout, iif: iifLayout }
const dateChoices = dateFormats.map((value) => ({ value, label: value }))

/** A layout's columns on the left, and on the right the file as the ledger will read it. */
export function LayoutEditor({ slot, clientId }: { slot: SlotProps; clientId: number }) {
  const layout = layoutOf(slot.value)
  const set = (change: Partial<UploadLayout>) => slot.onChange({ ...layout, ...change })
  const asked = useQuery(apiQuery(ledgerFieldCalls.selectOptions, { params: { client_id: clientId } }))
  const fields = asked.data?.ledger_fields ?? []
  const isIif = layout.kind === 'iif'
  return (
    <div className={styles.layout} data-wide>
      <div className={styles.layoutParts} role="group" aria-label="Layout of the file">
        <SelectField
          label="Format"
          value={layout.kind}
          options={layoutKinds}
          disabled={slot.disabled}
          // Another kind of file starts from its own sample, because columns without widths do not make a fixed-width file.
          onChange={(kind) => slot.onChange(layoutStarting(kind))}
        />
        <TextField
          label="File Name"
          value={layout.file_name}
          hint="May hold {batch_code}, {version}, {client}, {YYYY}, {MM}, {DD}"
          maxLength={100}
          onChange={(file_name) => set({ file_name })}
        />
        {layout.kind === 'delimited' && (
          <SelectField
            label="Delimiter"
            value={layout.delimiter}
            options={delimiters}
            onChange={(value) => set(layoutPart({ delimiter: value }))}
          />
        )}
        {!isIif && (
          <>
            <SelectField
              label="Dates"
              value={layout.date_format}
              options={dateChoices}
              onChange={(value) => set(layoutPart({ date_format: value }))}
            />
            <SelectField
              label="Negative Amounts"
              value={layout.sign_style}
              options={signStyles}
              onChange={(value) => set(layoutPart({ sign_style: value }))}
            />
            <SelectField
              label="One Row For Each"
              value={layout.grain}
              options={grains}
              onChange={(value) => set(layoutPart({ grain: value }))}
            />
            <CheckboxField label="Header row" checked={layout.header} onChange={(header) => set({ header })} />
            <CheckboxField
              label="Rows of accounts payable"
              checked={layout.include_payable}
              onChange={(include_payable) => set({ include_payable })}
            />
          </>
        )}
      </div>
      <LayoutProblems errors={slot.errors} />
      {isIif ? (
        <p className={styles.reason}>
          QuickBooks says itself which columns an IIF file has: one transaction for each bill, with its ledger lines.
        </p>
      ) : (
        <>
          <PasteHeadings onPaste={(pasted) => set({ columns: columnsOfHeadings(pasted, fields) })} />
          <ColumnEditor layout={layout} fields={fields} onChange={(columns) => set({ columns })} />
        </>
      )}
      <PreviewOfBatch layout={layout} clientId={clientId} />
    </div>
  )
}

/** Returns the layout in the form's value; if it cannot be read, a new layout. */
function layoutOf(value: unknown): UploadLayout {
  const read = layoutDraft.safeParse(value)
  return read.success ? read.data : genericLayout
}

function layoutStarting(kind: string): UploadLayout {
  const found = layoutKinds.find(({ value }) => value === kind)
  return found ? starts[found.value] : genericLayout
}

/** Parses the text of one choice into a part of the layout. */
function layoutPart(change: Record<string, string>): Partial<UploadLayout> {
  const read = layoutDraft.partial().safeParse(change)
  if (!read.success) return {}
  return Object.fromEntries(Object.entries(read.data).filter(([key]) => key in change))
}

function LayoutProblems({ errors }: { errors: SlotProps['errors'] }) {
  const found = Object.entries(errors).filter(([key]) => key === 'layout' || key.startsWith('layout.'))
  if (found.length === 0) return null
  return (
    <ul className={styles.problems} role="alert">
      {found.map(([key, message]) => (
        <li key={key}>{message}</li>
      ))}
    </ul>
  )
}

function PasteHeadings({ onPaste }: { onPaste: (pasted: string) => void }) {
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

function PreviewOfBatch({ layout, clientId }: { layout: UploadLayout; clientId: number }) {
  const [chosen, setChosen] = useState('')
  const query = { per: BATCHES_OFFERED, with_total: 'false' } as const
  const batches = useQuery(apiQuery(accountingBatchCalls.list, { params: { client_id: clientId }, query }))
  const offered = (batches.data?.accounting_batches ?? []).filter(({ bill_count }) => bill_count > 0)
  const id = chosen === '' ? offered[0]?.id : Number(chosen)
  return (
    <section className={styles.preview} aria-label="Preview">
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
