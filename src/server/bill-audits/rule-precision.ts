/** The precision of each audit, from how users resolved its findings. */
import type { RulePrecision } from '#contract/bill-audits/audit-settings.ts'
import { auditCodes } from '#contract/bill-audits/bill-audits.ts'
import { sql, type SqlBool } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import { billScope } from '../estate/estate.ts'
import { scopeCondition, type Condition } from '../kernel/lists/list.ts'
import { reachesWhole, type Reach } from '../kernel/principal.ts'

/** The reason that says the finding was right. Any other reason, including one typed by hand, says that the bill is in order. */
const fixed = 'data_fixed'

interface Tally {
  readonly code: string
  readonly reason: string | null
  readonly gone_by: string | null
  readonly is_open: boolean
  readonly count: number
}

/** Returns every rule, including rules without findings. `which` is a condition on bill_findings. */
export async function precisionOf(tx: Tx, which: Condition): Promise<RulePrecision[]> {
  const { rows } = await sql<Tally>`select code, reason, gone_by, resolved_at is null as is_open, count(*)::int as count
    from bill_findings where ${which} group by 1, 2, 3, 4`.execute(tx)
  const byCode = Map.groupBy(rows, (row) => row.code)
  return [...new Set(auditCodes)].map((code) => ruleOf(code, byCode.get(code) ?? []))
}

/** The findings of a client on the bills inside the reach. */
export function ofClient(reach: Reach, clientId: number): Condition {
  if (reachesWhole(reach, clientId)) return sql<SqlBool>`client_id = ${clientId}`
  return sql<SqlBool>`client_id = ${clientId} and exists (select from bills where bills.client_id = bill_findings.client_id
    and bills.id = bill_findings.bill_id and ${scopeCondition({ scope: billScope }, { reach, clientId })})`
}

function ruleOf(code: string, tallies: readonly Tally[]): RulePrecision {
  const sum = (holds: (tally: Tally) => boolean): number => tallies.filter(holds).reduce((total, tally) => total + tally.count, 0)
  const isJudged = (tally: Tally): boolean => !tally.is_open && !isGone(tally)
  const mistakes = sum((tally) => tally.gone_by === 'edit' || (isJudged(tally) && tally.reason === fixed))
  const no_problem = sum((tally) => isJudged(tally) && tally.reason !== fixed)
  const reasons = new Map<string, number>()
  for (const tally of tallies.filter(isJudged)) {
    const reason = tally.reason ?? 'other'
    reasons.set(reason, (reasons.get(reason) ?? 0) + tally.count)
  }
  return {
    code,
    raised: sum(() => true),
    open: sum((tally) => tally.is_open),
    mistakes,
    no_problem,
    gone: sum((tally) => !tally.is_open && isGone(tally) && tally.gone_by !== 'edit'),
    reasons: Object.fromEntries(reasons),
    precision: mistakes + no_problem === 0 ? null : ((100 * mistakes) / (mistakes + no_problem)).toFixed(1),
  }
}

/** Whether the finding disappeared without a user's judgement. Rows from before `gone_by` was stored have only the reason. */
function isGone({ gone_by, reason }: Tally): boolean {
  return gone_by !== null || reason === 'No longer found'
}
