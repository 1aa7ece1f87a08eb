/** How one bill is booked: its lines, the closed batches that took them back, and the open batch that has still to do so. */
import { billLedgerCalls, type BillLedger, type BookedLine } from '#contract/accounting-batches/booked-line.ts'
import { centsOf, wireOf } from '#contract/kernel/money.ts'
import { sql } from 'kysely'
import { mustSeeBill } from '../bills/bills.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { askedBy } from '../kernel/lists/resource.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { noSuch } from '../kernel/problem.ts'
import { frozenOf } from './booked-lines.ts'
import type { LedgerLine } from './ledger-line.ts'
import { ledgerAccountsOf, ledgerSettings, linesOfBills } from './ledger-lines.ts'
import { owedReversals } from './reversing-lines.ts'

interface NamedBatch {
  readonly id: number
  readonly batch_code: string
}

export interface BillBooks {
  /** `none` for a void bill that no closed batch booked. */
  readonly standing: BillLedger['standing']
  readonly batch: NamedBatch | null
  readonly lines: readonly LedgerLine[]
  readonly reversals: readonly (LedgerLine & { readonly batch: NamedBatch })[]
  readonly owed: BillLedger['owed']
}

export const billBooksHandlers: readonly Handler[] = [
  handle(billLedgerCalls.get, async (context, { params }) => {
    await mustSeeBill(context, params.id, askedBy(context, params))
    const { standing, batch, lines, reversals, owed } = await booksOfBill(context.tx, params.client_id, params.id)
    return {
      ledger: {
        standing,
        batch,
        lines: lines.map(shownLine),
        reversals: reversals.map((line) => ({ ...shownLine(line), batch: line.batch })),
        owed,
      },
    }
  }),
]

/** Returns a ledger line as the wire has it. */
export function shownLine(line: LedgerLine): BookedLine {
  const { bill_id, kind, ledger_account_id, ledger_account_name, ledger_values, description, amount } = line
  return {
    bill_id,
    kind,
    ledger_account_id,
    ledger_account_name,
    ledger_values: ledger_values.map(({ name, value }) => ({ name, value })),
    description,
    amount: wireOf(amount),
  }
}

/** Throws not-found if the client has no such bill. */
export async function booksOfBill(tx: Tx, clientId: number, id: number): Promise<BillBooks> {
  const { rows } = await sql<{
    is_void: boolean
    batch: NamedBatch | null
    closed: boolean
  }>`select bills.superseded_by_id is not null as is_void,
      case when batch.id is not null then json_build_object('id', batch.id, 'batch_code', batch.batch_code) end as batch, coalesce(batch.closed, false) as closed
    from bills left join accounting_batches batch on batch.client_id = ${clientId} and batch.id = bills.accounting_batch_id
    where bills.client_id = ${clientId} and bills.id = ${id}`.execute(tx)
  const [bill] = rows
  if (!bill) throw noSuch('Bill')
  const standing = bill.closed ? 'frozen' : bill.is_void ? 'none' : 'computed'
  const reversals = await reversalsOf(tx, clientId, id)
  return {
    standing,
    batch: bill.batch,
    lines: standing === 'frozen' ? await frozenOf(tx, clientId, [id]) : standing === 'computed' ? await computedOf(tx, clientId, id) : [],
    reversals,
    owed: bill.closed && bill.is_void && reversals.length === 0 ? await owedOf(tx, clientId, id) : null,
  }
}

async function computedOf(tx: Tx, clientId: number, id: number): Promise<LedgerLine[]> {
  const ledger = { settings: await ledgerSettings(tx, clientId), accounts: await ledgerAccountsOf(tx, clientId) }
  return (await linesOfBills(tx, clientId, [id], ledger)).get(id) ?? []
}

async function reversalsOf(tx: Tx, clientId: number, id: number): Promise<BillBooks['reversals']> {
  const { rows } = await sql<
    Omit<LedgerLine, 'amount' | 'service_id'> & { amount: string; batch: NamedBatch }
  >`select line.bill_id, line.service_bill_id, line.kind,
      line.ledger_account_id, line.ledger_account_name, line.ledger_values, line.division_id, line.amount, line.description, line.reverses_id,
      json_build_object('id', batch.id, 'batch_code', batch.batch_code) as batch
    from gl_lines line join accounting_batches batch on batch.client_id = ${clientId} and batch.id = line.accounting_batch_id
    where line.client_id = ${clientId} and line.bill_id = ${id} and line.reverses_id is not null order by line.position, line.id`.execute(
    tx,
  )
  return rows.map((row) => ({ ...row, service_id: null, amount: centsOf(row.amount) }))
}

async function owedOf(tx: Tx, clientId: number, id: number): Promise<BillBooks['owed']> {
  const [owed] = await owedReversals(tx, clientId, { voidId: id })
  if (owed === undefined) return null
  const { rows } = await sql<NamedBatch>`select id, batch_code from accounting_batches
    where client_id = ${clientId} and id = ${owed.home_id}::bigint`.execute(tx)
  return { batch: rows[0] ?? null }
}
