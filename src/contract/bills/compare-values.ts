/** Compares two bills value by value. */
import { subtractMoney } from '../kernel/money.ts'
import {
  type ComparableBill,
  type ComparedGroup,
  headFields,
  type ComparableHead,
  type HeadKey,
  type ComparableLine,
  lineFields,
  type ComparedValue,
} from './bill-compare.ts'

/** Compares every value of two bills: the head, each meter's lines in order, the account's charges by name. */
export function compareBills(left: ComparableBill, right: ComparableBill): ComparedGroup[] {
  const head = headFields.map(([key, label, kind]) => compared(key, label, kind, left[key], right[key]))
  return [{ key: 'head', title: 'Bill', values: head }, ...lineGroups(left, right), ...chargeGroup(left, right)]
}

/** Compares an incoming head with the stored bill that it repeats. */
export function compareHeads(given: ComparableHead, bill: Pick<ComparableBill, HeadKey>): ComparedGroup[] {
  const values = headFields.flatMap(([key, label, kind]) => {
    const said = given[key]
    return said === undefined ? [] : [compared(key, label, kind, said, bill[key])]
  })
  return [{ key: 'head', title: 'Bill', values }]
}

function lineGroups(left: ComparableBill, right: ComparableBill): ComparedGroup[] {
  const services = [...new Set([...left.service_bills, ...right.service_bills].map((line) => line.service_id))]
  return services.flatMap((service) => {
    const [mine, theirs] = [left, right].map((bill) => bill.service_bills.filter((line) => line.service_id === service))
    const count = Math.max(mine?.length ?? 0, theirs?.length ?? 0)
    return Array.from({ length: count }, (_, place) => lineGroup(`${service}.${place}`, mine?.[place], theirs?.[place]))
  })
}

function lineGroup(key: string, left: ComparableLine | undefined, right: ComparableLine | undefined): ComparedGroup {
  const line = left ?? right
  const values = lineFields.map(([field, label, kind]) => compared(field, label, kind, left?.[field] ?? null, right?.[field] ?? null))
  const units = compared('unit', 'Unit', 'text', left?.unit_symbol ?? null, right?.unit_symbol ?? null)
  const names = [...new Set([left, right].flatMap((one) => (one?.service_bill_entry_fields ?? []).map((field) => field.name)))]
  const valueOf = (one: ComparableLine | undefined, name: string): string | null =>
    one?.service_bill_entry_fields.find((field) => field.name === name)?.value ?? null
  const charges = names.map((name) => compared(`charge.${name}`, name, 'money', valueOf(left, name), valueOf(right, name)))
  const total = compared('charge', 'Line Total', 'money', left?.charge ?? null, right?.charge ?? null)
  const title = `${line?.service_utility_service_name ?? 'Service'} ${line?.service_meter_number ?? ''}`.trim()
  return { key, title, values: [...values, units, ...charges, total].filter((value) => value.left !== null || value.right !== null) }
}

function chargeGroup({ bill_charges: left }: ComparableBill, { bill_charges: right }: ComparableBill): ComparedGroup[] {
  const names = [...new Set([...left, ...right].map((charge) => charge.name))]
  if (names.length === 0) return []
  const nth = (list: ComparableBill['bill_charges'], name: string): string | null => {
    const own = list.filter((charge) => charge.name === name)
    return own.length === 0
      ? null
      : own.map((charge) => charge.amount).reduce((sum, amount) => subtractMoney(sum, subtractMoney('0.00', amount)))
  }
  return [
    {
      key: 'charges',
      title: 'Account charges',
      values: names.map((name) => compared(name, name, 'money', nth(left, name), nth(right, name))),
    },
  ]
}

function compared(key: string, label: string, kind: ComparedValue['kind'], left: string | null, right: string | null): ComparedValue {
  const differs = kind === 'number' ? !isSameNumber(left, right) : (left ?? '') !== (right ?? '')
  const delta = kind === 'money' && differs && (left ?? right) !== null ? subtractMoney(right ?? '0.00', left ?? '0.00') : null
  return { key, label, kind, left, right, differs, delta }
}

/** Treats '40.0000' and '40' as equal. */
function isSameNumber(left: string | null, right: string | null): boolean {
  const bare = (value: string | null) => (value?.includes('.') ? value.replace(/\.?0+$/, '') : (value ?? ''))
  return bare(left) === bare(right)
}
