/** Computes the figures of a dashboard from the raw months of `raw-months.ts`, each named by its path in the answer. */
import {
  compare,
  dayAfter,
  daysFrom,
  groupBy,
  halfAway,
  size,
  sum,
  unitsOf,
  type Basis,
  type Owner,
  type OwnerMonth,
  type World,
} from './raw-months.ts'

export interface Asked {
  readonly basis: Basis
  readonly scope_type: string
  readonly scope_id: number
  readonly service: number | null
  readonly range: 'last_12_months' | 'last_6_months' | 'last_3_months' | 'year_to_date' | 'custom'
  /** First and last month of a custom range. */
  readonly months?: readonly [string, string]
  readonly compare_to_last_year: boolean
  readonly graph: 'cost' | 'usage' | 'unit_cost' | 'emissions'
  readonly as_of: string
}

export type Cells = Map<string, string | number | null>

/** A month of an owner, or the part of it that counts. */
interface Part {
  readonly owner: Owner
  readonly month: string
  readonly days: ReadonlySet<string>
  readonly utility: bigint
  readonly supply: bigint
  readonly other: bigint
  /** As the scope counts it: a supply account counts what its own lines meter. */
  readonly usage: bigint | null
  readonly elsewhere: boolean
  readonly kg: bigint
}

interface Windows {
  readonly now: readonly string[]
  readonly before: readonly string[]
}

