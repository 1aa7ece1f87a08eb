/** The window that shows only a document, which the form that opened it sends. */
import { useEffect, useRef, useState } from 'react'
import { usePageTitle } from '../kernel/page-title.ts'
import { DocumentViewer } from '../ui/preview/document-viewer.tsx'
import { EmptyState } from '../ui/states.tsx'
import { sendOver, toWindow, type ShownDocument } from './document-link.ts'
import { useDocumentZoom } from './document-pane.tsx'
import styles from './document-pane.module.css'

export function DocumentWindow() {
  const [document, setDocument] = useState<ShownDocument>()
  const [zoom, setZoom] = useDocumentZoom()
  const channel = useRef<BroadcastChannel>(null)
  useEffect(() => {
    const name = new URLSearchParams(window.location.search).get('channel')
    if (name === null) return undefined
    const opened = new BroadcastChannel(name)
    channel.current = opened
    opened.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const heard = toWindow.safeParse(data)
      if (!heard.success) return
      if (heard.data.say === 'show') setDocument(heard.data.document)
      else window.close()
    })
    sendOver(opened, { say: 'hello' })
    const leave = () => sendOver(opened, { say: 'closed' })
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      opened.close()
    }
  }, [])
  usePageTitle(document?.name)
  return (
    <>
      <h1 className="sr-only">{document?.name ?? 'Document'}</h1>
      {document ? (
        <DocumentViewer
          key={document.key}
          className={styles.window}
          source={document.source}
          name={document.name}
          contentType={document.contentType}
          pages={document.pages}
          marks={document.marks}
          activeMark={document.activeMark}
          onPickMark={(id) => channel.current && sendOver(channel.current, { say: 'picked', id })}
          zoom={zoom}
          onZoom={setZoom}
        />
      ) : (
        <EmptyState title="No document is shown">This window follows a bill’s form. Open it from there.</EmptyState>
      )}
    </>
  )
}
