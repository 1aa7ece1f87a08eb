/** The lines that go to ENERGY STAR Portfolio Manager, made into one period for each meter and its days. */
import { exchangedUsage, followsAs, meteredCodes, meterTypeOf } from '#contract/reports/portfolio-manager.ts'
import { plus, roundTo } from '#contract/kernel/decimal.ts'
import { sql, type SqlBool } from 'kysely'
import { and, type Condition } from '../kernel/lists/list.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { rowsByCursor } from '../kernel/postgres/rows-by-cursor.ts'
import { factsAsked, monthsAsked } from './day-rows.ts'
import type { AskedReport } from './report-table.ts'
import { serviceJoins, servicesAsked } from './service-choice.ts'

/** Decimals of an amount. */
const CENTS_SCALE = 2
/** Lines that are read at once. */
const LINES_AT_ONCE = 1_000

export interface ExchangedLine {
  readonly meter_id: string
  readonly property_id: string | null
  readonly facility: string | null
  readonly code: string
  readonly utility_service: string
  readonly meter: string
  readonly bill_id: number
  readonly bill_date: string
  readonly start: string | null
  readonly end: string | null
  readonly usage: string | null
  readonly unit: string | null
  readonly standard_usage: string | null
  readonly standard_unit: string | null
  readonly meter_unit: string | null
  readonly meter_factor: string | null
  readonly cost: string
  readonly estimated: boolean
}

/** Why a period is not written. */
type Refusal = 'Fuel' | 'Unit' | 'No usage' | 'No dates'

/** The bills of a meter with the same days. */
export interface Period {
  /** The first of its lines. */
  readonly line: ExchangedLine
  /** Without days: the day on which fuel was delivered. */
  readonly delivered: string | null
  readonly usage: string | null
  readonly units: string | null
  readonly cost: string
  readonly estimated: boolean
  readonly refusal: Refusal | null
  readonly follows: 'gap' | 'overlap' | null
  /** The last bill before it of the same meter, with its last day. */
  readonly previous: { readonly bill_id: number; readonly end: string } | null
}

export interface UnknownMeter {
  readonly facility: string | null
  readonly utility_service: string
  readonly meter: string
}

/** The days that bills are dated in; without a choice the last twelve complete months. */
export function datesAsked(asked: AskedReport): { readonly from: string | null; readonly to: string | null } {
  const { from, to } = asked.data.date_range
  return from === null && to === null ? monthsAsked(asked) : { from, to }
}

/** The periods of all meters that have an ID, by meter and day. */
export async function* periodsOf(tx: Tx, asked: AskedReport): AsyncGenerator<Period[]> {
  const gather = gatherer()
  for await (const lines of rowsByCursor(tx, linesOf(asked), { name: 'exchanged_lines', atOnce: LINES_AT_ONCE }))
    yield lines.flatMap((line) => gather.next(line))
  yield gather.end()
}

/** Meters that have bills and no ID. */
export async function unknownMeters(tx: Tx, asked: AskedReport): Promise<UnknownMeter[]> {
  const { clientId } = asked
  const { rows } =
    await sql<UnknownMeter>`select facility.name as facility, kind.name as utility_service, services.meter_number as meter from services ${serviceJoins(clientId)}
    where ${and([
      ...servicesAsked(asked),
      sql<SqlBool>`services.portfolio_manager_meter_id is null and kind.code = any(${meteredCodes}::text[])`,
      sql<SqlBool>`exists (select from bill_line_facts fact join bills bill on bill.client_id = ${clientId} and bill.id = fact.bill_id
        where fact.client_id = ${clientId} and fact.service_id = services.id and ${and(datedIn(asked))})`,
    ])} order by facility.name nulls last, kind.name, services.meter_number, services.id`.execute(tx)
  return rows
}

function datedIn(asked: AskedReport): Condition[] {
  const { from, to } = datesAsked(asked)
  return [
    sql<SqlBool>`true`,
    ...(from === null ? [] : [sql<SqlBool>`bill.date >= ${from}::date`]),
    ...(to === null ? [] : [sql<SqlBool>`bill.date <= ${to}::date`]),
  ]
}

