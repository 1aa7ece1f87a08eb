/**
 * The source of inbox documents, and their visibility: roles for the whole client see all, narrowed ones those of accounts that they reach.
 */
import { billScan, type ScanShelf, scanShelves } from '#contract/bill-scans/bill-scan.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { z } from 'zod'
import { billableAccountScope, supplyAccountScope } from '../estate/estate.ts'
import { defineWhere } from '../kernel/lists/export.ts'
import { or, type Condition, type ScopeLevel, type ScopeRule } from '../kernel/lists/list.ts'
import { resource } from '../kernel/lists/resource.ts'
import { sameBill, sameScan } from './same-documents.ts'
import { nameOfUser } from '../kernel/lists/name-of-user.ts'

const isOneBill = sql<SqlBool>`(bill_scans.cut_from is null and bill_scans.bills_inside <= 1)`

/**
 * The account of a document is known once it is read; until then it belongs to the client. So does one that shows more bills than those of
 * its account: a part that is not cut out of its file yet, or one in which further bills seem to begin.
 */
export const billScanScope: ScopeRule = {
  client: sql.ref('bill_scans.client_id'),
  levels: {
    division: onAccounts('division'),
    facility: onAccounts('facility'),
    billable_account: (ids) => sql<SqlBool>`bill_scans.billable_account_id = any(${ids}::bigint[]) and ${isOneBill}`,
    supply_account: (ids) => sql<SqlBool>`bill_scans.supply_account_id = any(${ids}::bigint[]) and ${isOneBill}`,
  },
}

export const billScans = resource({
  entity: billScan,
  table: 'bill_scans',
  scope: billScanScope,
  joins: {
    file: sql`join files file on file.id = bill_scans.file_id`,
    author: sql`left join users author on author.id = bill_scans.created_by`,
    vendor: sql`left join vendors vendor on vendor.id = bill_scans.vendor_id`,
    billable: sql`left join billable_accounts billable on billable.client_id = bill_scans.client_id and billable.id = bill_scans.billable_account_id`,
    supply: sql`left join supply_accounts supply on supply.client_id = bill_scans.client_id and supply.id = bill_scans.supply_account_id`,
  },
  columns: {
    same_bill_id: { sql: sameBill },
    same_scan_id: { sql: sameScan },
    content_type: { sql: sql.ref('file.content_type'), joins: ['file'] },
    vendor_name: { sql: sql`coalesce(vendor.name, bill_scans.vendor_name)`, joins: ['vendor'] },
    account_type: {
      sql: sql`case when billable.id is not null then 'BillableAccount' when supply.id is not null then 'SupplyAccount' end`,
      joins: ['billable', 'supply'],
    },
    account_id: { sql: sql`coalesce(billable.id, supply.id)`, joins: ['billable', 'supply'] },
    account_number: {
      sql: sql`coalesce(billable.account_number, supply.account_number, bill_scans.account_number)`,
      joins: ['billable', 'supply'],
    },
    created_by_name: {
      sql: nameOfUser('author'),
      joins: ['author'],
    },
  },
  search: ['filename', 'vendor_name', 'account_number'],
})

const statesOf: Readonly<Record<ScanShelf, readonly string[]>> = {
  open: ['waiting', 'reading', 'read', 'failed'],
  ignored: ['ignored'],
  done: ['done'],
  all: ['waiting', 'reading', 'read', 'failed', 'done', 'ignored'],
}

/** The documents that a list shows. */
export const onShelf = defineWhere(
  'bill_scans_shelf',
  z.object({ show: z.enum(scanShelves) }),
  // Each state by itself, so that the index of waiting ones is used.
  ({ show }): Condition => sql<SqlBool>`bill_scans.state in (${sql.join(statesOf[show].map((state) => sql.lit(state)))})`,
)

function onAccounts(level: 'division' | 'facility'): ScopeLevel {
  return (ids, client) =>
    or([
      onAccount('billable_accounts', 'billable_account_id', client, billableAccountScope.levels[level]?.(ids, client)),
      onAccount('supply_accounts', 'supply_account_id', client, supplyAccountScope.levels[level]?.(ids, client)),
    ])
}

function onAccount(table: string, key: string, client: RawBuilder<unknown>, inside: Condition = sql<SqlBool>`false`): Condition {
  return sql<SqlBool>`exists (select 1 from ${sql.table(table)} where ${sql.ref(`${table}.client_id`)} = ${client}
    and ${sql.ref(`${table}.id`)} = ${sql.ref(`bill_scans.${key}`)} and ${inside}) and ${isOneBill}`
}
