/** Makes a report as its writer does, and reads all of its rows by the keys of their columns. */
import { reportForms, type ReportName } from '#contract/reports/report-form.ts'
import { reportFormData } from '#contract/reports/report-form-data.ts'
import type { Database } from '../../src/server/kernel/postgres/database.ts'
import { everything } from '../../src/server/kernel/lists/resource.ts'
import { reportMakers } from '../../src/server/reports/report-makers.ts'
import { readReport } from '../../src/server/reports/report-reading.ts'
import type { AskedReport, Cell } from '../../src/server/reports/report-table.ts'

export interface ReadRows {
  readonly rows: readonly Readonly<Record<string, Cell>>[]
  readonly totals: Readonly<Record<string, Cell>>
  readonly count: number
  readonly control: { readonly bill_count: number; readonly amount_due: string; readonly current_charges: string } | null
  readonly remarks: readonly string[]
}

type Given = Pick<AskedReport, 'clientId' | 'today'> & Partial<Pick<AskedReport, 'lastBillOnly' | 'divisionId' | 'rights' | 'reach'>>

export function madeReport(db: Database['db'], name: ReportName, data: object, given: Given): Promise<ReadRows> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const table = await reportMakers[name](tx, {
        name,
        columns: reportForms[name].columns,
        data: reportFormData.parse(data),
        lastBillOnly: false,
        divisionId: null,
        reach: everything,
        rights: { ledger: true, notes: true },
        ...given,
      })
      const { rows, totals, rowCount } = await readReport(tx, table, 100_000)
      const named = (cells: readonly Cell[]) => Object.fromEntries(table.columns.map(({ key }, place) => [key, cells[place] ?? null]))
      return { rows: rows.map(named), totals: named(totals), count: rowCount, control: table.control, remarks: table.remarks() }
    })
}