/** Costs are those of the facts, with the share of the account's charges. A line that another meter measures again has a cost and no usage. */
function linesOf(asked: AskedReport) {
  const { clientId } = asked
  return sql<ExchangedLine>`select services.portfolio_manager_meter_id as meter_id, facility.portfolio_manager_property_id as property_id, facility.name as facility,
      kind.code, kind.name as utility_service, services.meter_number as meter, bill.id as bill_id, bill.date as bill_date,
      line.previous_read_date as start, line.read_date as end,
      case when fact.usage is not null or line.standard_usage is null then trim_scale(line.usage)::text end as usage, unit.symbol as unit,
      trim_scale(fact.usage)::text as standard_usage, standard_unit.symbol as standard_unit, own_unit.symbol as meter_unit, own.conversion_factor::text as meter_factor,
      fact.cost::numeric(14,2)::text as cost, coalesce(line.estimated, false) as estimated
    from bill_line_facts fact
    join services on services.client_id = ${clientId} and services.id = fact.service_id and services.portfolio_manager_meter_id is not null
    ${serviceJoins(clientId)}
    join bills bill on bill.client_id = ${clientId} and bill.id = fact.bill_id
    left join service_bills line on line.client_id = ${clientId} and line.id = fact.service_bill_id
    left join units unit on unit.id = line.unit_id
    left join usage_units standard on standard.utility_service_id = kind.id and standard.standard
    left join units standard_unit on standard_unit.id = standard.unit_id
    left join usage_units own on own.id = services.usage_unit_id
    left join units own_unit on own_unit.id = own.unit_id
    where ${and([...factsAsked(asked), sql<SqlBool>`fact.service_id <> 0`, sql<SqlBool>`kind.id is not null`, ...datedIn(asked)])}
    order by services.portfolio_manager_meter_id, line.previous_read_date nulls last, line.read_date nulls last,
      case when line.previous_read_date < line.read_date then null else bill.date end, services.supply_account_id nulls first, bill.id, line.id`
}

interface Gatherer {
  readonly next: (line: ExchangedLine) => Period[]
  readonly end: () => Period[]
}

/** Puts lines together that follow on each other and have the same meter and days. */
function gatherer(): Gatherer {
  let lines: ExchangedLine[] = []
  let last: (NonNullable<Period['previous']> & { readonly meter_id: string }) | null = null
  const done = (): Period[] => {
    const [first] = lines
    if (first === undefined) return []
    const made = periodOf(first, lines, last?.meter_id === first.meter_id ? { bill_id: last.bill_id, end: last.end } : null)
    if (hasDays(first) && (made.previous === null || first.end > made.previous.end))
      last = { meter_id: first.meter_id, bill_id: first.bill_id, end: first.end }
    return [made]
  }
  return {
    next: (line) => {
      const isSame = lines[0] !== undefined && keyOf(lines[0]) === keyOf(line)
      const made = isSame ? [] : done()
      lines = isSame ? [...lines, line] : [line]
      return made
    },
    end: done,
  }
}

function hasDays(line: ExchangedLine): line is ExchangedLine & { readonly start: string; readonly end: string } {
  return line.start !== null && line.end !== null && line.start < line.end
}

function keyOf(line: ExchangedLine): string {
  return hasDays(line) ? `${line.meter_id} ${line.start} ${line.end}` : `${line.meter_id} ${line.bill_date}`
}

function periodOf(line: ExchangedLine, lines: readonly ExchangedLine[], previous: Period['previous']): Period {
  const measured = lines.filter(({ usage }) => usage !== null)
  const parts = measured.map((one) => exchangedUsage(one))
  const [first] = parts
  const isWhole = first !== undefined && first !== null && parts.every((part) => part?.units === first.units)
  const type = meterTypeOf(line.code)
  const isDelivery = type?.isDelivered === true && !hasDays(line)
  return {
    line,
    delivered: isDelivery ? line.bill_date : null,
    usage: isWhole ? parts.reduce((sum, part) => plus(sum, part?.usage ?? '0'), '0') : null,
    units: isWhole ? first.units : null,
    cost: roundTo(
      lines.reduce((sum, { cost }) => plus(sum, cost), '0'),
      CENTS_SCALE,
    ),
    estimated: lines.some(({ estimated }) => estimated),
    refusal: refusalOf({ isFuel: type !== undefined, isDated: isDelivery || hasDays(line), isMeasured: measured.length > 0, isWhole }),
    follows: hasDays(line) ? followsAs(previous?.end ?? null, line.start) : null,
    previous,
  }
}

function refusalOf(of: { isFuel: boolean; isDated: boolean; isMeasured: boolean; isWhole: boolean }): Refusal | null {
  if (!of.isFuel) return 'Fuel'
  if (!of.isDated) return 'No dates'
  if (!of.isMeasured) return 'No usage'
  return of.isWhole ? null : 'Unit'
}
