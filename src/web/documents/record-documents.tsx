import { useState, type ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { AttachableType, Document } from '#contract/documents/document.ts'
import { documentCalls } from '#contract/documents/document-calls.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { sizeText } from '../ui/fields/file-field.tsx'
import { UiLink } from '../ui/link.tsx'
import { Missing } from '../ui/status.tsx'
import { DocumentPreview } from './document-preview.tsx'
import { downloadHref, kindLabel } from './document-words.ts'
import styles from './documents.module.css'

/** Maximum number of documents shown beside other content; the record's own page shows all. */
const SHOWN_MAX = 100

export interface RecordDocumentsProps {
  readonly clientId: number
  readonly type: AttachableType
  readonly id: number
  /** The record's noun in the heading: 'account'. */
  readonly of: string
  /** Shown beside the heading. */
  readonly tools?: ReactNode
}

/** The documents of a record, read-only: to view and to download. */
export function RecordDocuments({ clientId, type, id, of, tools }: RecordDocumentsProps) {
  const asked = useQuery(apiQuery(documentCalls.list, { params: { client_id: clientId }, query: { type, id, per: SHOWN_MAX } }))
  return (
    <section className={styles.beside} aria-label={`Documents of the ${of}`}>
      <h2 className={styles.heading}>Documents of the {of}</h2>
      {tools}
      <RecordGate asked={asked}>{({ documents }) => <DocumentTable rows={documents} of={of} />}</RecordGate>
    </section>
  )
}

function DocumentTable({ rows, of }: { rows: readonly Document[]; of: string }) {
  const [openId, setOpenId] = useState<number | null>(null)
  if (rows.length === 0) return <p className={styles.quiet}>No documents are kept at this {of}.</p>
  return (
    <>
      <table className={styles.table} aria-label={`Documents of the ${of}`}>
        <thead>
          <tr>
            <th scope="col">Title</th>
            <th scope="col">File Name</th>
            <th scope="col">Type</th>
            <th scope="col">Size</th>
            <th scope="col">Created</th>
            <th scope="col">Uploaded By</th>
            <th scope="col">
              <span className="sr-only">Download</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <DocumentRow key={row.id} row={row} onOpen={setOpenId} />
          ))}
        </tbody>
      </table>
      <DocumentPreview rows={rows} openId={openId} onOpen={setOpenId} />
    </>
  )
}

function DocumentRow({ row, onOpen }: { row: Document; onOpen: (id: number) => void }) {
  return (
    <tr>
      <th scope="row">
        <button type="button" className={styles.open} onClick={() => onOpen(row.id)}>
          {row.title}
        </button>
      </th>
      <td>{row.filename}</td>
      <td>{kindLabel(row)}</td>
      <td className="num">{sizeText(row.byte_size)}</td>
      <td className="num">{formatDate(todayIn(NEW_YORK, row.created_at))}</td>
      <td>{row.created_by_name ?? <Missing />}</td>
      <td>
        <UiLink href={downloadHref(row)} aria-label={`Download ${row.title}`}>
          Download
        </UiLink>
      </td>
    </tr>
  )
}
