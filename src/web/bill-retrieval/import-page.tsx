/** The page for importing bills: from a retrieval service or from a file. */
import { FileImport, importTargets } from '../imports/imports.ts'
import { usePathId, useSearchText } from '../kernel/navigation.tsx'
import { Tabs } from '../ui/page-header.tsx'
import { RetrievalPage } from './retrieval-page.tsx'

const target = importTargets.find(({ kind }) => kind === 'bills')

export function ImportBills() {
  const clientId = usePathId('client_id')
  const search = useSearchText()
  // The address of one import shows it, as links from notices and the history do.
  const isFile = search['from'] === 'file' || search['import'] !== undefined
  const here = `/clients/${clientId}/bills/import`
  const tabs = [
    { href: here, label: 'Retrieval service', current: !isFile },
    { href: `${here}?from=file`, label: 'CSV file', current: isFile },
  ]
  return (
    <>
      <Tabs label="Import bills from" items={tabs} />
      {isFile && target ? <FileImport target={target} /> : <RetrievalPage clientId={clientId} />}
    </>
  )
}
