import { usePath } from '../kernel/navigation.tsx'
import { useCan } from '../kernel/permissions.tsx'
import { Tabs } from '../ui/page-header.tsx'

/** Tabs of a client's bills: the list and the findings, the inbox for users who may enter bills, and the repository for its readers. */
export function BillTabs({ clientId }: { clientId: number }) {
  const path = usePath()
  const reads = useCan('bill_document.read')
  const enters = useCan('bill.create')
  const list = `/clients/${clientId}/bills`
  const inbox = `${list}/inbox`
  const findings = `${list}/findings`
  const repository = `${list}/bill_document_repository`
  const tabs = [
    {
      href: list,
      label: 'Bill List',
      current: !path.startsWith(repository) && !path.startsWith(inbox) && !path.startsWith(findings) && path !== `${list}/dashboard`,
    },
    ...(enters ? [{ href: inbox, label: 'Inbox', current: path.startsWith(inbox) }] : []),
    { href: `${findings}?state=open`, label: 'Findings', current: path.startsWith(findings) },
    ...(reads ? [{ href: repository, label: 'Bill Document Repository', current: path.startsWith(repository) }] : []),
  ]
  return <Tabs label="Bills" items={tabs} />
}
