/** The request body of a save: the whole of a new bill, or the changes of a stored one. */
import type { DraftResolution } from '#contract/bills/bill-draft.ts'
import type { BillAttributes, BillEntry, ServiceBillAttributes } from '#contract/bills/bill-form.ts'
import {
  dueOfBill,
  settledKey,
  usageOfLine,
  valueGroups,
  type BillValues,
  type ChargeValues,
  type LineValues,
  type ValueGroup,
} from './bill-values.ts'
import type { FormFinding } from './audit-form.ts'
import { placedLines } from './read-bill.ts'
import { same } from './same.ts'

export interface Sending {
  readonly values: BillValues
  readonly entry: BillEntry
  readonly findings: readonly FormFinding[]
  /** Whether the user may read notes; only then are they sent. */
  readonly notes: boolean
  /** The inbox document that a new bill is entered from. */
  readonly scanId?: number | undefined
}

export function newBody({ values, entry, findings, notes, scanId }: Sending): BillAttributes {
  return {
    ...(scanId === undefined ? {} : { scan_id: scanId }),
    account_type: entry.account_type,
    account_id: entry.account_id,
    ...headerOf(values, notes),
    ...(values.files.length > 0 ? { signed_file_ids: values.files.map((file) => file.signed_id) } : {}),
    service_bills_attributes: placedLines(values).map((line) => lineOf(line, entry, notes)),
    bill_charges_attributes: values.charges.map(chargeOf),
    ...linkedOf(values),
    resolutions: resolutionsOf(values, findings),
  }
}

/**
 * Returns only what differs from the stored bill. If any line is sent, all lines are sent in their order, because findings name lines by
 * position.
 */
export function changedBody({ values, entry, findings, notes }: Sending, base: BillValues, lockVersion: number): BillAttributes {
  const before = new Map<string, unknown>(Object.entries(headerOf(base, notes)))
  const header = Object.fromEntries(Object.entries(headerOf(values, notes)).filter(([key, value]) => !same(before.get(key), value)))
  const resolutions = resolutionsOf(values, findings)
  return {
    ...header,
    ...(same(base.files, values.files) ? {} : { signed_file_ids: values.files.map((file) => file.signed_id) }),
    ...(same(base.lines, values.lines) && resolutions.length === 0
      ? {}
      : { service_bills_attributes: changedLines(values, base, entry, notes) }),
    ...(same(base.charges, values.charges) ? {} : { bill_charges_attributes: changedCharges(values.charges, base.charges) }),
    ...(same(base.linked, values.linked) ? {} : linkedOf(values)),
    ...(resolutions.length > 0 ? { resolutions } : {}),
    lock_version: lockVersion,
  }
}

function headerOf(values: BillValues, notes: boolean): BillAttributes {
  return {
    date: values.date,
    due_date: values.due_date,
    invoice_number: values.invoice_number || null,
    balance_forward: values.balance_forward,
    current_charges: values.current_charges,
    late_fee: values.late_fee || null,
    amount_due: dueOfBill(values),
    fiscal_month: values.fiscal_month || null,
    next_read_date: values.next_read_date || null,
    ...(notes ? { notes: values.notes || null } : {}),
    qc: values.qc,
    parked: values.parked,
    rebill_adjustment: values.rebill_adjustment,
    rebill_of_id: values.rebill_of_id,
    rebill_mode: values.rebill_mode,
    group_bill_id: values.group_bill_id,
    bill_id: values.bill_id,
  }
}

function lineOf(line: LineValues, entry: BillEntry, notes: boolean): ServiceBillAttributes {
  const service = entry.services.find((one) => one.id === line.service_id)
  return {
    ...(line.service_id === null ? {} : { service_id: line.service_id }),
    previous_read_date: line.previous_read_date || null,
    read_date: line.read_date || null,
    next_read_date: line.next_read_date || null,
    fiscal_month: line.fiscal_month || null,
    previous_reading: line.previous_reading || null,
    meter_reading: line.meter_reading || null,
    multiplier: line.multiplier || null,
    usage: usageOfLine(line, service) || null,
    unit_id: line.unit_id,
    raw_unit: line.raw_unit || null,
    rate_schedule: line.rate_schedule || null,
    estimated: line.estimated,
    ...(notes ? { notes: line.notes || null } : {}),
    supply_bill_id: line.supply_bill_id,
    ...Object.fromEntries(valueGroups.map((group) => [group, valuesOf(line, group)])),
  }
}

function valuesOf(line: LineValues, group: ValueGroup) {
  return Object.entries(line[group]).map(([name, value]) => ({ name, value: value || null }))
}

function changedLines(values: BillValues, base: BillValues, entry: BillEntry, notes: boolean): ServiceBillAttributes[] {
  const live = placedLines(values).map((line): ServiceBillAttributes => {
    const before = line.id === null ? undefined : base.lines.find((one) => one.id === line.id)
    if (line.id === null || !before) return lineOf(line, entry, notes)
    const stored = new Map<string, unknown>(Object.entries(lineOf(before, entry, notes)))
    const changes = Object.entries(lineOf(line, entry, notes)).filter(([key, value]) => !same(stored.get(key), value))
    return { id: line.id, ...Object.fromEntries(changes) }
  })
  return [...live, ...removed(base.lines, values.lines)]
}

function changedCharges(charges: readonly ChargeValues[], base: readonly ChargeValues[]) {
  return [...charges.map(chargeOf), ...removed(base, charges)]
}

function chargeOf({ id, name, amount }: ChargeValues) {
  return { ...(id === null ? {} : { id }), name, amount }
}

function removed(base: readonly { readonly id: number | null }[], now: readonly { readonly id: number | null }[]) {
  return base.flatMap(({ id }) => (id === null || now.some((one) => one.id === id) ? [] : [{ id, _destroy: true }]))
}

function linkedOf({ linked }: BillValues): BillAttributes {
  return { linked_service_bill_ids: linked.map((line) => line.service_bill_id), linked_service_bills_attributes: linked }
}

/** Returns the resolutions of those findings that the audits still report. */
function resolutionsOf(values: BillValues, findings: readonly FormFinding[]): DraftResolution[] {
  const placed = placedLines(values)
  const asked = new Map(findings.map((finding) => [settledKey(finding.code, finding.lineKey), finding]))
  return [...asked].flatMap(([key, finding]) => {
    const settled = values.settled[key]
    if (!settled) return []
    const line = finding.lineKey === null ? null : placed.findIndex((one) => one.key === finding.lineKey)
    return [{ code: finding.code, line, reason: settled.reason, comment: settled.comment || null }]
  })
}