export function figures(world: World, asked: Asked): Cells {
  const windows = windowsOf(asked)
  const isSupply = asked.scope_type.includes('supply')
  const inScope = scopeOf(world, asked)
  const isChosen = (owner: Owner) => asked.service === null || owner.utility_id === asked.service
  const all = partsOf(world, isSupply, inScope)
  const parts = all.filter((part) => isChosen(part.owner))
  const [now, before] = [within(parts, windows.now), within(parts, windows.before)]
  const [likeNow, likeBefore] = alike(world, parts, windows)
  const owners = [...world.owners.values()].filter((owner) => inScope(owner) && isChosen(owner))
  const covered = [coverage(owners, parts, windows.now), coverage(owners, parts, windows.before)] as const
  // Too little is covered, or nothing is billed in both.
  const isWithheld = likeNow.length === 0 || covered.some((share) => share !== null && unitsOf(share, 4) < 5_000n)
  const cells: Cells = new Map()
  cells.set('coverage.current', covered[0])
  cells.set('coverage.previous', covered[1])

  const linked = linkedParts(world, asked, inScope).filter((part) => isChosen(part.owner))
  const [linkedNow, linkedBefore] = [within(linked, windows.now), within(linked, windows.before)]
  const [linkedLikeNow, linkedLikeBefore] = alike(world, linked, windows)
  const basis = basisOf(
    world,
    asked,
    parts.filter((part) => [...windows.now, ...windows.before].includes(part.month)),
  )
  const metric = (name: string, of: (parts: readonly Part[], linked: readonly Part[]) => string | null) => {
    const like = likeNow.length === 0 ? [null, null] : [of(likeNow, linkedLikeNow), of(likeBefore, linkedLikeBefore)]
    put(cells, `dashboard.${name}`, of(now, linkedNow), of(before, linkedBefore), like, isWithheld)
  }
  const unitCost = (cents: bigint | null, some: readonly Part[]) => {
    const used = basis.costUsage(some)
    return cents === null || used === null || used.top === 0n ? null : ratio(cents * used.bottom, used.top * 100n, 4)
  }
  metric('total_utility_cost', (some) => money(costOf(some)))
  metric('service_usage', (some) => {
    const used = basis.usage(some)
    return used === null ? null : ratio(used.top, used.bottom, 3)
  })
  cells.set('dashboard.service_usage.unit_symbol', basis.unit)
  cells.set('dashboard.total_unit_cost.unit_symbol', basis.costUnit)
  cells.set('dashboard.total_unit_cost.unit_of', basis.costUnitOf)
  metric('total_unit_cost', (some) => unitCost(costOf(some), some))
  metric('distribution_unit', (some) => unitCost(nothing(sum(some.map((part) => part.utility))), some))
  metric('supply_unit', (some, more) =>
    unitCost(nothing(sum(some.map((part) => part.supply)) + sum(more.map((part) => part.utility + part.supply))), some),
  )
  metric('account_total_unit', (some, more) => unitCost(costOf(some) + costOf(more), some))
  metric('total_mtc02e', tonnes)
  const distinctDays = (some: readonly Part[]) => new Set(some.flatMap((part) => [...part.days])).size
  const fewer = Math.min(distinctDays(likeNow), distinctDays(likeBefore))
  metric('average_cost_per_day', (some) => {
    // Where bills count whole, the windows were reduced to the days that both bill.
    const days = world.basis !== 'calendarized' && (some === likeNow || some === likeBefore) ? fewer : distinctDays(some)
    return days === 0 ? null : ratio(costOf(some), BigInt(days) * 100n, 2)
  })

  const client = partsOf(world, false, () => true)
  const share = (some: readonly Part[], months: readonly string[]) => percent(costOf(some), costOf(within(client, months)))
  const shares = [share(now, windows.now), share(before, windows.before)]
  put(cells, 'dashboard.utility_cost_percentage', shares[0] ?? null, shares[1] ?? null, shares, isWithheld)

  const meters = (some: readonly Part[]) => new Set(some.filter((part) => part.days.size > 0).map((part) => part.owner.key)).size
  cells.set('dashboard.total_active_meters.current', meters(now))
  cells.set('dashboard.total_active_meters.previous', meters(before))
  cells.set('dashboard.total_active_meters.configured', owners.filter((owner) => owner.configured).length)

  const sides = { now, before, likeNow, likeBefore, isWithheld }
  const facilityName = (id: number | null) => (id === null ? '' : (world.facilities.get(id)?.name ?? ''))
  const kilograms = (some: readonly Part[]) => sum(some.map((part) => part.kg))
  leader(cells, 'highest_cost_facility', sides, facilityOf, facilityName, costOf, money)
  leader(cells, 'highest_mtc02e_facility', sides, facilityOf, facilityName, kilograms, (kg) => ratio(kg, 1_000_000_000n, 2), 1n)
  leader(
    cells,
    'highest_cost_division',
    sides,
    divisionOf(world),
    (id) => (id === null ? '' : (world.divisions.get(id) ?? '')),
    costOf,
    money,
  )
  leader(
    cells,
    'highest_cost_service',
    sides,
    (part) => part.owner.utility_id ?? 0,
    (id) => serviceName(world, id || null),
    costOf,
    money,
  )

  for (const [name, own] of groupBy(
    parts.filter((part) => [...windows.now, ...windows.before].includes(part.month)),
    (part) => nameOfService(world, part),
  )) {
    const isOwn = (part: Part) => nameOfService(world, part) === name
    const ownOwners = owners.filter((owner) => serviceName(world, owner.utility_id) === name)
    const ownCovered = [coverage(ownOwners, own, windows.now), coverage(ownOwners, own, windows.before)]
    const ownWithheld = ownCovered.some((one) => one !== null && unitsOf(one, 4) < 5_000n)
    cells.set(`summary.${name}.coverage.current`, ownCovered[0] ?? null)
    cells.set(`summary.${name}.coverage.previous`, ownCovered[1] ?? null)
    const [ownLikeNow, ownLikeThen] = [likeNow.filter(isOwn), likeBefore.filter(isOwn)]
    const row = (key: string, of: (some: readonly Part[]) => string | null) =>
      put(
        cells,
        `summary.${name}.${key}`,
        of(within(own, windows.now)),
        of(within(own, windows.before)),
        ownLikeNow.length === 0 ? [null, null] : [of(ownLikeNow), of(ownLikeThen)],
        ownWithheld,
      )
    row('cost', (some) => money(costOf(some)))
    row('usage', (some) => text(usageOf(some), 3))
    row('unit_cost', (some) => unitCostOf(some))
    row('mtc02e', tonnes)
  }

  for (const [place, month] of windows.now.entries()) {
    const before = windows.before[place] ?? ''
    cells.set(`graphs.coverage.${month}.current`, world.basis === 'calendarized' ? coverage(owners, parts, [month]) : null)
    cells.set(`graphs.coverage.${month}.previous`, world.basis === 'calendarized' ? coverage(owners, parts, [before]) : null)
    graphCells(cells, world, asked, parts, month, before)
  }
  return cells
}

export type ChildKind = 'divisions' | 'facilities' | 'accounts' | 'services'

