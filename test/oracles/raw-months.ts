/**
 * The months of every meter and account of a client on one of three bases, from the raw rows of bills, lines, charges, units and factors. A
 * second program: it imports nothing of the product, reads no table of sums, and does its own arithmetic in whole cents and whole millionths.
 */
import type { Client } from 'pg'

/** Bills by the days that they cover, whole in the month of their date, or whole in their fiscal month. */
export type Basis = 'calendarized' | 'billed' | 'fiscal'

/** The sums of one meter, or of one account's bills without a meter, in one month. */
export interface OwnerMonth {
  readonly owner: string
  readonly month: string
  /** The covered days of the month; where bills count whole, all days of the lines that count in it. */
  readonly days: Set<string>
  /** The bills that count in the month: with a day in it, or without days and dated in it, or whole. */
  readonly bills: Set<number>
  utility: bigint
  supply: bigint
  other: bigint
  /** Millionths of the standard unit; null where no line has usage. */
  usage: bigint | null
  /** Usage that a linked supplier has metered again. */
  again: bigint | null
  kg: bigint
}

export interface Owner {
  readonly key: string
  readonly service_id: number | null
  readonly utility_id: number | null
  readonly billable_account_id: number | null
  readonly supply_account_id: number | null
  readonly facility_id: number | null
  /** Active meters of active accounts, with the days on which they are expected. */
  readonly configured: boolean
  readonly from: string | null
  readonly to: string | null
}

export interface Utility {
  readonly id: number
  readonly name: string
  readonly code: string
  readonly unit: string | null
  readonly kbtu: string | null
}

export interface World {
  readonly basis: Basis
  readonly owners: ReadonlyMap<string, Owner>
  readonly months: readonly OwnerMonth[]
  readonly utilities: ReadonlyMap<number, Utility>
  readonly facilities: ReadonlyMap<number, { readonly name: string; readonly division_id: number | null; readonly area: string | null }>
  readonly divisions: ReadonlyMap<number, string>
  readonly accounts: readonly {
    readonly id: number
    readonly kind: 'billable' | 'supply'
    /** The number and the name. */
    readonly label: string
    readonly group: boolean
    readonly group_id: number | null
  }[]
  /** Which supply accounts supply which services, and who bills them. */
  readonly supplies: readonly { readonly supply_account_id: number; readonly service_id: number; readonly vendor: string }[]
}

type Raw = Record<string, string | null>

