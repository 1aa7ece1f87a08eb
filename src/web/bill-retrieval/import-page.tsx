/** Where bills come in from outside: the retrieval service, and beside it a file. */
import { importKinds } from '#contract/import.ts'
import { ImportDownloads, ImportGuide } from '../imports/import-guide.tsx'
import { usePathId, useSearchText } from '../kernel/navigation.tsx'
import { PageHeader, Tabs } from '../ui/page-header.tsx'
import { EmptyState } from '../ui/states.tsx'
import { RetrievalPage } from './retrieval-page.tsx'

export function ImportBills() {
  const clientId = usePathId('client_id')
  const isFile = useSearchText()['from'] === 'file'
  const here = `/clients/${clientId}/bills/import`
  const tabs = [
    { href: here, label: 'Retrieval service', current: !isFile },
    { href: `${here}?from=file`, label: 'CSV file', current: isFile },
  ]
  return (
    <>
      <Tabs label="Import bills from" items={tabs} />
      {isFile ? <FileImport /> : <RetrievalPage clientId={clientId} />}
    </>
  )
}

/** What a file will hold is settled; that it is read comes with the form of bills, whose rules it shares. Nothing here pretends to take one. */
function FileImport() {
  return (
    <>
      <PageHeader title="Import bills from a CSV file" actions={<ImportDownloads kind={importKinds.bills} />} />
      <EmptyState title="Bills cannot be imported from a file yet">
        Prepare a file by the guide below; until it can be taken, bills come from the retrieval service.
      </EmptyState>
      <ImportGuide kind={importKinds.bills} />
    </>
  )
}