/** Months of the period that is asked for. */
export function monthsAsked(asked: Asked): number {
  return windowsOf(asked).now.length
}

/** Cost per square foot of each month: cost and area of the facilities that have both in the month. */
export function monthsPerArea(world: World, asked: Asked): ReadonlyMap<string, string | null> {
  const windows = windowsOf(asked)
  const inScope = scopeOf(world, asked)
  const isMine = (owner: Owner) => inScope(owner) && (asked.service === null || owner.utility_id === asked.service)
  const parts = partsOf(world, asked.scope_type.includes('supply'), isMine).filter((part) => areaAt(world, part) > 0n)
  return new Map(
    [...windows.now, ...windows.before].map((month) => {
      const own = within(parts, [month])
      const area = areaUnder(world, own)
      return [month, area === 0n ? null : ratio(costOf(own) * 10_000n, area * 100n, 4)]
    }),
  )
}

/** The figures of each child by its name, and those of the whole under 'total'. */
export function childFigures(world: World, asked: Asked, kind: ChildKind): ReadonlyMap<string, Cells> {
  const windows = windowsOf(asked)
  const inScope = scopeOf(world, asked)
  const isMine = (owner: Owner) => inScope(owner) && (asked.service === null || owner.utility_id === asked.service)
  const parts = partsOf(world, asked.scope_type.includes('supply'), isMine)
  const [likeNow, likeBefore] = alike(world, parts, windows)
  const owners = [...world.owners.values()].filter(isMine)
  // A client has hundreds of accounts: each owner is named once, and each list is divided once.
  const keys = new Map(owners.map((owner) => [owner.key, `${childId(world, owner, kind) ?? ''} ${childName(world, owner, kind)}`]))
  const divided = (some: readonly Part[]) => {
    const byKey = groupBy(some, (part) => keys.get(part.owner.key) ?? '')
    return (key: string): readonly Part[] => (key === 'total' ? some : (byKey.get(key) ?? []))
  }
  const billed = within(parts, [...windows.now, ...windows.before])
  const [billedOf, alikeNowOf, alikeBeforeOf] = [divided(billed), divided(likeNow), divided(likeBefore)]
  const ownersOf = groupBy(owners, (owner) => keys.get(owner.key) ?? '')
  const found = new Map<string, Cells>()
  for (const key of ['total', ...new Set(billed.map((part) => keys.get(part.owner.key) ?? ''))]) {
    const own = billedOf(key)
    const [now, before, alikeNow, alikeBefore] = [
      within(own, windows.now),
      within(own, windows.before),
      alikeNowOf(key),
      alikeBeforeOf(key),
    ]
    const ownOwners = key === 'total' ? owners : (ownersOf.get(key) ?? [])
    const covered = [windows.now, windows.before].map((months) => coverage(ownOwners, own, months))
    const isWithheld = alikeNow.length === 0 || covered.some((share) => share !== null && unitsOf(share, 4) < 5_000n)
    const cells: Cells = new Map()
    const set = (path: string, figure: (some: readonly Part[]) => string | null) =>
      put(
        cells,
        path,
        figure(now),
        figure(before),
        alikeNow.length === 0 ? [null, null] : [figure(alikeNow), figure(alikeBefore)],
        isWithheld,
      )
    const isOneService = asked.service !== null || (kind === 'services' && key !== 'total')
    set('cost', (some) => money(costOf(some)))
    set('usage', (some) => {
      if (isOneService && !key.endsWith(' No utility service')) return text(usageOf(some), 3)
      const energy = kbtu(world, some)
      return energy === null ? null : ratio(halfAway(energy, 1_000_000_000n), 1_000_000n, 3)
    })
    set('cost_per_sqft', (some) => {
      const own = some.filter((part) => areaAt(world, part) > 0n)
      const area = areaUnder(world, own)
      return area === 0n ? null : ratio(costOf(own) * 10_000n, area * 100n, 4)
    })
    set('energy_per_sqft', (some) => {
      const own = some.filter((part) => areaAt(world, part) > 0n && kbtu(world, [part]) !== null)
      const [area, energy] = [areaUnder(world, own), kbtu(world, own)]
      return area === 0n || energy === null ? null : ratio(energy * 10_000n, area * 1_000_000_000_000n, 4)
    })
    set('mtc02e', tonnes)
    cells.set('coverage.current', covered[0] ?? null)
    cells.set('coverage.previous', covered[1] ?? null)
    if (key !== 'total') cells.set('spent', money(costOf(now)))
    found.set(key, cells)
  }
  return found
}