export async function readWorld(db: Client, clientId: number, basis: Basis = 'calendarized'): Promise<World> {
  const rows = async (text: string): Promise<Raw[]> => (await db.query<Raw>(text.replaceAll('$1', String(clientId)))).rows
  const bills =
    await rows(`select id::text, billable_account_id::text as billable, supply_account_id::text as supply, date::text, previous_read_date::text as start, read_date::text as stop,
    ((current_charges + late_fee) * 100)::bigint::text as cents, superseded_by_id::text as void, group_bill_id::text as parent, fiscal_month as fiscal from bills where client_id = $1 order by id`)
  const lines =
    await rows(`select line.id::text, line.bill_id::text as bill, line.service_id::text as service, line.position::text, line.previous_read_date::text as start, line.read_date::text as stop,
      line.usage::text, line.unit_id::text as unit, line.supply_bill_id::text as supply_bill, line.fiscal_month as fiscal, unit.conversion_factor::text as conversion
    from service_bills line join services service on service.client_id = line.client_id and service.id = line.service_id
    left join usage_units unit on unit.utility_service_id = service.utility_service_id and unit.unit_id = line.unit_id
    where line.client_id = $1 order by line.bill_id, line.position, line.id`)
  const charges = await rows(`select value.service_bill_id::text as line, field.category, (value.value * 100)::bigint::text as cents
      from service_bill_entry_values value join entry_fields field on field.id = value.entry_field_id where value.client_id = $1
    union all select service_bill_id::text, 'other', (round(value, 2) * 100)::bigint::text from service_bill_additional_values where client_id = $1`)
  const factors =
    await rows(`select given.service_bill_id::text as line, factor.name, given.value::text from service_bill_usage_factors given
    join usage_factors factor on factor.id = given.usage_factor_id where given.client_id = $1 and factor.adjustment_factor`)
  const services =
    await rows(`select service.id::text, service.billable_account_id::text as billable, service.supply_account_id::text as supply, service.utility_service_id::text as utility,
      service.emissions_factor::text as own_factor, (service.active and coalesce(account.active, supplier.active))::text as active,
      greatest(service.effective_from, account.effective_from, supplier.effective_from)::text as since, least(service.effective_to, account.effective_to, supplier.effective_to)::text as until,
      coalesce(account.facility_id, supplier.facility_id)::text as facility
    from services service left join billable_accounts account on account.client_id = service.client_id and account.id = service.billable_account_id
    left join supply_accounts supplier on supplier.client_id = service.client_id and supplier.id = service.supply_account_id where service.client_id = $1`)
  const accounts =
    await rows(`select id::text, 'billable' as kind, account_number || ' ' || name as label, facility_id::text as facility, utility_service_id::text as utility, is_group_account::text as is_group, group_account_id::text as group_id
      from billable_accounts where client_id = $1
    union all select id::text, 'supply', account_number || ' ' || name, facility_id::text, null, is_group_account::text, group_supply_account_id::text from supply_accounts where client_id = $1`)
  const utilities =
    await rows(`select kind.id::text, kind.name, kind.code, kind.kbtu_factor::text as kbtu, kind.emissions_factor::text as factor, kind.inventoriable::text, units.symbol
    from utility_services kind left join usage_units unit on unit.utility_service_id = kind.id and unit.standard left join units on units.id = unit.unit_id`)
  const editions = await rows(
    `select utility_service_id::text as utility, effective_from::text as since, value::text from emission_factors order by effective_from`,
  )
  const supplied =
    await rows(`select link.supply_account_id::text as account, link.service_id::text as service, vendor.name as vendor from supply_account_billable_services link
    join supply_accounts account on account.client_id = link.client_id and account.id = link.supply_account_id join vendors vendor on vendor.id = account.vendor_id where link.client_id = $1`)
  const shown = await rows(`select service_bill_id::text as line from bill_linked_service_bills where client_id = $1`)
  const facilities = await rows(
    `select id::text, name, division_id::text as division, square_footage::text as area from facilities where client_id = $1`,
  )
  const divisions = await rows(`select id::text, name from divisions where client_id = $1`)

  const serviceOf = new Map(services.map((one) => [one['id'] ?? '', one]))
  const accountOf = new Map(accounts.map((one) => [`${one['kind']} ${one['id']}`, one]))
  const owners = new Map<string, Owner>()
  for (const one of services)
    owners.set(`meter ${one['id']}`, {
      key: `meter ${one['id']}`,
      service_id: int(one['id']),
      utility_id: int(one['utility']),
      billable_account_id: int(one['billable']),
      supply_account_id: int(one['supply']),
      facility_id: int(one['facility']),
      configured: one['active'] === 'true',
      from: one['since'] ?? null,
      to: one['until'] ?? null,
    })

  // Void bills do not count. A group's bill counts for what the bills of its children leave.
  const carried = new Map<string, bigint>()
  for (const bill of bills)
    if (bill['void'] === null && bill['parent'])
      carried.set(bill['parent'], (carried.get(bill['parent']) ?? 0n) + BigInt(bill['cents'] ?? 0))
  const leftOf = (bill: Raw): bigint | null => {
    const children = carried.get(bill['id'] ?? '')
    if (children === undefined) return null
    const whole = BigInt(bill['cents'] ?? 0)
    const left = whole - children
    return whole < 0n ? (left < 0n ? left : 0n) : left > 0n ? left : 0n
  }
  const counted = bills.filter((bill) => bill['void'] === null && leftOf(bill) !== 0n)
  const billOf = new Map(counted.map((bill) => [bill['id'] ?? '', bill]))
  const linesOf = groupBy(lines, (line) => line['bill'] ?? '')
  const chargesOf = groupBy(charges, (one) => one['line'] ?? '')
  const factorsOf = groupBy(factors, (one) => one['line'] ?? '')
  const shownLines = new Set(shown.map((one) => one['line']))
  const namingSupply = new Set(lines.flatMap((line) => line['supply_bill'] ?? []))
  const editionsOf = groupBy(editions, (one) => one['utility'] ?? '')
  const utilityOf = new Map(utilities.map((one) => [one['id'] ?? '', one]))

  // The end of a line that lies one day before the next start of its meter is moved up to it.
  const ends = new Map<string, string | null>()
  for (const own of groupBy(
    lines.filter((line) => billOf.has(line['bill'] ?? '')),
    (line) => line['service'] ?? '',
  ).values()) {
    const sorted = own.toSorted((a, b) => compare(a['stop'] ?? '', b['stop'] ?? '') || Number(a['id']) - Number(b['id']))
    for (const [place, line] of sorted.entries()) {
      const next = sorted[place + 1]?.['start']
      ends.set(line['id'] ?? '', line['stop'] && next && daysFrom(line['stop'], next) === 1 ? next : (line['stop'] ?? null))
    }
  }

  const kilograms = (serviceId: string, month: string, used: bigint): bigint => {
    const service = serviceOf.get(serviceId)
    const utility = utilityOf.get(service?.['utility'] ?? '')
    if (!service || utility?.['inventoriable'] !== 'true') return 0n
    const inForce = (editionsOf.get(service['utility'] ?? '') ?? []).filter((one) => (one['since'] ?? '') <= `${month}-01`).at(-1)
    const factor = service['own_factor'] ?? inForce?.['value'] ?? utility['factor'] ?? '0'
    return halfAway(used * unitsOf(factor, 4), 10_000n)
  }
  const partsOf = ({ start, stop }: { start: string | null; stop: string | null }, bill: Raw, line?: Raw): MonthPart[] => {
    const date = bill['date'] ?? ''
    if (basis === 'calendarized') return monthParts(start, stop, date)
    const booked = basis === 'fiscal' ? (line?.['fiscal'] ?? bill['fiscal'] ?? date) : date
    const days =
      start === null || stop === null
        ? []
        : Array.from({ length: Math.max(0, daysFrom(start, stop)) }, (_, place) => dayAfter(start, place))
    return [{ month: booked.slice(0, 7), days, before: 0n, upTo: 1n, of: 1n }]
  }

  const months = new Map<string, OwnerMonth>()
  const at = (owner: string, month: string): OwnerMonth => {
    const key = `${owner} ${month}`
    const found = months.get(key) ?? {
      owner,
      month,
      days: new Set<string>(),
      bills: new Set<number>(),
      utility: 0n,
      supply: 0n,
      other: 0n,
      usage: null,
      again: null,
      kg: 0n,
    }
    months.set(key, found)
    return found
  }

  for (const bill of counted) {
    const own = linesOf.get(bill['id'] ?? '') ?? []
    const left = leftOf(bill)
    const whole = BigInt(bill['cents'] ?? 0)
    if (own.length === 0) {
      const kind = bill['billable'] ? 'billable' : 'supply'
      const account = accountOf.get(`${kind} ${bill[kind]}`)
      const owner = `account ${kind} ${bill[kind]}`
      owners.set(owner, {
        key: owner,
        service_id: null,
        utility_id: int(account?.['utility']),
        billable_account_id: int(bill['billable']),
        supply_account_id: int(bill['supply']),
        facility_id: int(account?.['facility']),
        configured: false,
        from: null,
        to: null,
      })
      for (const part of partsOf({ start: bill['start'] ?? null, stop: bill['stop'] ?? null }, bill)) {
        const month = at(owner, part.month)
        month.bills.add(Number(bill['id']))
        month.other += partOf(left ?? whole, part)
      }
      continue
    }
    const split = own.map((line) => {
      const of = (category: string) =>
        sum((chargesOf.get(line['id'] ?? '') ?? []).filter((one) => one['category'] === category).map((one) => BigInt(one['cents'] ?? 0)))
      return { utility: of('utility'), supply: of('supply'), other: of('other') }
    })
    const totals = split.map((one) => one.utility + one.supply + one.other)
    const beside = shares(
      whole - sum(totals),
      totals.map(size),
      // Usage weighs only where all of it is counted in one unit that is known.
      own.map((line) =>
        line['unit'] && own.every((other) => other['unit'] === line['unit']) ? size(unitsOf(line['usage'] ?? '0', 3)) : 0n,
      ),
    )
    let passed = 0n
    for (const [place, line] of own.entries()) {
      const charge = split[place] ?? { utility: 0n, supply: 0n, other: 0n }
      const parts = [charge.utility, charge.supply, charge.other + (beside[place] ?? 0n)].map((amount) => {
        const before = passed
        passed += amount
        if (left === null) return amount
        return whole === 0n ? 0n : halfAway(passed * left, whole) - halfAway(before * left, whole)
      })
      const service = serviceOf.get(line['service'] ?? '')
      const owner = `meter ${line['service']}`
      const used = left === null ? standardUsage(line, factorsOf.get(line['id'] ?? '') ?? []) : null
      const isAgain =
        service?.['supply'] !== null &&
        service !== undefined &&
        (line['supply_bill'] !== null ||
          shownLines.has(line['id'] ?? '') ||
          namingSupply.has(line['bill'] ?? '') ||
          supplied.some(
            (link) => link['account'] === service['supply'] && serviceOf.get(link['service'] ?? '')?.['utility'] === service['utility'],
          ))
      for (const part of partsOf({ start: line['start'] ?? null, stop: ends.get(line['id'] ?? '') ?? null }, bill, line)) {
        const month = at(owner, part.month)
        month.bills.add(Number(bill['id']))
        for (const day of part.days) month.days.add(day)
        month.utility += partOf(parts[0] ?? 0n, part)
        month.supply += partOf(parts[1] ?? 0n, part)
        month.other += partOf(parts[2] ?? 0n, part)
        if (used === null) continue
        if (basis !== 'calendarized' && !isAgain) month.kg += kilograms(line['service'] ?? '', part.month, used)
        if (isAgain) month.again = (month.again ?? 0n) + partOf(used, part)
        else month.usage = (month.usage ?? 0n) + partOf(used, part)
      }
    }
  }
  // The sum of a month is rounded where bills are spread over months; each line is rounded where bills count whole.
  if (basis === 'calendarized')
    for (const month of months.values()) month.kg = kilograms(month.owner.replace('meter ', ''), month.month, month.usage ?? 0n)
  return {
    basis,
    owners,
    months: [...months.values()],
    utilities: new Map(
      utilities.map((one) => [
        int(one['id']) ?? 0,
        {
          id: int(one['id']) ?? 0,
          name: one['name'] ?? '',
          code: one['code'] ?? '',
          unit: one['symbol'] ?? null,
          kbtu: one['kbtu'] ?? null,
        },
      ]),
    ),
    facilities: new Map(
      facilities.map((one) => [
        int(one['id']) ?? 0,
        { name: one['name'] ?? '', division_id: int(one['division']), area: one['area'] ?? null },
      ]),
    ),
    divisions: new Map(divisions.map((one) => [int(one['id']) ?? 0, one['name'] ?? ''])),
    accounts: accounts.map((one) => ({
      id: int(one['id']) ?? 0,
      kind: one['kind'] === 'billable' ? 'billable' : 'supply',
      label: one['label'] ?? '',
      group: one['is_group'] === 'true',
      group_id: int(one['group_id']),
    })),
    supplies: supplied.map((one) => ({
      supply_account_id: int(one['account']) ?? 0,
      service_id: int(one['service']) ?? 0,
      vendor: one['vendor'] ?? '',
    })),
  }
}

