/** The four alert lists of a client, their files and their counts. */
import {
  alertCountCalls,
  alertCounts,
  billableAccountAlert,
  estimatedCalls,
  missingBillableCalls,
  missingSupplyCalls,
  pastDueBill,
  pastDueCalls,
  supplyAccountAlert,
  type AlertCounts,
  type BillableAccountAlert,
  type SupplyAccountAlert,
} from '#contract/alerts/alert.ts'
import { alerts, type AlertKey } from '#contract/alerts/alert-names.ts'
import type { Permission } from '#contract/kernel/permission.ts'
import type { ListInput } from '#contract/kernel/query.ts'
import { billSource, listBills } from '../bills/bills.ts'
import { type AccountKind, lastBillFiles } from '../estate/estate.ts'
import { today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { startExport } from '../kernel/lists/export.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { readPage, type Asked, type Source } from '../kernel/lists/list.ts'
import { mayIn, reachOf } from '../kernel/principal.ts'
import { forbidden } from '../kernel/problem.ts'
import { checkedQuery, registered } from '../kernel/lists/sources.ts'
import { estimatedInARow, longPastDue, withoutBill } from './alert-rules.ts'
import { accountAlertSource } from './alert-sources.ts'

const labelOf = (key: AlertKey) => alerts.find((one) => one.key === key)?.label ?? key

const sources: Readonly<Record<AlertKey, Source>> = {
  billable_accounts_missing_bills: listed('billable_accounts_missing_bills', accountAlertSource('billable_account', billableAccountAlert)),
  supply_accounts_missing_bills: listed('supply_accounts_missing_bills', accountAlertSource('supply_account', supplyAccountAlert)),
  billable_accounts_consecutive_estimations: listed(
    'billable_accounts_consecutive_estimations',
    accountAlertSource('billable_account', billableAccountAlert),
  ),
  past_due_bills: listed('past_due_bills', { ...billSource, entity: pastDueBill }),
}

/** Each list has its own name, because an export's job finds the list by it. */
function listed(key: AlertKey, source: Source): Source {
  const own = { ...source, entity: { ...source.entity, plural: key, labels: labelOf(key) } }
  registered.set(key, own)
  return own
}

export const alertHandlers: readonly Handler[] = [
  handle(missingBillableCalls.list, async (context, { params, query }) => {
    const { rows, total } = await accountRows<BillableAccountAlert>(context, 'billable_accounts_missing_bills', params.client_id, query)
    return { billable_accounts: rows, total }
  }),
  handle(missingSupplyCalls.list, async (context, { params, query }) => {
    const { rows, total } = await accountRows<SupplyAccountAlert>(context, 'supply_accounts_missing_bills', params.client_id, query)
    return { supply_accounts: rows, total }
  }),
  handle(estimatedCalls.list, async (context, { params, query }) => {
    const { rows, total } = await accountRows<BillableAccountAlert>(
      context,
      'billable_accounts_consecutive_estimations',
      params.client_id,
      query,
    )
    return { billable_accounts: rows, total }
  }),
  handle(pastDueCalls.list, (context, { params, query }) => {
    const { defaultSort } = pastDueBill.list
    return listBills(context, { ...query, q: { s: defaultSort, ...query.q } }, askedOf(context, 'past_due_bills', params.client_id))
  }),
  ...exportHandlers(),
  handle(alertCountCalls.counts, async (context, { params }) => ({ counts: await countAll(context, params.client_id) })),
]

/** The kind of account of each list; null for bills. */
const kinds: Readonly<Record<AlertKey, AccountKind | null>> = {
  billable_accounts_missing_bills: 'billable_account',
  supply_accounts_missing_bills: 'supply_account',
  billable_accounts_consecutive_estimations: 'billable_account',
  past_due_bills: null,
}

/** Returns the parameters of a list: the reach of its permission, and its rule for this day. */
function askedOf({ principal }: Context, key: AlertKey, clientId: number): Asked {
  const reach = reachOf(principal, mayOf(key))
  return { reach, clientId, ...ruleOf(key, clientId) }
}

function ruleOf(key: AlertKey, clientId: number): Pick<Asked, 'where' | 'whereKey'> {
  const on = today()
  switch (key) {
    case 'billable_accounts_missing_bills':
      return withoutBill.billable_account({ on })
    case 'supply_accounts_missing_bills':
      return withoutBill.supply_account({ on })
    case 'billable_accounts_consecutive_estimations':
      return estimatedInARow({ on, client_id: clientId })
    case 'past_due_bills':
      return longPastDue({ on })
  }
}

function mayOf(key: AlertKey): Permission {
  return `${alerts.find((one) => one.key === key)?.model ?? 'bill'}.read`
}

/** Account alerts reveal bills, so they require the right to read bills. */
function mustReadBills({ principal }: Context, clientId: number): void {
  if (!mayIn(principal, 'bill.read', clientId)) throw forbidden()
}

async function accountRows<R extends { readonly id: number; readonly client_id: number; readonly last_bill_file_url: string | null }>(
  context: Context,
  key: AlertKey,
  clientId: number,
  input: ListInput,
): Promise<{ rows: R[]; total: number | undefined }> {
  mustReadBills(context, clientId)
  const { rows, total } = await readPage<R>(context.tx, sources[key], checkedQuery(sources[key], input), askedOf(context, key, clientId))
  const files = await lastBillFiles(context.tx, kinds[key] ?? 'billable_account', rows, reachOf(context.principal, 'bill.read'))
  return { rows: rows.map((row) => ({ ...row, last_bill_file_url: files.get(row.id) ?? null })), total }
}

function exportHandlers(): Handler[] {
  const calls = [missingBillableCalls, missingSupplyCalls, estimatedCalls, pastDueCalls]
  return alerts.map(({ key }, at) => {
    const call = calls[at]?.exportCsv
    if (!call) throw new Error(`${key} has no export`)
    return handle(call, async (context, { params, query }) => {
      mustReadBills(context, params.client_id)
      return startExport(context, sources[key], query, askedOf(context, key, params.client_id))
    })
  })
}

/** Counts are cached like those of every list, so the tabs cost nothing while nothing changes. */
async function countAll(context: Context, clientId: number): Promise<AlertCounts> {
  const counted: Partial<AlertCounts> = {}
  for (const { key } of alerts) {
    const may = mayIn(context.principal, mayOf(key), clientId) && mayIn(context.principal, 'bill.read', clientId)
    const query = checkedQuery(sources[key], { with_rows: false })
    counted[key] = may ? ((await readPage(context.tx, sources[key], query, askedOf(context, key, clientId))).total ?? 0) : null
  }
  return alertCounts.parse(counted)
}
