/**
 * The expected contents of reports, computed from the raw rows of bills. This is a second program: it imports nothing of the product, reads
 * no table of sums, and does its own arithmetic in whole cents.
 */
import type { Client } from 'pg'
import { groupBy, sum } from './raw-months.ts'

type Raw = Record<string, string | null>

/** Debit less credit by 'division | ledger account' in cents, of the bills of a range of dates that are booked, which a group's are by its children; the payable under ' | payable'. */
export async function bookedByAccount(db: Client, clientId: number, from: string, to: string): Promise<Map<string, bigint>> {
  const bills = await rowsOf(
    db,
    `select bills.id::text, coalesce(divisions.name, '') as division, (balance_forward * 100)::bigint::text as forward, (current_charges * 100)::bigint::text as current,
      (late_fee * 100)::bigint::text as late, (amount_due * 100)::bigint::text as due
    from bills left join divisions on divisions.client_id = bills.client_id and divisions.id = bills.division_id
    where bills.client_id = ${clientId} and bills.superseded_by_id is null and bills.date between '${from}' and '${to}'
      and bills.id not in (select group_bill_id from bills where client_id = ${clientId} and superseded_by_id is null and group_bill_id is not null)`,
  )
  const lines = await rowsOf(
    db,
    `select line.bill_id::text as bill, line.id::text, line.service_id::text as service, line.unit_id::text as unit, coalesce((abs(line.usage) * 1000)::bigint, 0)::text as usage,
      (coalesce((select sum(value) from service_bill_entry_values own where own.client_id = line.client_id and own.service_bill_id = line.id), 0) * 100
        + coalesce((select sum(round(value, 2)) from service_bill_additional_values own where own.client_id = line.client_id and own.service_bill_id = line.id), 0) * 100)::bigint::text as cents
    from service_bills line where line.client_id = ${clientId} order by line.bill_id, line.position, line.id`,
  )
  const shares = await rowsOf(
    db,
    `select share.service_id::text as service, account.name, (share.share_ratio * 10000)::bigint::text as ratio from shared_accounts share
      join ledger_accounts account on account.client_id = share.client_id and account.id = share.ledger_account_id where share.client_id = ${clientId}
    union all select service.id::text, account.name, '10000' from services service join ledger_accounts account on account.client_id = service.client_id and account.id = service.ledger_account_id
      where service.client_id = ${clientId} and not exists (select from shared_accounts share where share.client_id = service.client_id and share.service_id = service.id)`,
  )
  const [settings] = await rowsOf(
    db,
    `select late.name as late, prior.name as prior from client_ledger_settings settings
      left join ledger_accounts late on late.client_id = settings.client_id and late.id = settings.late_fee_ledger_account_id
      left join ledger_accounts prior on prior.client_id = settings.client_id and prior.id = settings.prior_balance_ledger_account_id where settings.client_id = ${clientId}`,
  )
  const linesOf = groupBy(lines, (line) => line['bill'] ?? '')
  const sharesOf = groupBy(shares, (share) => share['service'] ?? '')
  const sums = new Map<string, bigint>()
  const add = (key: string, cents: bigint): void => void sums.set(key, (sums.get(key) ?? 0n) + cents)
  for (const bill of bills) {
    const of = (key: string): bigint => BigInt(bill[key] ?? 0)
    const own = linesOf.get(bill['id'] ?? '') ?? []
    const ownLate = settings?.['late'] ? of('late') : 0n
    const rest = of('current') + of('late') - ownLate - sum(own.map((line) => BigInt(line['cents'] ?? 0)))
    const extra = shared(rest, weightsOf(own))
    const book = (name: string, cents: bigint): void => add(`${bill['division']} | ${name}`, cents)
    for (const [place, line] of own.entries()) {
      const targets = sharesOf.get(line['service'] ?? '') ?? []
      const parts = shared(
        BigInt(line['cents'] ?? 0) + (extra[place] ?? 0n),
        targets.length === 0 ? [1n] : targets.map((one) => BigInt(one['ratio'] ?? 0)),
      )
      for (const [at, part] of parts.entries()) book(targets[at]?.['name'] ?? '', part)
    }
    if (own.length === 0) book('', rest)
    if (ownLate !== 0n) book(settings?.['late'] ?? '', ownLate)
    const prior = of('due') - of('current') - of('late')
    if (prior !== 0n) book(settings?.['prior'] ?? '', prior)
    add(' | payable', -of('due'))
  }
  return sums
}

function weightsOf(lines: readonly Raw[]): bigint[] {
  const charges = lines.map((line) => abs(BigInt(line['cents'] ?? 0)))
  if (charges.some((one) => one > 0n)) return charges
  const units = new Set(lines.map((line) => line['unit']))
  const usages = lines.map((line) => BigInt(line['usage'] ?? 0))
  return units.size === 1 && !units.has(null) && usages.some((one) => one > 0n) ? usages : lines.map(() => 1n)
}

/** By largest remainder: ties to the larger weight, then to the earlier one. */
function shared(cents: bigint, weights: readonly bigint[]): bigint[] {
  const all = sum(weights)
  if (weights.length === 0) return []
  const even = all === 0n ? weights.map(() => 1n) : weights
  const whole = sum(even)
  const parts = even.map((weight, place) => ({ place, weight, part: (abs(cents) * weight) / whole, rest: (abs(cents) * weight) % whole }))
  let left = abs(cents) - sum(parts.map(({ part }) => part))
  const lucky = new Set<number>()
  for (const { place } of parts.toSorted((a, b) =>
    a.rest === b.rest ? (a.weight === b.weight ? a.place - b.place : a.weight > b.weight ? -1 : 1) : a.rest > b.rest ? -1 : 1,
  )) {
    if (left === 0n) break
    lucky.add(place)
    left -= 1n
  }
  return parts.map(({ place, part }) => (cents < 0n ? -1n : 1n) * (part + (lucky.has(place) ? 1n : 0n)))
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value
}

/** One question in plain SQL. */
export async function rowsOf(db: Client, text: string): Promise<Raw[]> {
  return (await db.query<Raw>(text)).rows
}