/** Usage times the adjustment factors times the conversion of its unit, which a billed therm factor takes the place of. */
function standardUsage(line: Raw, factors: readonly Raw[]): bigint | null {
  if (line['usage'] === null || line['usage'] === undefined || line['conversion'] === null || line['conversion'] === undefined) return null
  const isTherm = factors.some((one) => one['name'] === 'Therm Factor' && unitsOf(one['value'] ?? '1', 4) !== 10_000n)
  let numerator = unitsOf(line['usage'], 3) * (isTherm ? 1_000_000_000n : unitsOf(line['conversion'], 9))
  let denominator = 1_000n * 1_000_000_000n
  for (const factor of factors) {
    numerator *= unitsOf(factor['value'] ?? '1', 4)
    denominator *= 10_000n
  }
  return halfAway(numerator * 1_000_000n, denominator)
}

interface MonthPart {
  readonly month: string
  readonly days: readonly string[]
  readonly before: bigint
  readonly upTo: bigint
  readonly of: bigint
}

/** The days [start, stop) by month; without such days all of it in the month of the bill. */
function monthParts(start: string | null, stop: string | null, billDate: string): MonthPart[] {
  if (start === null || stop === null || stop <= start) return [{ month: billDate.slice(0, 7), days: [], before: 0n, upTo: 1n, of: 1n }]
  const days = Array.from({ length: daysFrom(start, stop) }, (_, place) => dayAfter(start, place))
  let passed = 0n
  return [...groupBy(days, (day) => day.slice(0, 7))].map(([month, own]) => {
    const before = passed
    passed += BigInt(own.length)
    return { month, days: own, before, upTo: passed, of: BigInt(days.length) }
  })
}

