/** What a report is once its choices are known: columns, rows in one of two forms, and what must be said of them. */
import type { ReportControl } from '#contract/reports/generated-report.ts'
import type { ReportColumn, ReportName } from '#contract/reports/report-form.ts'
import type { ReportFormData } from '#contract/reports/report-form-data.ts'
import type { RawBuilder } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import type { Reach } from '../kernel/principal.ts'

/** A cell as the wire has it: dates YYYY-MM-DD, months YYYY-MM, amounts with two decimals, percents as numbers; null is empty. */
export type Cell = string | null
export type ReportRow = readonly Cell[]

/** A report as it is asked for, with what whoever is to read it may see. */
export interface AskedReport {
  readonly clientId: number
  readonly name: ReportName
  /** Those of the form that may be seen. */
  readonly columns: readonly ReportColumn[]
  readonly data: ReportFormData
  readonly lastBillOnly: boolean
  /** A report for a division holds that division's bills alone: its people may see no others. */
  readonly divisionId: number | null
  /** What the maker reaches of bills, and of what hangs on them. */
  readonly reach: Reach
  readonly rights: { readonly ledger: boolean; readonly notes: boolean }
  /** The New York day on which it is made. */
  readonly today: string
}

/** Rows that the database makes: cells in the order of the columns, `from` with its conditions, and an order that ends in an id. */
export interface ReportStatement {
  readonly cells: readonly RawBuilder<unknown>[]
  readonly from: RawBuilder<unknown>
  readonly order: RawBuilder<unknown>
}

interface Common {
  readonly columns: readonly ReportColumn[]
  /** The bills behind the rows, each counted once; null where the report is not about bills. */
  readonly control: ReportControl | null
  /** What a reader must know of the figures. Some of it is known only once all rows are read. */
  readonly remarks: () => readonly string[]
}

/** Either a statement whose rows the database streams, or rows that code makes, some at a time. Both are read once, inside the transaction. */
export type ReportTable = Common & ({ readonly statement: ReportStatement } | { readonly rows: AsyncIterable<readonly ReportRow[]> })

/** Makes a report's table. It reads in the transaction that it is given, which must stay one state of the database. */
export type ReportMaker = (tx: Tx, asked: AskedReport) => Promise<ReportTable>

export interface ChoiceInWords {
  readonly label: string
  readonly text: string
}

/** The head of the pages. */
export interface ReportHead {
  readonly title: string
  /** The name that its maker gave it, where it has one. */
  readonly name: string | null
  readonly client: string
  readonly choices: readonly ChoiceInWords[]
  readonly maker: string
  readonly madeAt: Date
  /** Key and kind of the picture that stands in the corner: the channel partner's, else the client's. */
  readonly logo: { readonly key: string; readonly type: string } | null
}
