/** Where bills come in from outside: the retrieval service, and beside it a file. */
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

/** The file import is a page of its own that is still to come; until then this place says so and does nothing. */
function FileImport() {
  return (
    <>
      <PageHeader title="Import bills from a CSV file" />
      <EmptyState title="This import is not there yet">
        Bills will be imported from a CSV file here. Nothing can be done here today; statements come from the retrieval service.
      </EmptyState>
    </>
  )
}