/** Two facilities may have one name. */
function childId(world: World, { facility_id, billable_account_id, supply_account_id, utility_id }: Owner, kind: ChildKind): number | null {
  switch (kind) {
    case 'divisions':
      return world.facilities.get(facility_id ?? 0)?.division_id ?? null
    case 'facilities':
      return facility_id
    case 'accounts':
      return billable_account_id ?? supply_account_id
    case 'services':
      return utility_id
  }
}

function childName(world: World, { facility_id, billable_account_id, supply_account_id, utility_id }: Owner, kind: ChildKind): string {
  const facility = facility_id === null ? undefined : world.facilities.get(facility_id)
  switch (kind) {
    case 'divisions':
      return world.divisions.get(facility?.division_id ?? 0) ?? ''
    case 'facilities':
      return facility?.name ?? ''
    case 'accounts':
      return (
        world.accounts.find((one) =>
          one.kind === 'billable' ? one.id === billable_account_id : billable_account_id === null && one.id === supply_account_id,
        )?.label ?? ''
      )
    case 'services':
      return serviceName(world, utility_id)
  }
}

/** kBtu with 12 places. */
function kbtu(world: World, parts: readonly Part[]): bigint | null {
  const each = parts.flatMap((part) => {
    const factor = world.utilities.get(part.owner.utility_id ?? 0)?.kbtu ?? null
    return factor === null || part.usage === null ? [] : [part.usage * unitsOf(factor, 6)]
  })
  return each.length === 0 ? null : sum(each)
}

/** Square feet with 4 places. */
function areaAt(world: World, { owner }: Part): bigint {
  return unitsOf(world.facilities.get(owner.facility_id ?? 0)?.area ?? '0', 4)
}

function areaUnder(world: World, parts: readonly Part[]): bigint {
  return sum([...groupBy(parts, (part) => `${part.owner.facility_id}`).values()].map(([first]) => (first ? areaAt(world, first) : 0n)))
}

/** Each value of a service. Where the series are accounts, their sum, because only the most expensive accounts have a series. */
function graphCells(cells: Cells, world: World, asked: Asked, parts: readonly Part[], month: string, before: string): void {
  const value = (some: readonly Part[]): string | null => {
    if (some.length === 0) return null
    if (asked.graph === 'cost') return money(costOf(some))
    if (asked.graph === 'usage') return text(usageOf(some), 3)
    return asked.graph === 'unit_cost' ? unitCostOf(some) : tonnes(some)
  }
  if (['facility', 'group_account', 'group_supply_account'].includes(asked.scope_type)) {
    if (asked.graph !== 'cost') return
    cells.set(`graphs.sum.${month}.current`, money(costOf(within(parts, [month]))))
    cells.set(`graphs.sum.${month}.previous`, money(costOf(within(parts, [before]))))
    return
  }
  const names = new Set(parts.map((part) => nameOfService(world, part)))
  for (const name of names) {
    const of = (one: string) => value(within(parts, [one]).filter((part) => nameOfService(world, part) === name))
    cells.set(`graphs.${name}.${month}.current`, of(month))
    cells.set(`graphs.${name}.${month}.previous`, of(before))
  }
}

interface Sides {
  readonly now: readonly Part[]
  readonly before: readonly Part[]
  readonly likeNow: readonly Part[]
  readonly likeBefore: readonly Part[]
  readonly isWithheld: boolean
}

