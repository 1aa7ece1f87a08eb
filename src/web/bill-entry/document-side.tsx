/** The copy of the bill beside its form, with the read values marked on it. */
import { memo, useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { billDetailCalls } from '#contract/bills/bill-detail-calls.ts'
import { DocumentPane, type PaneDocument } from '../document-pane/document-pane.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { confidentFrom } from '#contract/bill-reading/bill-reading.ts'
import styles from './bill-form.module.css'
import type { Proposals } from './apply-reading.ts'
import { fieldLabel } from './bill-words.ts'

/** The file's address is valid for five minutes, so it is requested again before that. */
const ADDRESS_FRESH_MS = 240_000

export interface DocumentSideProps {
  readonly document: PaneDocument
  readonly proposals: Proposals
  /** The path of the field that has the focus. */
  readonly here: string | null
  readonly onUndock: (undocked: boolean) => void
}

/** Rerenders, and updates its separate window, only when it shows something else. */
export const DocumentSide = memo(function DocumentSide({ document, proposals, here, onUndock }: DocumentSideProps) {
  const marks = useMemo(() => marksOf(proposals), [proposals])
  return (
    <DocumentPane
      className={styles.document}
      document={document}
      marks={marks}
      activeMark={here !== null && proposals[here] ? here : null}
      onPickMark={focusField}
      onUndock={onUndock}
    />
  )
})

function marksOf(proposals: Proposals) {
  return Object.entries(proposals).flatMap(([path, read]) =>
    read.place
      ? [{ id: path, ...read.place, label: fieldLabel(path.replace(/^lines\.[^.]+\./, '')), doubtful: read.confidence < confidentFrom }]
      : [],
  )
}

/** A stored copy, by its position on the bill. */
export const StoredDocument = memo(function StoredDocument(props: Omit<DocumentSideProps, 'document'> & StoredCopy) {
  const { clientId, billId, position, name, contentType, ...side } = props
  const params = { client_id: clientId, id: billId, position }
  const asked = useQuery({
    ...apiQuery(billDetailCalls.file, { params, query: { inline: 'true' } }),
    staleTime: ADDRESS_FRESH_MS,
    gcTime: ADDRESS_FRESH_MS,
  })
  return (
    <RecordGate asked={asked}>
      {({ url }) => <DocumentSide {...side} document={{ key: `bill ${billId} ${position}`, name, contentType, source: url }} />}
    </RecordGate>
  )
})

export interface StoredCopy {
  readonly clientId: number
  readonly billId: number
  readonly position: number
  readonly name: string
  readonly contentType: string
}

function focusField(path: string): void {
  const field = document.querySelector(`[data-path="${CSS.escape(path)}"] :is(input, select)`)
  if (field instanceof HTMLElement) field.focus()
}
