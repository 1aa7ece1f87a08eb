/**
 * Rules that every way of saving enforces: a form, a file and a bulk change. A rule is written once, as a condition over a record as it is
 * stored (`item`) and as it will be. Each way stages its rows as a relation (the form its one row, the file `import_rows`, the bulk change
 * its selection) and puts the same condition into its statement.
 */
import type { Fields } from '#contract/kernel/entity.ts'
import { brokenRules, type ValueRule } from '#contract/kernel/value-rules.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { typedJson } from '../postgres/column-type.ts'
import type { Context } from '../context.ts'
import type { Source } from './list.ts'
import { invalid } from '../problem.ts'

type Sql = RawBuilder<unknown>
type Severity = 'refuse' | 'warn'

interface RuleParts {
  /** Field at which a refusal is shown. */
  readonly field: string
  /** A row is checked if it gives one of these fields a value. */
  readonly about: readonly string[]
  /** A warning refuses nothing: a preview shows it before the save. The default is a refusal. */
  readonly severity?: Severity
}

/** A rule that is broken if a condition holds. */
interface ConditionRule extends RuleParts {
  readonly message: string
  readonly when: (row: RuleRow) => RawBuilder<SqlBool>
}

/** A rule that is broken if it finds something to name. */
interface NamingRule extends RuleParts {
  /** `{}` is replaced by the name. */
  readonly message: `${string}{}${string}`
  /** Replaces the name if many records share one reason. */
  readonly unnamed: string
  /** A text, or null if the rule holds. */
  readonly culprit: (row: RuleRow) => Sql
}

export type RowRule = ConditionRule | NamingRule

/** Inputs of a rule: one staged row, with the record that it changes. */
export interface RuleRow {
  readonly context: Context
  readonly clientId: number
  /** Returns true if any row of this way can give the field a value. */
  readonly has: (key: string) => boolean
  /** Returns the condition that this row gives it. */
  readonly gives: (key: string) => RawBuilder<SqlBool>
  /** Column of the stored record; null if it is new. */
  readonly item: (column: string) => Sql
  /** Future value of the field. `stored` is its present value, if that is not a column; lists are JSON. */
  readonly will: (key: string, stored?: Sql) => Sql
  /** Future value of a column of another stored record of the same kind, under this name of its table. */
  readonly other: (name: string, column: string) => Sql
}

/** A source with rules. */
export interface Ruled extends Pick<Source, 'table' | 'scope'> {
  readonly entity: { readonly fields: Fields; readonly rules?: readonly ValueRule[] }
  /** Rules that read other rows too. Rules over values of one record belong to the entity. */
  readonly rules?: readonly RowRule[] | undefined
}

/** The staged rows of one way of saving. `given` is the typed value that a row gives. */
interface Staging extends Pick<RuleRow, 'context' | 'clientId' | 'has' | 'gives'> {
  readonly given: (key: string) => Sql
  readonly other?: RuleRow['other']
}

export function ruleRow({ given, other, ...staging }: Staging): RuleRow {
  const item = (column: string): Sql => sql.ref(`item.${column}`)
  return {
    ...staging,
    item,
    will: (key, stored = item(key)) =>
      staging.has(key) ? sql`case when ${staging.gives(key)} then ${given(key)} else ${stored} end` : stored,
    other: other ?? ((name, column) => sql.ref(`${name}.${column}`)),
  }
}