/** The largest, ties by name and id. What belongs to no facility or division leads nothing. */
function leader(
  cells: Cells,
  key: string,
  { now, before, likeNow, likeBefore, isWithheld }: Sides,
  idOf: (part: Part) => number | null,
  nameOf: (id: number | null) => string,
  of: (parts: readonly Part[]) => bigint,
  textOf: (value: bigint) => string,
  least: bigint | null = null,
): void {
  const ids = [...new Set(now.map(idOf))].filter((id) => id !== null)
  const own = (some: readonly Part[], id: number) => some.filter((part) => idOf(part) === id)
  const ranked = ids.map((id) => ({ id, name: nameOf(id), value: of(own(now, id)) })).filter((one) => least === null || one.value >= least)
  const [first] = ranked.toSorted((a, b) => compare(b.value, a.value) || compare(a.name, b.name) || a.id - b.id)
  cells.set(`dashboard.${key}.name`, first?.name ?? null)
  if (!first) return
  const [alikeNow, alikeBefore] = [own(likeNow, first.id), own(likeBefore, first.id)]
  const like = alikeNow.length === 0 ? [null, null] : [textOf(of(alikeNow)), textOf(of(alikeBefore))]
  put(cells, `dashboard.${key}`, textOf(of(own(now, first.id))), textOf(of(own(before, first.id))), like, isWithheld)
}

function put(
  cells: Cells,
  path: string,
  current: string | null,
  previous: string | null,
  [likeNow = null, likeBefore = null]: readonly (string | null)[],
  isWithheld: boolean,
): void {
  cells.set(`${path}.current`, current)
  cells.set(`${path}.previous`, previous)
  cells.set(`${path}.like_for_like.current`, likeNow)
  cells.set(`${path}.like_for_like.previous`, likeBefore)
  cells.set(`${path}.change`, isWithheld ? null : change(likeNow, likeBefore))
}

/** The owners of a scope. */
function scopeOf(world: World, { scope_type, scope_id }: Asked): (owner: Owner) => boolean {
  const members = (kind: 'billable' | 'supply') =>
    new Set(world.accounts.filter((one) => one.kind === kind && (one.id === scope_id || one.group_id === scope_id)).map((one) => one.id))
  switch (scope_type) {
    case 'division':
      return (owner) => owner.facility_id !== null && world.facilities.get(owner.facility_id)?.division_id === scope_id
    case 'facility':
      return (owner) => owner.facility_id === scope_id
    case 'billable_accounts':
      return (owner) => owner.billable_account_id !== null
    case 'supply_accounts':
      return (owner) => owner.supply_account_id !== null
    case 'billable_account':
      return (owner) => owner.billable_account_id === scope_id
    case 'supply_account':
      return (owner) => owner.supply_account_id === scope_id
    case 'group_account':
      return (owner) => owner.billable_account_id !== null && members('billable').has(owner.billable_account_id)
    case 'group_supply_account':
      return (owner) => owner.supply_account_id !== null && members('supply').has(owner.supply_account_id)
    default:
      return () => true
  }
}

function partsOf(world: World, isSupply: boolean, inScope: (owner: Owner) => boolean): Part[] {
  return world.months.flatMap((month) => {
    const owner = world.owners.get(month.owner)
    return owner && inScope(owner) ? [partOf(owner, month, isSupply)] : []
  })
}

function partOf(owner: Owner, { month, days, utility, supply, other, usage, again, kg }: OwnerMonth, isSupply: boolean): Part {
  const told = isSupply && again !== null ? (usage ?? 0n) + again : usage
  return { owner, month, days, utility, supply, other, usage: told, elsewhere: again !== null && usage === null, kg }
}

/** Bills of the supply accounts that supply the meters of this delivery account and of no other. */
function linkedParts(world: World, asked: Asked, inScope: (owner: Owner) => boolean): Part[] {
  if (!['billable_accounts', 'billable_account', 'group_account'].includes(asked.scope_type)) return []
  const meters = new Set([...world.owners.values()].filter(inScope).map((owner) => owner.service_id))
  const accounts = new Set(world.supplies.filter((one) => meters.has(one.service_id)).map((one) => one.supply_account_id))
  for (const one of world.supplies) if (!meters.has(one.service_id)) accounts.delete(one.supply_account_id)
  return partsOf(world, true, (owner) => owner.supply_account_id !== null && accounts.has(owner.supply_account_id))
}

/**
 * Each owner's months in pairs, reduced to the days that both cover or that the other, shorter month does not have; where bills count whole, to as
 * many days as the one with fewer has.
 */
