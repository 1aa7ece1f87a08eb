/**
 * The lines of bills with all their data: the Global and the Universal Data Export, as a statement that the database streams. Account charges
 * outside the lines have their own row, so that a bill's line totals add up to its current charges. Amounts of the bill are on its first row
 * only, so that no sum over rows counts them twice.
 */
import type { ReportColumn } from '#contract/reports/report-form.ts'
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import { askedBills, clientOf, controlOf } from './bill-choice.ts'
import { chosenFilters, withoutVoid } from './bills-behind.ts'
import { cellOf, lineRows, rowOrder, type LineValues } from './line-rows.ts'
import type { AskedReport, ReportTable } from './report-table.ts'

export async function globalDataExport(tx: Tx, asked: AskedReport): Promise<ReportTable> {
  const { known, further, values } = await lineColumns(tx, asked, asked.data.ledger_details)
  return lineTable(tx, asked, [...known, ...further], values)
}

/** Exports the chosen columns in their order, or all if none is named. Unknown names are left out. */
export async function universalDataExport(tx: Tx, asked: AskedReport): Promise<ReportTable> {
  const { known, further, values } = await lineColumns(tx, asked, true)
  const all = [...known, ...further]
  const { utility_service_fields: fields } = asked.data
  const chosen = fields.filter(({ checked }) => checked).flatMap(({ name }) => all.find(({ key }) => key === name) ?? [])
  return lineTable(tx, asked, fields.length === 0 ? all : chosen, values)
}

/** Returns the columns that can be chosen, as the form names them. */
export async function chooseableColumns(tx: Tx, asked: AskedReport): Promise<readonly ReportColumn[]> {
  const { known, further } = await lineColumns(tx, asked, true)
  return [...known, ...further]
}

/** The known columns, and what this installation has beside them. */
interface LineColumns {
  readonly known: readonly ReportColumn[]
  /** A column for each entry field and usage factor, and the ledger accounts if the reader may see them. */
  readonly further: readonly ReportColumn[]
  readonly values: LineValues
}

async function lineColumns(tx: Tx, asked: AskedReport, withLedger: boolean): Promise<LineColumns> {
  const { rows: fields } = await sql<{ id: number; name: string }>`select id, name from entry_fields order by position, id`.execute(tx)
  const { rows: factors } = await sql<{ name: string }>`select distinct name from usage_factors order by name`.execute(tx)
  const money = fields.map(({ id, name }): ReportColumn => ({ key: `entry_field_${id}`, label: name, kind: 'money', total: true }))
  const measured = factors.map(({ name }): ReportColumn => ({ key: `factor ${name}`, label: name, kind: 'decimal' }))
  const further: ReportColumn[] = [
    ...money,
    { key: 'additional_charges', label: 'Additional Charges', kind: 'money', total: true },
    ...measured,
  ]
  const ledger: ReportColumn = { key: 'ledger_accounts', label: 'Ledger Accounts', kind: 'text', needs: 'ledger' }
  return { known: asked.columns, further: withLedger && asked.rights.ledger ? [...further, ledger] : further, values: { fields, factors } }
}

async function lineTable(tx: Tx, asked: AskedReport, columns: readonly ReportColumn[], values: LineValues): Promise<ReportTable> {
  const matching = askedBills(asked, isOfBatches(asked))
  const { control, children } = await controlOf(tx, asked, matching)
  const chosen = chosenFilters(asked)
  return {
    columns,
    statement: {
      cells: columns.map(({ key }) => cellOf(key)),
      from: lineRows(asked, clientOf(asked), matching, values),
      order: rowOrder,
    },
    control,
    controlBills: chosen && (isOfBatches(asked) ? chosen : { ...chosen, ...withoutVoid }),
    remarks: () => [
      ...(children === '0.00' ? [] : [`${children} of the amounts due is carried by the bill of a group as well.`]),
      ...(asked.data.utility_service_ids.length === 0
        ? []
        : ['Lines of other utility services are left out, and charges that belong to no meter.']),
    ],
  }
}

/** A client batch has booked bills that were replaced since: they are part of its sums. */
function isOfBatches({ data }: AskedReport): boolean {
  return data.accounting_batch_ids.length > 0
}
