import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { documentDraft, type Document, type DocumentForm as Fields } from '#contract/documents/document.ts'
import { documentCalls } from '#contract/documents/document-calls.ts'
import type { Result } from '#contract/kernel/call.ts'
import { acceptOf, uploadBytesMax, uploadKindNames } from '#contract/uploads/upload-kinds.ts'
import { callWith } from '../kernel/api.ts'
import { EntityForm, type SlotProps } from '../kernel/forms/entity-form.tsx'
import { messages } from '../kernel/notices/messages.ts'
import { useOptionalPathId } from '../kernel/navigation.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { FileField } from '../ui/fields/file-field.tsx'
import {
  useBillableAccountPlace,
  useClientPlace,
  useDivisionPlace,
  useFacilityPlace,
  useSupplyAccountPlace,
  type DocumentPlace,
} from './document-places.tsx'
import { downloadHref } from './document-words.ts'
import styles from './documents.module.css'

export function ClientDocument() {
  return <DocumentPage place={useClientPlace()} />
}

export function DivisionDocument() {
  return <DocumentPage place={useDivisionPlace()} />
}

export function FacilityDocument() {
  return <DocumentPage place={useFacilityPlace()} />
}

export function BillableAccountDocument() {
  return <DocumentPage place={useBillableAccountPlace()} />
}

export function SupplyAccountDocument() {
  return <DocumentPage place={useSupplyAccountPlace()} />
}

/** The form of a new document, or of the one that the address names. */
function DocumentPage({ place }: { place: DocumentPlace }) {
  const id = useOptionalPathId('document_id')
  return id === undefined ? <DocumentForm place={place} /> : <EditDocument place={place} id={id} />
}

function EditDocument({ place, id }: { place: DocumentPlace; id: number }) {
  const asked = useQuery(apiQuery(documentCalls.get, { params: { id } }))
  return <RecordGate asked={asked}>{(found) => <DocumentForm place={place} row={found.document} />}</RecordGate>
}

const sections = [{ fields: ['title', 'file'], columns: 1 }] as const
/** The uploaded share of the file, from 0 to 1; null while nothing is being sent. */
type Sending = number | null

function DocumentForm({ place: { clientId, type, id, at }, row }: { place: DocumentPlace; row?: Document }) {
  const [sending, setSending] = useState<Sending>(null)
  const [failed, setFailed] = useState(false)
  const sent = async (work: (onProgress: (share: number) => void) => Promise<Result>): Promise<Result> => {
    setFailed(false)
    try {
      return await work(setSending)
    } catch (error) {
      setFailed(true)
      throw error
    } finally {
      setSending(null)
    }
  }
  return (
    <EntityForm
      entity={documentDraft}
      row={row}
      params={{ client_id: clientId }}
      create={({ document: draft }, intent) =>
        sent((onProgress) => {
          const body = { document: { ...fieldsOf(draft), attachable_type: type, attachable_id: id } }
          return callWith(documentCalls.create, { params: { client_id: clientId }, body, intent, onProgress })
        })
      }
      update={(documentId, { document: draft }) =>
        sent((onProgress) => {
          const body = { document: fieldsOf(draft) }
          return callWith(documentCalls.update, { params: { id: documentId }, body, onProgress })
        })
      }
      load={async (documentId) => (await callWith(documentCalls.get, { params: { id: documentId } })).document}
      check={({ file }) => faultsOf(file, row)}
      sections={sections}
      slots={{ file: (slot) => <DocumentFile {...slot} row={row} /> }}
      backHref={at}
    >
      {sending !== null && (
        <p className={styles.progress}>
          <progress aria-label="Upload" max={1} value={sending} />
          <span className="num">{Math.floor(sending * 100)}%</span>
        </p>
      )}
      {failed && (
        <p role="alert" className={styles.failed}>
          {messages.document_save_failed}
        </p>
      )}
    </EntityForm>
  )
}

/** One file, chosen or dropped; while none is chosen, the stored one is named. */
function DocumentFile({ value, error, disabled, values, setValues, row }: SlotProps & { row: Document | undefined }) {
  return (
    <FileField
      label="File"
      required
      accept={acceptOf(uploadKindNames)}
      files={value instanceof File ? [value] : []}
      current={row ? { name: row.filename, href: downloadHref(row) } : undefined}
      disabled={disabled}
      error={error}
      onChange={([chosen]) => setValues({ file: chosen, ...titleOf(chosen, values['title']) })}
    />
  )
}

/** A document without a title takes the name of its file. */
function titleOf(file: File | undefined, title: unknown): { title?: string } {
  return file && (title === undefined || title === '') ? { title: file.name.replace(/\.[^.]+$/, '') } : {}
}

function faultsOf(file: unknown, row: Document | undefined): Readonly<Record<string, string>> {
  if (!(file instanceof File)) return row ? {} : { file: 'File is required' }
  if (file.size === 0) return { file: 'The file is empty.' }
  return file.size > uploadBytesMax ? { file: `The file has more than ${Math.floor(uploadBytesMax / 1_048_576)} MB.` } : {}
}

/** A kept draft has no file, because browsers cannot keep one. */
function fieldsOf(draft: unknown): Fields {
  const known = new Map<string, unknown>(typeof draft === 'object' && draft !== null ? Object.entries(draft) : [])
  const [title, file, version] = [known.get('title'), known.get('file'), known.get('lock_version')]
  return {
    ...(typeof title === 'string' ? { title } : {}),
    ...(file instanceof File ? { file } : {}),
    ...(typeof version === 'number' ? { lock_version: version } : {}),
  }
}
