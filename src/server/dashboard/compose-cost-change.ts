/** The change of cost, split account by account and service by service, and then added up. Pure: sums in, decimal text out. */
import {
  costChangeRowsMax,
  unsplitReasons,
  type CostChange,
  type CostChangeRow,
  type CostSplit,
  type ServiceSplit,
} from '#contract/dashboard/dashboard-cost-change.ts'
import type { DashboardBasis } from '#contract/dashboard/basis.ts'
import type { ComparedWindows } from '#contract/dashboard/date-range.ts'
import { unitCost } from '#contract/dashboard/metrics.ts'
import { splitChange } from '#contract/dashboard/split-change.ts'
import { roundTo, USAGE_SCALE } from '#contract/kernel/decimal.ts'
import { centsOf, sumCents, wireOf } from '#contract/kernel/money.ts'
import { naturalOrder } from '#contract/kernel/natural-order.ts'
import { keyFor, namedChild, type NamingFacts } from './compose-children.ts'
import { chosen, serviceName, usageText } from './compose-sums.ts'
import type { ChildPlace, ChildSums } from './read-children.ts'
import type { AlikeSide } from './read-cost-change.ts'

export interface CostChangeFacts extends NamingFacts {
  readonly basis: DashboardBasis
  readonly windows: ComparedWindows
  readonly service_id: number | null
  /** All cost of both windows, by account, facility and service. */
  readonly sums: readonly ChildSums[]
  /** The part of it that both windows cover. */
  readonly sides: readonly AlikeSide[]
}

type Reasons = Readonly<Record<(typeof unsplitReasons)[number], number>>

/** One account's service. `used` are the two sides of what is split; null where nothing is. All amounts are in cents. */
interface Cell {
  readonly place: ChildPlace
  readonly previous: number
  readonly current: number
  readonly by_usage: number
  readonly by_price: number
  readonly reasons: Reasons
  readonly used: { readonly former: Used; readonly present: Used } | null
}

interface Used {
  readonly cents: number
  readonly usage: bigint
  readonly own_usage: bigint | null
}

const nothing: Used = { cents: 0, usage: 0n, own_usage: null }

export function composeCostChange(facts: CostChangeFacts): CostChange {
  const cells = cellsOf(facts)
  const keyOf = keyFor(facts)
  const rows = [...Map.groupBy(cells, (cell) => keyOf(cell.place))]
    .map(([key, own]): CostChangeRow => {
      const { id, name, place, account_type } = namedChild(facts, key)
      return { id, name, place, account_type, ...splitOf(own), services: servicesOf(facts, own) }
    })
    .toSorted((a, b) => Math.abs(centsOf(b.change)) - Math.abs(centsOf(a.change)) || naturalOrder(a.name, b.name))
  const { current, previous } = facts.windows
  return {
    children: facts.kind,
    basis: facts.basis,
    windows: { current: { from: current.from, to: current.to }, previous: { from: previous.from, to: previous.to } },
    total: splitOf(cells),
    services: servicesOf(facts, cells),
    rows: rows.slice(0, costChangeRowsMax),
    count: rows.length,
  }
}

function cellsOf(facts: CostChangeFacts): Cell[] {
  const isChosen = chosen(facts)
  const cellKey = ({ account, facility_id, service_id }: ChildPlace) => JSON.stringify([account, facility_id, service_id])
  const alike = Map.groupBy(facts.sides.filter(isChosen), cellKey)
  const now = facts.windows.current.first_month
  return [...Map.groupBy(facts.sums.filter(isChosen), cellKey)].flatMap(([key, sums]) => {
    const [place] = sums
    return place ? [cellOf(place, sums, alike.get(key) ?? [], now)] : []
  })
}

