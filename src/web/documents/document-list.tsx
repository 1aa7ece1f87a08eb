import { useMemo, useState } from 'react'
import { document, type Document } from '#contract/documents/document.ts'
import { documentCalls } from '#contract/documents/document-calls.ts'
import { DeleteItem } from '../kernel/lists/delete-item.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { Can } from '../kernel/permissions.tsx'
import { sizeText } from '../ui/fields/file-field.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { EmptyState } from '../ui/states.tsx'
import {
  useBillableAccountPlace,
  useClientPlace,
  useDivisionPlace,
  useFacilityPlace,
  useSupplyAccountPlace,
  type DocumentPlace,
} from './document-places.tsx'
import { DocumentPreview } from './document-preview.tsx'
import { downloadHref, kindLabel } from './document-words.ts'
import styles from './documents.module.css'

export function ClientDocuments() {
  return <DocumentList place={useClientPlace()} />
}

export function DivisionDocuments() {
  return <DocumentList place={useDivisionPlace()} />
}

export function FacilityDocuments() {
  return <DocumentList place={useFacilityPlace()} />
}

export function BillableAccountDocuments() {
  return <DocumentList place={useBillableAccountPlace()} />
}

export function SupplyAccountDocuments() {
  return <DocumentList place={useSupplyAccountPlace()} />
}

/** The documents of exactly one record. A row opens its preview in place. */
function DocumentList({ place: { clientId, type, id, update, at, header } }: { place: DocumentPlace }) {
  const [openId, setOpenId] = useState<number | null>(null)
  const params = useMemo(() => ({ client_id: clientId }), [clientId])
  const query = useMemo(() => ({ type, id }), [type, id])
  const cells = useMemo(() => cellsWith(setOpenId), [])
  return (
    <>
      {header}
      <ListPage
        entity={document}
        calls={documentCalls}
        params={params}
        query={query}
        columns={columns}
        cells={cells}
        rowLabel={titleOf}
        onOpen={(row) => setOpenId(row.id)}
        addNew={{ href: `${at}/new`, may: update }}
        actions={(row) => (
          <>
            <MenuItem onSelect={() => setOpenId(row.id)} keys="space">
              Preview
            </MenuItem>
            <MenuItem href={downloadHref(row)}>Download</MenuItem>
            <Can do={update}>
              <MenuItem href={`${at}/${row.id}/edit`}>Edit</MenuItem>
              <DeleteItem call={documentCalls.destroy} params={{ id: row.id }} name={row.title} />
            </Can>
          </>
        )}
        empty={
          <EmptyState title="No documents are kept here yet">Contracts, tariffs and letters can be kept beside the record.</EmptyState>
        }
        beside={(rows) => <DocumentPreview rows={rows} openId={openId} onOpen={setOpenId} />}
      />
    </>
  )
}

const columns = [
  { key: 'title', width: 260 },
  { key: 'filename', width: 240 },
  { key: 'content_type', width: 90, grow: false },
  { key: 'byte_size', width: 90, filter: undefined },
  { key: 'created_at', width: 116, grow: false },
  { key: 'updated_at', width: 116, grow: false },
  { key: 'created_by_name', width: 160 },
] as const

function cellsWith(open: (id: number) => void) {
  return {
    title: (row: Document) => (
      <button type="button" className={styles.open} tabIndex={-1} onClick={() => open(row.id)}>
        {row.title}
      </button>
    ),
    content_type: kindLabel,
    byte_size: (row: Document) => sizeText(row.byte_size),
  }
}

function titleOf(row: Document): string {
  return row.title
}
