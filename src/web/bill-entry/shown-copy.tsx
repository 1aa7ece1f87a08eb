import { lazy, useMemo, useState } from 'react'
import type { PaneDocument } from '../document-pane/document-pane.tsx'
import type { Proposals } from './apply-reading.ts'
import type { FileValues } from './bill-values.ts'
import type { BillFormState } from './use-bill-form.ts'

const DocumentSide = lazy(() => import('./document-side.tsx').then((module) => ({ default: module.DocumentSide })))
const StoredDocument = lazy(() => import('./document-side.tsx').then((module) => ({ default: module.StoredDocument })))

/** Returns the copy beside the form: a file chosen here, a stored copy, or the scan that the bill is entered from. */
export function useShownCopy(form: BillFormState, scan: PaneDocument | undefined) {
  const { stored, values, entry } = form
  const [chosen, setChosen] = useState<string | null>(null)
  const [contents, setContents] = useState<ReadonlyMap<string, Blob>>(new Map())
  const [undocked, setUndocked] = useState(false)
  const file = values.files.find((one) => one.signed_id === chosen) ?? (scan ? undefined : values.files[0])
  const content = file && contents.get(file.signed_id)
  const uploaded = useMemo(
    () => file && content && { key: file.signed_id, name: file.filename, contentType: file.content_type, source: content },
    [file, content],
  )
  const position = stored?.files.find((one) => one.signed_id === file?.signed_id)?.position
  return {
    undocked,
    shown: file?.signed_id ?? null,
    show: (one: FileValues) => setChosen(one.signed_id),
    keep: (one: FileValues, blob: Blob) => {
      setContents((before) => new Map([...before, [one.signed_id, blob]]))
      setChosen(one.signed_id)
    },
    side: (props: { proposals: Proposals; here: string | null }) => {
      const shared = { ...props, onUndock: setUndocked }
      if (uploaded) return <DocumentSide {...shared} document={uploaded} />
      if (file && stored && position !== undefined)
        return (
          <StoredDocument
            {...shared}
            clientId={entry.client_id}
            billId={stored.id}
            position={position}
            name={file.filename}
            contentType={file.content_type}
          />
        )
      return scan ? <DocumentSide {...shared} document={scan} /> : null
    },
  }
}
