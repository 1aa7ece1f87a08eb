/** The lists of bills of a client and of all clients. */
import { bill, billListCalls } from '#contract/bill.ts'
import { useBillBulk } from './use-bill-bulk.tsx'
import { askListEarly } from '../kernel/list-early.ts'
import { ListPage } from '../kernel/list-page.tsx'
import { usePath, usePathId } from '../kernel/navigation.tsx'
import type { EarlyAddress } from '../kernel/page-route.ts'
import { useCan } from '../kernel/permissions.tsx'
import { Tabs } from '../ui/page-header.tsx'
import { BillFileButton } from './bill-file-button.tsx'
import { billActions, billCells, billLabelOf, billPageOf, useBillColumns } from './bill-columns.tsx'

/** The bills of the scoped client, beside the repository of their files. */
export function BillList() {
  const client_id = usePathId('client_id')
  const list = `/clients/${client_id}/bills`
  return (
    <>
      <BillTabs clientId={client_id} />
      <ListPage
        entity={bill}
        calls={billListCalls}
        params={{ client_id }}
        columns={useBillColumns('client')}
        cells={billCells}
        rowHref={billPageOf}
        rowLabel={billLabelOf}
        actions={billActions}
        addNew={{ href: `${list}/new`, may: 'bill.create' }}
        bulk={useBillBulk(client_id)}
        importHref={`${list}/import`}
        headerActions={<BillFileButton clientId={client_id} />}
      />
    </>
  )
}

/** Asks for the rows of `BillList` before it is drawn. */
export function askForBills({ params, search }: EarlyAddress): Promise<void> {
  return askListEarly(bill, { call: billListCalls.list, params: { client_id: Number(params['client_id']) } }, search)
}

/** The bills of every client that the person reaches. */
export function AllBills() {
  return (
    <ListPage
      entity={bill}
      calls={allCalls}
      columns={useBillColumns('all')}
      cells={billCells}
      rowHref={billPageOf}
      rowLabel={billLabelOf}
      actions={billActions}
      listName="all_bills"
    />
  )
}
const allCalls = { list: billListCalls.listAll, exportCsv: billListCalls.exportAll }

/** Bill List and, for whoever may enter bills, what waits to become one; for whoever may read it, the repository. */
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