function cellOf(place: ChildPlace, sums: readonly ChildSums[], sides: readonly AlikeSide[], now: string): Cell {
  const [present, former] = [sums.filter(({ month }) => month === now), sums.filter(({ month }) => month !== now)]
  const cents = (rows: readonly { readonly cents: number }[]) => sumCents(rows.map((row) => row.cents))
  const difference = (rows: readonly AlikeSide[]) =>
    cents(rows.filter(({ month }) => month === now)) - cents(rows.filter(({ month }) => month !== now))
  const [current, previous] = [sumCents(present.map(({ cost }) => cost)), sumCents(former.map(({ cost }) => cost))]
  const metered = sides.filter((side) => side.metered)
  const used = {
    former: usedOf(metered.find(({ month }) => month !== now)),
    present: usedOf(metered.find(({ month }) => month === now)),
  }
  const parts = splitChange(used.former, used.present)
  const oneSided = current - previous - difference(sides)
  return {
    place,
    previous,
    current,
    by_usage: parts?.by_usage ?? 0,
    by_price: parts?.by_price ?? 0,
    reasons: {
      started: former.length === 0 ? oneSided : 0,
      ended: present.length === 0 ? oneSided : 0,
      days: former.length > 0 && present.length > 0 ? oneSided : 0,
      no_usage: difference(sides.filter((side) => !side.metered)),
      unlike: parts === null ? difference(metered) : 0,
    },
    used: parts === null ? null : used,
  }
}

function usedOf(side: AlikeSide | undefined): Used {
  return side ? { cents: side.cents, usage: side.usage ?? 0n, own_usage: side.own_usage } : nothing
}

function splitOf(cells: readonly Cell[]): CostSplit {
  const sum = (of: (cell: Cell) => number) => sumCents(cells.map(of))
  const reasons = unsplitReasons
    .map((reason) => ({ reason, cents: sum((cell) => cell.reasons[reason]) }))
    .filter(({ cents }) => cents !== 0)
  const [previous, current] = [sum((cell) => cell.previous), sum((cell) => cell.current)]
  return {
    previous: wireOf(previous),
    current: wireOf(current),
    change: wireOf(current - previous),
    by_usage: wireOf(sum((cell) => cell.by_usage)),
    by_price: wireOf(sum((cell) => cell.by_price)),
    unsplit: wireOf(sumCents(reasons.map(({ cents }) => cents))),
    reasons: reasons.map(({ reason, cents }) => ({ reason, amount: wireOf(cents) })),
  }
}

/** The services by the size of their change. */
function servicesOf(facts: CostChangeFacts, cells: readonly Cell[]): ServiceSplit[] {
  return [...Map.groupBy(cells, ({ place }) => place.service_id)]
    .map(([id, own]): ServiceSplit => {
      const service = id === null ? undefined : facts.services.get(id)
      const [former, present] = [usedBy(own, 'former'), usedBy(own, 'present')]
      return {
        service_id: id,
        name: serviceName(facts, id),
        service_code: service?.code ?? null,
        unit_symbol: service?.unit_symbol ?? null,
        ...splitOf(own),
        usage: { current: usageOfUsed(present), previous: usageOfUsed(former) },
        unit_cost: { current: costOfUnit(present), previous: costOfUnit(former) },
      }
    })
    .toSorted((a, b) => Math.abs(centsOf(b.change)) - Math.abs(centsOf(a.change)) || naturalOrder(a.name, b.name))
}

/** Adds up a side of what is split. Usage that a delivery meter counts again is left out, unless there is no other. */
function usedBy(cells: readonly Cell[], side: 'former' | 'present'): { cents: number; usage: bigint | null } {
  const used = cells.flatMap((cell) => (cell.used === null ? [] : [cell.used[side]]))
  const own = used.flatMap(({ own_usage }) => own_usage ?? [])
  const counted = own.length > 0 ? own : used.map(({ usage }) => usage)
  return {
    cents: sumCents(used.map(({ cents }) => cents)),
    usage: counted.length === 0 ? null : counted.reduce((sum, one) => sum + one, 0n),
  }
}

function usageOfUsed({ usage }: { readonly usage: bigint | null }): string | null {
  const text = usageText(usage)
  return text === null ? null : roundTo(text, USAGE_SCALE)
}

function costOfUnit({ cents, usage }: { readonly cents: number; readonly usage: bigint | null }): string | null {
  return unitCost(wireOf(cents), usageText(usage))
}
