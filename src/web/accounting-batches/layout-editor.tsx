import { useQuery } from '@tanstack/react-query'
import {
  delimiters,
  grains,
  layoutDraft,
  layoutKinds,
  signStyles,
  type LayoutKind,
  type UploadLayout,
} from '#contract/accounting-batches/upload-layout.ts'
import { dateFormats } from '#contract/accounting-batches/upload-column.ts'
import { columnsOfHeadings, fixedWidthLayout, genericLayout, iifLayout } from '#contract/accounting-batches/ready-layouts.ts'
import { ledgerFieldCalls } from '#contract/ledger/ledger-field.ts'
import type { SlotProps } from '../kernel/forms/entity-form.tsx'
import { apiQuery } from '../kernel/query.ts'
import { CheckboxField, SelectField } from '../ui/fields/choice-fields.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import layoutStyles from '../ui/layout-editor.module.css'
import styles from './accounting-batches.module.css'
import { ColumnEditor } from './column-editor.tsx'
import { PasteHeadings, PreviewOfBatch } from './layout-preview.tsx'

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
    <div className={layoutStyles.layout} data-wide>
      <div className={layoutStyles.parts} role="group" aria-label="Layout of the file">
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
    <ul className={layoutStyles.problems} role="alert">
      {found.map(([key, message]) => (
        <li key={key}>{message}</li>
      ))}
    </ul>
  )
}