/** Returns the condition that a stored record will have another value in this column. */
export function turns({ item, will }: RuleRow, key: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${item('id')} is not null and ${will(key)} is distinct from ${item(key)})`
}

interface Judged {
  readonly field: string
  /** The message if the row breaks the rule, else null. */
  readonly fault: Sql
}

/** Checks the rows of one way by the rules that it can break. If `isNamed` is false, a message names nothing of its row. */
export function judge({ entity, rules = [] }: Pick<Ruled, 'entity' | 'rules'>, row: RuleRow, severity: Severity, isNamed = true): Judged[] {
  return [...(entity.rules ?? []).map(asRowRule), ...rules].flatMap((rule) => {
    const about = rule.about.filter(row.has)
    if (about.length === 0 || (rule.severity ?? 'refuse') !== severity) return []
    const isAbout = sql`(${sql.join(about.map(row.gives), sql` or `)})`
    return [{ field: rule.field, fault: faultOf(rule, row, isAbout, isNamed) }]
  })
}

function faultOf(rule: RowRule, row: RuleRow, isAbout: Sql, isNamed: boolean): Sql {
  if ('when' in rule) return sql`case when ${isAbout} and ${rule.when(row)} then ${sql.lit(rule.message)} end`
  const culprit = rule.culprit(row)
  const [before = '', after = ''] = rule.message.split('{}')
  return isNamed
    ? sql`case when ${isAbout} then ${sql.lit(before)} || ${culprit} || ${sql.lit(after)} end`
    : sql`case when ${isAbout} and ${culprit} is not null then ${sql.lit(rule.message.replace('{}', rule.unnamed))} end`
}

/** Turns the same data into a condition over many rows. */
function asRowRule({ field, notBefore, message }: ValueRule): RowRule {
  return { field, about: [field, notBefore], message, when: ({ will }) => sql<SqlBool>`${will(field)} < ${will(notBefore)}` }
}

/** Checks the one row of a form, as a relation of one. Throws 422 with each field that breaks a rule. */
export async function keepRules(
  context: Context,
  of: Ruled,
  draft: Readonly<Record<string, unknown>>,
  before: { readonly id: number } | null,
  clientId: number,
): Promise<void> {
  const broken = Object.entries(brokenRules(of.entity.rules ?? [], { ...before, ...draft }))
  const judged = judge({ entity: { fields: of.entity.fields }, rules: of.rules }, formRow(context, of, draft, clientId), 'refuse')
  const faults = judged.length === 0 ? [] : await faultsOf(context, of, judged, { draft, before, clientId })
  const refusals = Map.groupBy([...broken, ...faults], ([field]) => field)
  if (refusals.size > 0) throw invalid(Object.fromEntries([...refusals].map(([field, all]) => [field, all.map(([, message]) => message)])))
}

function formRow(context: Context, { entity }: Ruled, draft: Readonly<Record<string, unknown>>, clientId: number): RuleRow {
  return ruleRow({
    context,
    clientId,
    has: (key) => draft[key] !== undefined,
    gives: (key) => sql<SqlBool>`staged.draft ? ${sql.lit(key)}`,
    given: (key) => typedJson(sql`(staged.draft -> ${sql.lit(key)})`, entity.fields[key]),
  })
}

interface Saved {
  readonly draft: Readonly<Record<string, unknown>>
  readonly before: { readonly id: number } | null
  readonly clientId: number
}

async function faultsOf(
  { tx }: Context,
  { entity, table, scope, rules = [] }: Ruled,
  judged: readonly Judged[],
  { draft, before, clientId }: Saved,
): Promise<(readonly [string, string])[]> {
  // Secrets and other fields without a rule are left out.
  const keys = new Set(rules.flatMap(({ about }) => about).filter((key) => key in entity.fields))
  const staged = Object.fromEntries(Object.entries(draft).filter(([key]) => keys.has(key)))
  const tenant = scope === 'shared' ? sql`` : sql`${scope.client} = ${clientId} and`
  const { rows } = await sql<{ faults: (string | null)[] }>`select array[${sql.join(judged.map(({ fault }) => fault))}]::text[] as faults
    from (select ${JSON.stringify(staged)}::jsonb as draft) staged
    left join (select * from ${sql.table(table)} where ${tenant} id = ${before?.id ?? null}::bigint) item on true`.execute(tx)
  return (rows[0]?.faults ?? []).flatMap((fault, at) => (fault === null ? [] : [[judged[at]?.field ?? '', fault] as const]))
}
