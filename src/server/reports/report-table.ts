/** A report with its choices applied: columns, rows in one of two forms, and remarks. */
import type { ReportControl } from '#contract/reports/generated-report.ts'
import type { BillFilters, FigureBills } from '#contract/reports/figure-bills.ts'
import type { ReportColumn, ReportName } from '#contract/reports/report-form.ts'
import type { ReportFormData } from '#contract/reports/report-form-data.ts'
import type { RawBuilder } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import type { Reach } from '../kernel/principal.ts'

/** A cell as on the wire: dates YYYY-MM-DD, months YYYY-MM, amounts with two decimals, percents as numbers; null is empty. */
export type Cell = string | null
export type ReportRow = readonly Cell[]

/** The input of a report, with the rights of its readers. */
export interface AskedReport {
  readonly clientId: number
  readonly name: ReportName
  /** The form's columns that the readers may see. */
  readonly columns: readonly ReportColumn[]
  readonly data: ReportFormData
  readonly lastBillOnly: boolean
  /** A report for a division contains only that division's bills: its users may see no others. */
  readonly divisionId: number | null
  /** The maker's reach of bills, and of the data that depends on them. */
  readonly reach: Reach
  readonly rights: { readonly ledger: boolean; readonly notes: boolean }
  /** The New York day on which it is made; of a scheduled report the day on which it was due, in the zone of its schedule. */
  readonly today: string
}

/** Rows computed by the database: cells in column order, `from` with its conditions, and an order that ends in an id. */
export interface ReportStatement {
  readonly cells: readonly RawBuilder<unknown>[]
  readonly from: RawBuilder<unknown>
  readonly order: RawBuilder<unknown>
  /** The record that a row is about, for the way to its bills. */
  readonly key?: RawBuilder<unknown>
}

interface Common {
  readonly columns: readonly ReportColumn[]
  /** The bills behind the rows, each counted once; null if the report is not about bills. */
  readonly control: ReportControl | null
  /** Filters for the bills of `control`; absent or null where no list shows exactly these. */
  readonly controlBills?: BillFilters | null
  /** The bills behind the figures of a row; absent where there is no list of them. `key` is that of a statement's row. */
  readonly behind?: (row: ReportRow, key: Cell) => readonly FigureBills[]
  /** Remarks on the figures. Some of them are known only once all rows are read. */
  readonly remarks: () => readonly string[]
}

/** Either a statement whose rows the database streams, or rows that code makes, some at a time. Both are read once, inside the transaction. */
export type ReportTable = Common & ({ readonly statement: ReportStatement } | { readonly rows: AsyncIterable<readonly ReportRow[]> })

/** Builds a report's table. It reads in the given transaction, which must show one state of the database. */
export type ReportMaker = (tx: Tx, asked: AskedReport) => Promise<ReportTable>

export interface ChoiceInWords {
  readonly label: string
  readonly text: string
}

/** The head of the pages. */
export interface ReportHead {
  readonly title: string
  /** The name given by its maker, if any. */
  readonly name: string | null
  readonly client: string
  readonly choices: readonly ChoiceInWords[]
  readonly maker: string
  readonly madeAt: Date
  /** Key and kind of the picture in the corner: the channel partner's, or else the client's. */
  readonly logo: { readonly key: string; readonly type: string } | null
}
