/** One page imports every kind: choose and check a file, review its rows, store them. */
import type { ComponentType } from 'react'
import { importKinds } from '#contract/imports/import.ts'
import { BackLink } from '../kernel/back-link.tsx'
import { ownMessages } from '../kernel/notices/messages.ts'
import { useOptionalPathId, useSearchText } from '../kernel/navigation.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { ImportDownloads, ImportGuide } from './import-guide.tsx'
import { ImportHistory } from './import-history.tsx'
import { ImportReport } from './import-report.tsx'
import { ImportStart } from './import-start.tsx'
import { listHref, type ImportTarget } from './import-targets.ts'
import { useClientKind } from './use-client-kind.ts'
import styles from './imports.module.css'

/** Returns the page of one kind. A started import has its id in the address, so that a reload returns to it. */
export function importPage(target: ImportTarget): ComponentType {
  return function ImportPage() {
    return <FileImport target={target} />
  }
}

/** The file import inside a page that also offers other sources. */
export function FileImport({ target }: { target: ImportTarget }) {
  const clientId = useOptionalPathId('client_id')
  const id = Number(useSearchText()['import'])
  return id > 0 ? <ImportReport key={id} target={target} clientId={clientId} id={id} /> : <NewImport target={target} clientId={clientId} />
}

function NewImport({ target, clientId }: { target: ImportTarget; clientId: number | undefined }) {
  const kind = useClientKind(importKinds[target.kind], clientId)
  return (
    <>
      <BackLink href={listHref(target, clientId)} />
      <PageHeader title={`Import ${kind.labels}`} actions={<ImportDownloads kind={kind} />} />
      <div className={styles.columns}>
        <div className={styles.side}>
          <p className={styles.warning} role="note">
            {ownMessages.import_warning}
          </p>
          <ImportStart target={target} clientId={clientId} />
          <ImportHistory target={target} clientId={clientId} />
        </div>
        <ImportGuide kind={kind} />
      </div>
    </>
  )
}