function alike({ basis }: World, parts: readonly Part[], { now, before }: Windows): [Part[], Part[]] {
  const at = new Map(parts.map((part) => [`${part.owner.key} ${part.month}`, part]))
  const kept: [Part[], Part[]] = [[], []]
  for (const part of parts) {
    const place = now.indexOf(part.month)
    const other = place < 0 ? undefined : at.get(`${part.owner.key} ${before[place]}`)
    if (!other) continue
    if (part.days.size === 0 && other.days.size === 0) {
      kept[0].push(part)
      kept[1].push(other)
      continue
    }
    const fewer = Math.min(part.days.size, other.days.size)
    const [mine, theirs] = basis === 'calendarized' ? [keptDays(part, other).size, keptDays(other, part).size] : [fewer, fewer]
    if (mine === 0 || theirs === 0) continue
    kept[0].push(reduced(part, basis === 'calendarized' ? keptDays(part, other) : part.days, mine))
    kept[1].push(reduced(other, basis === 'calendarized' ? keptDays(other, part) : other.days, theirs))
  }
  return kept
}

function keptDays(part: Part, other: Part): Set<string> {
  const lastOfOther = daysFrom(`${other.month}-01`, nextMonth(other.month))
  return new Set([...part.days].filter((day) => Number(day.slice(8)) > lastOfOther || other.days.has(`${other.month}${day.slice(7)}`)))
}

function reduced(part: Part, days: ReadonlySet<string>, count: number): Part {
  const of = (amount: bigint) => halfAway(amount * BigInt(count), BigInt(part.days.size))
  const { utility, supply, other, usage, kg } = part
  return { ...part, days, utility: of(utility), supply: of(supply), other: of(other), usage: usage === null ? null : of(usage), kg: of(kg) }
}

interface Quantity {
  readonly top: bigint
  readonly bottom: bigint
}

/** Usage has a sum within one service, in MMBtu over services of energy; water with sewer has none, and a cost per unit of water. */
function basisOf(world: World, asked: Asked, parts: readonly Part[]) {
  const ids =
    asked.service === null
      ? [...new Set(parts.filter((part) => part.usage !== null).map((part) => part.owner.utility_id))].concat(
          [...groupBy(parts, (part) => `${part.owner.utility_id} ${part.month}`).values()]
            .filter((own) => costOf(own) !== 0n)
            .map((own) => own[0]?.owner.utility_id ?? null),
        )
      : [asked.service]
  const used = [...new Set(ids)].flatMap((id) => (id === null ? [] : (world.utilities.get(id) ?? [])))
  const ofService =
    (id: number) =>
    (some: readonly Part[]): Quantity | null => {
      const total = usageOf(some.filter((part) => part.owner.utility_id === id))
      return total === null ? null : { top: total, bottom: 1_000_000n }
    }
  const none = () => null
  const [only] = used
  if (only && used.length === 1)
    return { unit: only.unit, costUnit: only.unit, costUnitOf: null, usage: ofService(only.id), costUsage: ofService(only.id) }
  if (used.length > 1 && used.every((one) => one.kbtu !== null)) {
    const energy = (some: readonly Part[]): Quantity | null => {
      const each = used.flatMap((one) => {
        const total = usageOf(some.filter((part) => part.owner.utility_id === one.id))
        return total === null ? [] : [total * unitsOf(one.kbtu ?? '0', 6)]
      })
      // kBtu with 12 places; a thousand are one MMBtu, with 6 places.
      return each.length === 0 ? null : { top: halfAway(sum(each), 1_000_000_000n), bottom: 1_000_000n }
    }
    return { unit: 'MMBtu', costUnit: 'MMBtu', costUnitOf: null, usage: energy, costUsage: energy }
  }
  const water = used.find((one) => one.code === 'water')
  if (water && used.every((one) => one.code === 'water' || one.code === 'sewer'))
    return { unit: null, costUnit: water.unit, costUnitOf: water.name, usage: none, costUsage: ofService(water.id) }
  return { unit: null, costUnit: null, costUnitOf: null, usage: none, costUsage: none }
}

/** Covered days of meters over the days on which configured ones are expected and retired ones are covered. */
function coverage(owners: readonly Owner[], parts: readonly Part[], months: readonly string[]): string | null {
  const first = `${months[0]}-01`
  const after = nextMonth(months.at(-1) ?? '')
  const coveredOf = (isCounted: (owner: Owner) => boolean) =>
    within(parts, months)
      .filter((part) => isCounted(part.owner))
      .reduce((total, part) => total + part.days.size, 0)
  const expected = owners
    .filter((owner) => owner.configured)
    .reduce(
      (total, { from, to }) => {
        const start = from !== null && from > first ? from : first
        const stop = to !== null && dayAfter(to, 1) < after ? dayAfter(to, 1) : after
        return total + Math.max(0, daysFrom(start, stop))
      },
      coveredOf((owner) => !owner.configured),
    )
  if (expected === 0) return null
  return ratio(
    BigInt(
      Math.min(
        coveredOf(() => true),
        expected,
      ),
    ),
    BigInt(expected),
    4,
  )
}

