import { usePath } from '../kernel/navigation.tsx'
import { useCan } from '../kernel/permissions.tsx'
import { Breadcrumbs, Tabs } from '../ui/page-header.tsx'

/** The header of a client's ledger: tabs of its two lists, and the breadcrumbs of a record's page. */
export function LedgerTabs({ clientId, record }: { clientId: number; record?: string | undefined }) {
  const path = usePath()
  const fields = useCan('ledger_field.read')
  const accounts = useCan('ledger_account.read')
  const at = `/clients/${clientId}`
  const tabs = [
    ...(fields ? [{ href: `${at}/ledger_fields`, label: 'Ledger Fields' }] : []),
    ...(accounts ? [{ href: `${at}/ledger_accounts`, label: 'Ledger Accounts' }] : []),
  ]
  const current = tabs.find((tab) => path.startsWith(tab.href))
  return (
    <>
      {record !== undefined && current && <Breadcrumbs items={[current, { label: record }]} />}
      <Tabs label="Ledger" items={tabs.map((tab) => ({ ...tab, current: tab === current }))} />
    </>
  )
}
