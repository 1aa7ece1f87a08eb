/** The accounts of the demo clients with their meters, ledger shares and vendor numbers. */
import type { Tx } from '../kernel/postgres/database.ts'
import { diceOf } from './dice.ts'
import type { Ids, MadeClients } from './make-clients.ts'
import type { Reference } from './make-reference.ts'
import type { AccountPlan, ClientPlan, EstatePlan } from './plan.ts'
import { idsByName, insertNumbered, insertRows, takeIds, type Row } from './store-rows.ts'
import { place, makeServices } from './make-services.ts'

/** Effective dates and other properties that a planted problem needs. */
export interface Particulars {
  readonly rows: ReadonlyMap<AccountPlan, Row>
  /** Accounts whose supplier does not name the meter that it supplies. */
  readonly unlinked: ReadonlySet<AccountPlan>
}

export async function makeAccounts(
  tx: Tx,
  plan: EstatePlan,
  made: MadeClients,
  reference: Reference,
  particulars: Particulars,
  at: string,
): Promise<void> {
  const { ids } = made
  // A subaccount names its group, which therefore comes first.
  const accounts = plan.accounts.toSorted((a, b) => Number(b.kind === 'group') - Number(a.kind === 'group'))
  const taken = await takeIds(tx, 'billable_accounts', accounts.length)
  for (const [place, account] of accounts.entries()) ids.set(account, taken[place] ?? 0)
  const utilityId = await idsByName(tx, 'utility_services', 'code')
  const own = { lock_version: 0, created_at: at, updated_at: at }
  await insertRows(
    tx,
    'billable_accounts',
    accounts.map((account) => ({
      ...accountRow(account, ids, reference),
      utility_service_id: utilityOf(account, utilityId),
      effective_to: null,
      ...own,
      ...particulars.rows.get(account),
    })),
  )
  const supplied = accounts.flatMap((account) => (account.supply ? [{ account, supply: account.supply }] : []))
  const supplyIds = await insertNumbered(
    tx,
    'supply_accounts',
    supplied.map(({ account, supply }) => ({ ...supplyRow(account, supply.number, supply.vendor.code, ids, reference), ...own })),
  )
  for (const [place, { supply }] of supplied.entries()) ids.set(supply, supplyIds[place] ?? 0)
  await makeServices(tx, accounts, made, at)
  await insertRows(
    tx,
    'supply_account_billable_services',
    supplied
      .filter(({ account }) => !particulars.unlinked.has(account))
      .flatMap(({ account, supply }) =>
        account.services
          .slice(0, 1)
          .map((service) => ({ client_id: ids.get(account.client), supply_account_id: ids.get(supply), service_id: ids.get(service) })),
      ),
  )
  await insertNumbered(
    tx,
    'client_vendor_numbers',
    vendorNumbers(accounts, ids, reference).map((row) => ({ ...row, ...own })),
  )
}

function accountRow(account: AccountPlan, ids: Ids, reference: Reference): Row {
  const group = account.isInGroup ? groupOf(ids, account.client) : null
  return {
    ...place(account.facility),
    client_id: ids.get(account.client),
    id: ids.get(account),
    facility_id: ids.get(account.facility),
    vendor_id: reference.vendors.get(account.vendor.code),
    active: true,
    is_group_account: account.kind === 'group',
    group_account_id: group,
    name: account.name,
    account_number: account.number,
    tax_id: account.taxId,
    billing_period: account.months === 3 ? 3 : 2,
    billing_cycle: account.months === 2 ? 61 : 30,
    audits_off: false,
    audit_settings: {},
    accruals_off: false,
  }
}

/** The group account of a client is the one that got an id before its subaccounts. */
function groupOf(ids: Ids, client: ClientPlan): number | null {
  for (const [plan, id] of ids) if ('kind' in plan && plan.kind === 'group' && 'client' in plan && plan.client === client) return id
  return null
}

function supplyRow(account: AccountPlan, number: string, vendorCode: string, ids: Ids, reference: Reference): Row {
  return {
    ...place(account.facility),
    client_id: ids.get(account.client),
    facility_id: ids.get(account.facility),
    vendor_id: reference.vendors.get(vendorCode),
    active: true,
    is_group_account: false,
    name: `${account.facility.name} Electric Supply`,
    account_number: number,
    billing_period: 2,
    billing_cycle: 30,
    service_identifiers: [account.number],
    tax_ids: account.taxId === null ? [] : [account.taxId],
    audits_off: false,
    audit_settings: {},
    accruals_off: false,
  }
}

function utilityOf(account: AccountPlan, utilityId: (code: string) => number): number | null {
  const [service] = account.services
  return account.services.length === 1 && service ? utilityId(service.utility) : null
}

/** Returns the number of each vendor in the client's own books. */
function vendorNumbers(accounts: readonly AccountPlan[], ids: Ids, reference: Reference): Row[] {
  const pairs = accounts.flatMap((account) =>
    [account.vendor, ...(account.supply ? [account.supply.vendor] : [])].map((vendor) => ({ client: account.client, vendor })),
  )
  const once = new Map(pairs.map((pair) => [`${pair.client.sample.code} ${pair.vendor.code}`, pair]))
  return [...once].map(([key, { client, vendor }]) => ({
    client_id: ids.get(client),
    vendor_id: reference.vendors.get(vendor.code),
    vendor_number: `V-${diceOf(`number ${key}`).digits(5)}`,
  }))
}
