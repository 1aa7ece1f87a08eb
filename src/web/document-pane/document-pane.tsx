/** The document beside a form: read values are marked on it, and it can be moved to a separate window. */
import { useEffect, useMemo, useState, type ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { authCalls } from '#contract/access/auth.ts'
import { changePreferences, preferencesOf } from '../kernel/preferences.ts'
import { apiQuery } from '../kernel/query.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { DocumentViewer, type DocumentMark } from '../ui/preview/document-viewer.tsx'
import type { DocumentViewerProps } from '../ui/preview/viewer-place.ts'
import { EmptyState, ErrorState, Skeleton } from '../ui/states.tsx'
import type { Zoom } from '../ui/preview/zoom.ts'
import styles from './document-pane.module.css'
import { useDocumentLink, type ShownDocument } from './document-link.ts'

export interface PaneDocument {
  /** A different key means a different document. */
  readonly key: string
  readonly name: string
  readonly contentType: string
  /** An address that needs no credentials and is valid when the document is first shown, or a chosen file that is not uploaded yet. */
  readonly source: string | Blob
  /** The relevant pages of the file. */
  readonly pages?: { readonly from: number; readonly to: number } | undefined
}

export interface DocumentPaneProps {
  readonly document: PaneDocument
  /** Places of read values, in fractions of the page. */
  readonly marks?: readonly DocumentMark[] | undefined
  /** The mark of the focused field, which is scrolled to. */
  readonly activeMark?: string | null | undefined
  /** Called when a mark is clicked, to focus its field. */
  readonly onPickMark?: ((id: string) => void) | undefined
  /** Called with whether the document is in its own window, so that the form can use its space. */
  readonly onUndock?: ((undocked: boolean) => void) | undefined
  readonly tools?: ReactNode
  readonly className?: string | undefined
}

const none: readonly DocumentMark[] = []

/** Fills the height of its container. */
export function DocumentPane(props: DocumentPaneProps) {
  const { document, marks = none, activeMark = null, onPickMark, onUndock, tools, className } = props
  const asked = useBytes(document)
  const { data: source } = asked
  const shown = useMemo<ShownDocument | undefined>(
    () =>
      source && {
        key: document.key,
        name: document.name,
        contentType: document.contentType,
        source,
        pages: document.pages,
        marks,
        activeMark,
      },
    [source, document.key, document.name, document.contentType, document.pages, marks, activeMark],
  )
  const { open, undock, dock } = useDocumentLink(shown, (id) => onPickMark?.(id))
  const [refused, setRefused] = useState(false)
  const [zoom, setZoom] = useDocumentZoom()
  useEffect(() => onUndock?.(open), [open, onUndock])
  if (asked.error) return <LostDocument error={asked.error} onRetry={() => void asked.refetch()} />
  if (!source) return <Skeleton height={400} />
  if (open)
    return (
      <aside className={cx(styles.outside, className)} aria-label="Document">
        <EmptyState
          title="The document is in its own window"
          actions={
            <Button small onClick={dock}>
              Show it here again
            </Button>
          }
        />
      </aside>
    )
  return (
    <aside className={cx(styles.pane, className)} aria-label="Document">
      {refused && <p role="alert">The browser did not let the window open. Allow windows of this site, and try again.</p>}
      <PaneViewer
        document={document}
        source={source}
        marks={marks}
        activeMark={activeMark}
        onPickMark={onPickMark}
        zoom={zoom}
        onZoom={setZoom}
        tools={
          <>
            {tools}
            <IconButton
              small
              label="Open in its own window"
              icon={<ExternalLink size={14} aria-hidden="true" />}
              onClick={() => setRefused(!undock())}
            />
          </>
        }
      />
    </aside>
  )
}

/** For two documents side by side, neither of which can move to the separate window, because there is only one per tab. */
export function StayingPane({ document, tools, className }: Pick<DocumentPaneProps, 'document' | 'tools' | 'className'>) {
  const asked = useBytes(document)
  const [zoom, setZoom] = useDocumentZoom()
  if (asked.error) return <LostDocument error={asked.error} onRetry={() => void asked.refetch()} />
  if (!asked.data) return <Skeleton height={400} />
  return (
    <aside className={cx(styles.pane, className)} aria-label={document.name}>
      <PaneViewer document={document} source={asked.data} zoom={zoom} onZoom={setZoom} tools={tools} />
    </aside>
  )
}

type PaneViewerProps = Pick<DocumentPaneProps, 'document' | 'marks' | 'activeMark' | 'onPickMark' | 'tools'> &
  Pick<DocumentViewerProps, 'zoom' | 'onZoom'> & { readonly source: Blob }

function PaneViewer({ document, ...props }: PaneViewerProps) {
  return (
    <DocumentViewer
      key={document.key}
      className={styles.viewer}
      name={document.name}
      contentType={document.contentType}
      pages={document.pages}
      {...props}
    />
  )
}

function LostDocument({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return <ErrorState title="The document could not be loaded" message={error.message} onRetry={onRetry} />
}

/** Loads the bytes once, because the address is valid for minutes only and the document is viewed for longer. */
function useBytes({ key, source }: PaneDocument) {
  return useQuery({
    queryKey: ['document_bytes', key],
    queryFn: async ({ signal }) => {
      if (typeof source !== 'string') return source
      const answer = await fetch(source, { signal })
      if (!answer.ok) throw new Error('The address of the document is over. Please open the page again.')
      return answer.blob()
    },
    staleTime: Infinity,
    gcTime: 0,
    retry: 1,
  })
}

/** Time (ms) without a change after which a zoom is saved. */
const KEEP_AFTER_MS = 800

/** Returns the user's last zoom, on any machine. */
export function useDocumentZoom(): readonly [Zoom, (zoom: Zoom) => void] {
  const { data } = useQuery(apiQuery(authCalls.profile, {}))
  const [changed, setChanged] = useState<Zoom>()
  useEffect(() => {
    if (changed === undefined) return undefined
    const timer = setTimeout(() => void changePreferences({ document_zoom: changed }), KEEP_AFTER_MS)
    return () => clearTimeout(timer)
  }, [changed])
  return [changed ?? preferencesOf(data?.user).document_zoom, setChanged]
}
