/** Bills for the tests of dashboards, written as rows, so that facts are tested independently of the code that saves bills. */
import { sql } from 'kysely'
import type { Tx } from '../../src/server/kernel/postgres/database.ts'

export interface TestLine {
  readonly service_id: number
  readonly from: string | null
  readonly to: string | null
  readonly utility?: string
  readonly supply?: string
  readonly other?: string
  readonly additional?: string
  readonly usage?: string | null
  /** In the standard unit; the usage itself by default. */
  readonly standard_usage?: string | null
  readonly supply_bill_id?: number
  readonly unit_id?: number | null
  readonly fiscal_month?: string
}

export interface TestBill {
  readonly account: { readonly billable_account_id: number } | { readonly supply_account_id: number }
  readonly date: string
  readonly current_charges: string
  readonly late_fee?: string
  readonly fiscal_month?: string
  readonly balance_forward?: string
  readonly from?: string
  readonly to?: string
  readonly group_bill_id?: number
  readonly lines: readonly TestLine[]
}

/** @returns the ids of the bill and its lines. Facts are not refreshed. */
export async function addBill(tx: Tx, clientId: number, bill: TestBill): Promise<{ id: number; line_ids: number[] }> {
  const owner =
    'billable_account_id' in bill.account
      ? { column: 'billable_account_id', id: bill.account.billable_account_id }
      : { column: 'supply_account_id', id: bill.account.supply_account_id }
  const { rows } = await sql<{
    id: number
  }>`insert into bills (client_id, ${sql.ref(owner.column)}, account_number, date, due_date, current_charges, late_fee, balance_forward,
      previous_read_date, read_date, group_bill_id, fiscal_month)
    values (${clientId}, ${owner.id}, 'x', ${bill.date}, ${bill.date}, ${bill.current_charges}, ${bill.late_fee ?? '0'}, ${bill.balance_forward ?? '0'}, ${bill.from ?? null},
      ${bill.to ?? null}, ${bill.group_bill_id ?? null}, ${bill.fiscal_month ?? null}) returning id`.execute(tx)
  const id = rows[0]?.id ?? 0
  const line_ids: number[] = []
  for (const [position, line] of bill.lines.entries()) line_ids.push(await addLine(tx, clientId, id, position, line))
  return { id, line_ids }
}

async function addLine(tx: Tx, clientId: number, billId: number, position: number, line: TestLine): Promise<number> {
  const usage = line.usage ?? null
  const { rows } = await sql<{
    id: number
  }>`insert into service_bills (client_id, bill_id, service_id, position, previous_read_date, read_date, usage, standard_usage, supply_bill_id, unit_id, fiscal_month)
    values (${clientId}, ${billId}, ${line.service_id}, ${position}, ${line.from}, ${line.to}, ${usage}, ${line.standard_usage === undefined ? usage : line.standard_usage},
      ${line.supply_bill_id ?? null}, ${line.unit_id ?? null}, ${line.fiscal_month ?? null}) returning id`.execute(tx)
  const id = rows[0]?.id ?? 0
  for (const [name, value] of Object.entries({
    'Utility Charges': line.utility,
    'Supply Charges': line.supply,
    'Other Charge': line.other,
  })) {
    if (value !== undefined)
      await sql`insert into service_bill_entry_values select ${clientId}, ${id}, id, ${value}::numeric from entry_fields where name = ${name}`.execute(
        tx,
      )
  }
  if (line.additional !== undefined) {
    await sql`with field as (insert into additional_entry_fields (client_id, service_id, name) values (${clientId}, ${line.service_id}, ${`Field of ${id}`}) returning id)
      insert into service_bill_additional_values select ${clientId}, ${id}, id, ${line.additional}::numeric from field`.execute(tx)
  }
  return id
}

const factTables = ['bill_line_facts', 'service_month_facts', 'utility_month_facts', 'facility_month_facts'] as const

/** Returns all facts of a client as sorted text, for comparison. */
export async function allFacts(tx: Tx, clientId: number): Promise<Record<(typeof factTables)[number], string[]>> {
  const read = async (table: string): Promise<string[]> => {
    const { rows } = await sql<{
      row: string
    }>`select fact::text as row from ${sql.table(table)} fact where client_id = ${clientId} order by 1`.execute(tx)
    return rows.map((one) => one.row)
  }
  return {
    bill_line_facts: await read('bill_line_facts'),
    service_month_facts: await read('service_month_facts'),
    utility_month_facts: await read('utility_month_facts'),
    facility_month_facts: await read('facility_month_facts'),
  }
}