/** Cumulative: what is given up to the month's end less what was given before. */
function partOf(amount: bigint, { before, upTo, of }: MonthPart): bigint {
  return halfAway(amount * upTo, of) - halfAway(amount * before, of)
}

/** An amount over lines by their charges, else by their usage, else equally; what is left goes to the largest remainders, the heavier first. */
function shares(amount: bigint, byCharge: readonly bigint[], byUsage: readonly bigint[]): bigint[] {
  const weights = [byCharge, byUsage].find((some) => some.some((weight) => weight > 0n)) ?? byCharge.map(() => 1n)
  const total = sum(weights)
  const parts = weights.map((weight, place) => ({
    place,
    weight,
    part: (size(amount) * weight) / total,
    rest: (size(amount) * weight) % total,
  }))
  const open = Number(size(amount) - sum(parts.map((one) => one.part)))
  const lucky = new Set(
    parts
      .toSorted((a, b) => compare(b.rest, a.rest) || compare(b.weight, a.weight) || a.place - b.place)
      .slice(0, open)
      .map((one) => one.place),
  )
  return parts.map((one) => (one.part + (lucky.has(one.place) ? 1n : 0n)) * (amount < 0n ? -1n : 1n))
}

export function halfAway(numerator: bigint, denominator: bigint): bigint {
  const negative = numerator < 0n !== denominator < 0n
  const [n, d] = [size(numerator), size(denominator)]
  const rounded = (n * 2n + d) / (d * 2n)
  return negative ? -rounded : rounded
}

export function size(value: bigint): bigint {
  return value < 0n ? -value : value
}

export function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n)
}

/** A decimal text as whole units of its last place. */
export function unitsOf(text: string, places: number): bigint {
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.')
  const units = BigInt(whole + fraction.slice(0, places).padEnd(places, '0'))
  return text.startsWith('-') ? -units : units
}

export function compare<T extends bigint | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0
}

export function groupBy<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const value of values) {
    const key = keyOf(value)
    const group = groups.get(key)
    if (group) group.push(value)
    else groups.set(key, [value])
  }
  return groups
}

const DAY_MS = 86_400_000

export function daysFrom(start: string, stop: string): number {
  return Math.round((Date.parse(stop) - Date.parse(start)) / DAY_MS)
}

export function dayAfter(start: string, days: number): string {
  return new Date(Date.parse(start) + days * DAY_MS).toISOString().slice(0, 10)
}

function int(text: string | null | undefined): number | null {
  return text === null || text === undefined ? null : Number(text)
}
