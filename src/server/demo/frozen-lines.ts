/** The ledger lines of a closed batch of the demo. */
import { ledgerEntries, type LedgerEntry } from '#contract/bill-figures/allocation.ts'
import type { BillDraft } from '#contract/bills/bill-draft.ts'
import { wireOf } from '#contract/kernel/money.ts'
import { sql } from 'kysely'
import { sharesOf } from './make-services.ts'
import type { Desk, MadeBill } from './make-bills.ts'
import { expenses, type Ledger, type LedgerAccount } from './make-ledger.ts'
import { idOf } from './plan-bills.ts'
import type { PlannedBill } from './plan.ts'
import type { Row } from './store-rows.ts'

/** Returns the ledger lines as the close of a batch freezes them: with the names of that day. */
export function frozenLines({ ids }: Desk, { bill, draft, id }: MadeBill, ledger: Ledger, lineIds: readonly number[]): Row[] {
  const { account } = bill
  // A supplier's charges are booked to the same ledger accounts as those of the utility for the same meter.
  const shares = bill.lines.map((_, place) => {
    const service = account.services[place]
    return service ? sharesOf(account, service, ledger) : []
  })
  const named = new Map<number, LedgerAccount>([...ledger.accounts.values()].map((one) => [one.id, one]))
  const entries = ledgerEntries(
    ledgerBill(
      draft,
      shares.map((list) => list.map(({ account: { id: ledger_account_id }, ratio }) => ({ ledger_account_id, share_ratio: ratio }))),
    ),
    {
      spread_by: 'cost',
      late_fee_ledger_account_id: ledger.lateFee.id,
      prior_balance_ledger_account_id: ledger.prior.id,
      payable_ledger_account_id: ledger.payable.id,
    },
  )
  return entries.map((entry, position) => {
    const booked = entry.ledger_account_id === null ? undefined : named.get(entry.ledger_account_id)
    return {
      bill_id: id,
      service_bill_id: entry.line === null ? null : (lineIds[entry.line] ?? null),
      position,
      kind: entry.kind,
      ledger_account_id: entry.ledger_account_id,
      ledger_account_name: booked?.name ?? '',
      ledger_values: booked?.values ?? [],
      division_id: idOf(ids, account.facility.division),
      amount: wireOf(entry.amount),
      description: described(bill, entry),
    }
  })
}

function ledgerBill(draft: BillDraft, shares: readonly (readonly { ledger_account_id: number; share_ratio: string }[])[]) {
  return {
    balance_forward: draft.balance_forward,
    current_charges: draft.current_charges,
    late_fee: draft.late_fee ?? null,
    amount_due: draft.amount_due,
    bill_charges: draft.bill_charges ?? [],
    service_bills: draft.service_bills.map((line, place) => ({
      usage: line.usage ?? null,
      unit_id: line.unit_id ?? null,
      service_bill_entry_fields: line.service_bill_entry_fields ?? [],
      service_bill_additional_entry_fields: line.service_bill_additional_entry_fields ?? [],
      ledger_shares: shares[place] ?? [],
    })),
  }
}

function described(bill: PlannedBill, entry: LedgerEntry): string {
  const line = entry.line === null ? undefined : bill.lines[entry.line]
  const vendor = bill.is_supply ? (bill.account.supply?.vendor ?? bill.account.vendor) : bill.account.vendor
  return line
    ? `${vendor.name} ${expenses[line.service.utility][1]} ${line.service.meter} ${line.from}-${line.to}`
    : `${vendor.name} ${bill.account.number}`
}

export async function linesOf(desk: Desk, clientId: number, billIds: readonly number[]): Promise<Map<number, number[]>> {
  const { rows } = await sql<{ id: number; bill_id: number }>`select id, bill_id from service_bills
    where client_id = ${clientId} and bill_id = any(${billIds}::bigint[]) order by bill_id, position`.execute(desk.context.tx)
  return new Map([...Map.groupBy(rows, (row) => row.bill_id)].map(([bill, lines]) => [bill, lines.map((line) => line.id)]))
}