function windowsOf({ as_of, range, months, compare_to_last_year }: Asked): Windows {
  if (range === 'custom') return ownWindows(months ?? ['', ''])
  const last = addMonths(as_of.slice(0, 7), -1)
  const count = range === 'year_to_date' ? Number(last.slice(5)) : { last_12_months: 12, last_6_months: 6, last_3_months: 3 }[range]
  const now = Array.from({ length: count }, (_, place) => addMonths(last, place + 1 - count))
  const back = compare_to_last_year ? 12 : count
  return { now, before: now.map((month) => addMonths(month, -back)) }
}

/** The months one by one, and the same months of the latest year in which none of them is among the range. */
function ownWindows([first, last]: readonly [string, string]): Windows {
  const now = [first]
  while ((now.at(-1) ?? '') < last) now.push(addMonths(now.at(-1) ?? '', 1))
  const yearsBack = (years: number) => now.map((month) => addMonths(month, -12 * years))
  const before = [1, 2, 3].map(yearsBack).find((months) => !months.some((month) => now.includes(month))) ?? []
  return { now, before }
}

function addMonths(month: string, count: number): string {
  const index = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + count
  return `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`
}

function nextMonth(month: string): string {
  return `${addMonths(month, 1)}-01`
}

function within(parts: readonly Part[], months: readonly string[]): Part[] {
  return parts.filter((part) => months.includes(part.month))
}

function costOf(parts: readonly Part[]): bigint {
  return sum(parts.map((part) => part.utility + part.supply + part.other))
}

function usageOf(parts: readonly Part[]): bigint | null {
  const used = parts.flatMap((part) => part.usage ?? [])
  return used.length === 0 ? null : sum(used)
}

function unitCostOf(parts: readonly Part[]): string | null {
  const used = usageOf(parts)
  return used === null || used === 0n ? null : ratio(costOf(parts) * 1_000_000n, used * 100n, 4)
}

function tonnes(parts: readonly Part[]): string | null {
  const isElsewhere = parts.some((part) => part.elsewhere) && parts.every((part) => part.elsewhere || part.usage === null)
  return isElsewhere ? null : ratio(sum(parts.map((part) => part.kg)), 1_000_000_000n, 2)
}

/** Charges of nothing are none. */
function nothing(cents: bigint): bigint | null {
  return cents === 0n ? null : cents
}

function money(cents: bigint): string {
  return ratio(cents, 100n, 2)
}

function text(millionths: bigint | null, places: number): string | null {
  return millionths === null ? null : ratio(millionths, 1_000_000n, places)
}

function percent(part: bigint, whole: bigint): string | null {
  return whole === 0n ? null : ratio(part * 100n, whole, 2)
}

function change(now: string | null, before: string | null): string | null {
  if (now === null || before === null) return null
  const [a, b] = [unitsOf(now, 6), unitsOf(before, 6)]
  return b === 0n ? null : ratio((a - b) * 100n, b, 2)
}

/** A quotient as decimal text, rounded half away from zero. */
function ratio(top: bigint, bottom: bigint, places: number): string {
  const units = halfAway(top * 10n ** BigInt(places), bottom)
  const digits = size(units)
    .toString()
    .padStart(places + 1, '0')
  const point = digits.length - places
  return `${units < 0n ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`
}

function facilityOf({ owner }: Part): number | null {
  return owner.facility_id
}

function divisionOf(world: World): (part: Part) => number | null {
  return ({ owner }) => (owner.facility_id === null ? null : (world.facilities.get(owner.facility_id)?.division_id ?? null))
}

function nameOfService(world: World, { owner }: Part): string {
  return serviceName(world, owner.utility_id)
}

function serviceName(world: World, id: number | null): string {
  return id === null ? 'No utility service' : (world.utilities.get(id)?.name ?? '')
}
