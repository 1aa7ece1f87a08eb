/** The four alert lists of a client. A list that fails to load shows that in its place without a notice; the failure is logged. */
import { useMemo } from 'react'
import {
  billableAccountAlert,
  estimatedCalls,
  missingBillableCalls,
  missingSupplyCalls,
  pastDueBill,
  pastDueCalls,
  supplyAccountAlert,
  type AlertCalls,
  type BillableAccountAlert,
  type SupplyAccountAlert,
} from '#contract/alerts/alert.ts'
import { alerts, type AlertKey } from '#contract/alerts/alert-names.ts'
import { billActions, billLabelOf, billPageOf, useBillColumns } from '../bills/bills.ts'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { usePathId } from '../kernel/navigation.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { EmptyState } from '../ui/states.tsx'
import styles from './alerts.module.css'
import { AlertTabs } from './alert-tabs.tsx'
import { billableColumns, billableCells, supplyColumns, supplyCells, pastDueCells } from './alert-columns.tsx'

export function MissingBillableBills() {
  return <BillableAlert alert="billable_accounts_missing_bills" calls={missingBillableCalls} />
}

export function ConsecutiveEstimations() {
  return <BillableAlert alert="billable_accounts_consecutive_estimations" calls={estimatedCalls} />
}

function BillableAlert({ alert, calls }: { alert: AlertKey; calls: AlertCalls<'billable_accounts', BillableAccountAlert> }) {
  const { client_id, params, entity, title } = useAlert(alert, billableAccountAlert)
  return (
    <>
      <AlertTabs clientId={client_id} />
      <Meaning of={alert} />
      <ListPage
        entity={entity}
        calls={calls}
        params={params}
        columns={billableColumns}
        cells={billableCells}
        title={title}
        rowHref={billableHref}
        rowLabel={accountLabel}
        actions={billableActions}
        listName={alert}
        empty={<Nothing />}
      />
    </>
  )
}

export function MissingSupplyBills() {
  const alert = 'supply_accounts_missing_bills'
  const { client_id, params, entity, title } = useAlert(alert, supplyAccountAlert)
  return (
    <>
      <AlertTabs clientId={client_id} />
      <Meaning of={alert} />
      <ListPage
        entity={entity}
        calls={missingSupplyCalls}
        params={params}
        columns={supplyColumns}
        cells={supplyCells}
        title={title}
        rowHref={supplyHref}
        rowLabel={accountLabel}
        actions={supplyActions}
        listName={alert}
        empty={<Nothing />}
      />
    </>
  )
}

export function PastDueBills() {
  const alert = 'past_due_bills'
  const { client_id, params, entity, title } = useAlert(alert, pastDueBill)
  return (
    <>
      <AlertTabs clientId={client_id} />
      <Meaning of={alert} />
      <ListPage
        entity={entity}
        calls={pastDueCalls}
        params={params}
        columns={usePastDueColumns()}
        cells={pastDueCells}
        title={title}
        rowHref={billPageOf}
        rowLabel={billLabelOf}
        actions={billActions}
        listName={alert}
        empty={<Nothing />}
      />
    </>
  )
}

/** Each bill has at least one badge beside its status, so the other columns are narrower. */
function usePastDueColumns() {
  const columns = useBillColumns('client')
  return useMemo(
    () => columns.map((wish) => (typeof wish === 'string' ? wish : { ...wish, width: pastDueWidths[wish.key] ?? wish.width })),
    [columns],
  )
}
const pastDueWidths: Readonly<Record<string, number>> = {
  vendor_name: 114,
  account_number: 152,
  full_status: 188,
}

/** The notice of an export names the list by its title. */
function useAlert<E extends { readonly labels: string }>(alert: AlertKey, of: E) {
  const client_id = usePathId('client_id')
  const { label } = meaningOf(alert)
  const params = useMemo(() => ({ client_id }), [client_id])
  const entity = useMemo(() => ({ ...of, labels: label }), [of, label])
  return { client_id, params, entity, title: label }
}

function meaningOf(alert: AlertKey): { readonly label: string; readonly means: string } {
  return alerts.find(({ key }) => key === alert) ?? alerts[0]
}

function Meaning({ of }: { of: AlertKey }) {
  return <p className={styles.meaning}>{meaningOf(of).means}</p>
}

function Nothing() {
  return <EmptyState title="Nothing to look at">No record of this client is in this state today.</EmptyState>
}

const accountLabel = ({ account_number, name }: { account_number: string; name: string }) => `${account_number} ${name}`
const billableHref = ({ client_id, id }: BillableAccountAlert) => `/clients/${client_id}/billable_accounts/${id}/dashboard`
const supplyHref = ({ client_id, id }: SupplyAccountAlert) => `/clients/${client_id}/supply_accounts/${id}/dashboard`

function billableActions({ client_id, id }: BillableAccountAlert) {
  const at = `/clients/${client_id}/billable_accounts/${id}`
  return (
    <>
      <MenuItem href={`${at}/dashboard`}>View account</MenuItem>
      <MenuItem href={`${at}/bills`}>Bills</MenuItem>
    </>
  )
}

function supplyActions({ client_id, id }: SupplyAccountAlert) {
  const at = `/clients/${client_id}/supply_accounts/${id}`
  return (
    <>
      <MenuItem href={`${at}/dashboard`}>View account</MenuItem>
      <MenuItem href={`${at}/bills`}>Bills</MenuItem>
    </>
  )
}
