/** How right each method of accrual was for the accounts of a report: the report's own accruals, computed on bills that are partly hidden. */
import {
  comparisonsMax,
  scoredMetersMax,
  unscoredNamedMax,
  worstAccountsMax,
  type AccrualScores,
  type HiddenBills,
  type MethodScore,
  type ScoredAccountName,
} from '#contract/reports/accrual-score-call.ts'
import {
  bestMethod,
  biasPercent,
  errorPercent,
  lastBillHidden,
  methodSums,
  monthEndsBefore,
  scoreAccrual,
  unscoredReasons,
  type Hidden,
  type MethodSum,
  type Scored,
  type Unscored,
} from '#contract/reports/accrual-score.ts'
import type { InUse } from '#contract/reports/accrual.ts'
import { accrualMethods, type AccrualMethod } from '#contract/reports/report-form-data.ts'
import { monthOf } from '#contract/kernel/date.ts'
import { sumCents, wireOf, type Cents } from '#contract/kernel/money.ts'
import { breather } from '../kernel/breathe.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { refused } from '../kernel/problem.ts'
import { accrualPeriod } from './accruals.ts'
import { accruedMeters, namesMoreMetersThan, type AccruedLine, type AccruedService } from './accrued-meters.ts'
import type { AskedReport } from './report-table.ts'

interface Compared {
  readonly to: string
  readonly method: AccrualMethod
  readonly score: Scored
}

interface ScoredAccount {
  readonly name: ScoredAccountName
  readonly compared: Compared[]
  readonly whys: Set<Unscored>
}

export async function accrualScores(tx: Tx, asked: AskedReport, hide: HiddenBills): Promise<AccrualScores> {
  if (await namesMoreMetersThan(tx, asked, scoredMetersMax[hide]))
    throw refused(
      `More than ${scoredMetersMax[hide].toLocaleString('en-US')} meters cannot be compared at once: choose vendors, facilities or accounts.`,
    )
  const ends = monthEndsBefore(monthOf(accrualPeriod(asked).from))
  const [first, last] = [ends.at(0)?.to ?? null, ends.at(-1)?.to ?? null]
  const isByMonth = hide === 'month_ends'
  const hiddenOf = (lines: readonly AccruedLine[]): readonly Hidden[] => (isByMonth ? ends : [lastBillHidden(lines) ?? []].flat())
  const accounts = await scoredAccounts(tx, asked, isByMonth ? last : null, hiddenOf)
  const sums = methodSums()
  for (const { compared } of accounts) for (const { method, score } of compared) sums.add(method, score)
  const unscored = accounts.flatMap((one) => (one.compared.length > 0 ? [] : [{ ...one.name, why: whyOf(one.whys) }]))
  return {
    from: isByMonth ? first : null,
    to: isByMonth ? last : null,
    methods: sums.all().map((sum) => methodScore(sum, accounts)),
    best: bestMethod(sums.all()),
    accounts: accounts.length,
    unscored: unscoredReasons
      .map(({ value: why }) => ({ why, accounts: unscored.filter((one) => one.why === why).length }))
      .filter((one) => one.accounts > 0),
    unscored_accounts: unscored.slice(0, unscoredNamedMax),
  }
}

/** Every account by its number, with what could be compared of its meters. */
async function scoredAccounts(
  tx: Tx,
  asked: AskedReport,
  to: string | null,
  hiddenOf: (lines: readonly AccruedLine[]) => readonly Hidden[],
): Promise<ScoredAccount[]> {
  const accounts = new Map<string, ScoredAccount>()
  const breathe = breather()
  for await (const some of accruedMeters(tx, asked, to)) {
    for (const { service, lines } of some) {
      await breathe()
      const account = accountOf(accounts, service)
      if (lines.length === 0) account.whys.add('no_days')
      for (const hidden of hiddenOf(lines)) scoreMeter(account, lines, { hidden, inUse: service.in_use })
    }
  }
  return [...accounts.values()]
}

function accountOf(accounts: Map<string, ScoredAccount>, service: AccruedService): ScoredAccount {
  const { billable_account_id, supply_account_id, account_number, facility, vendor } = service
  const key = `${billable_account_id ?? ''} ${supply_account_id ?? ''}`
  const account = accounts.get(key) ?? {
    name: { billable_account_id, supply_account_id, account_number, facility, vendor },
    compared: [],
    whys: new Set(),
  }
  accounts.set(key, account)
  return account
}

function scoreMeter(
  { compared, whys }: ScoredAccount,
  lines: readonly AccruedLine[],
  { hidden, inUse }: { readonly hidden: Hidden; readonly inUse: InUse },
): void {
  for (const { value: method } of accrualMethods) {
    const score = scoreAccrual(lines, hidden, method, inUse)
    if (score.scored) compared.push({ to: hidden.to, method, score })
    else whys.add(score.why)
  }
}

function whyOf(whys: ReadonlySet<Unscored>): Unscored {
  return unscoredReasons.find(({ value }) => whys.has(value))?.value ?? 'no_days'
}

function methodScore(sum: MethodSum, accounts: readonly ScoredAccount[]): MethodScore {
  const own = accounts.flatMap(({ name, compared }) => {
    const ofMethod = compared.filter(({ method }) => method === sum.method)
    return ofMethod.length === 0 ? [] : [{ name, compared: ofMethod, ...missOf(ofMethod) }]
  })
  const worst = own.filter(({ miss }) => miss > 0).toSorted((a, b) => b.miss - a.miss)
  return {
    method: sum.method,
    accounts: own.length,
    comparisons: sum.scores,
    accrued: wireOf(sum.accrued),
    actual: wireOf(sum.actual),
    bias: wireOf(sum.accrued - sum.actual),
    bias_percent: biasPercent(sum),
    error_percent: errorPercent(sum),
    worst: worst.slice(0, worstAccountsMax).map(({ name, compared, ...missed }) => ({
      ...name,
      ...amountsOf(compared),
      error_percent: errorPercent(missed),
      at: byEnd(compared),
    })),
  }
}

function missOf(compared: readonly Compared[]): { miss: Cents; size: Cents } {
  return {
    miss: sumCents(compared.map(({ score }) => Math.abs(score.error))),
    size: sumCents(compared.map(({ score }) => Math.abs(score.actual))),
  }
}

function byEnd(compared: readonly Compared[]): { to: string; accrued: string; actual: string; error: string }[] {
  return [...Map.groupBy(compared, ({ to }) => to)]
    .map(([to, some]) => ({ to, ...amountsOf(some) }))
    .toSorted((a, b) => (a.to < b.to ? 1 : -1))
    .slice(0, comparisonsMax)
}

function amountsOf(compared: readonly Compared[]): { accrued: string; actual: string; error: string } {
  const sum = (key: 'accrued' | 'actual' | 'error') => wireOf(sumCents(compared.map(({ score }) => score[key])))
  return { accrued: sum('accrued'), actual: sum('actual'), error: sum('error') }
}
