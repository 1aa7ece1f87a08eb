/** The request body of a save: the whole of a new bill, or the changes of a stored one. */
import type { DraftResolution } from '#contract/bills/bill-draft.ts'
import { formFields, lineFields, lineListNames, type LineList } from '#contract/bills/bill-fields.ts'
import type { BillEntry } from '#contract/bills/bill-form.ts'
import type { BillAttributes, ServiceBillAttributes } from '#contract/bills/bill-attributes.ts'
import { sentOf } from '#contract/kernel/record.ts'
import { dueOfBill, settledKey, usageOfLine, type BillValues, type ChargeValues, type LineValues } from './bill-values.ts'
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
  return readableOf(sentOf(formFields, { ...values, amount_due: dueOfBill(values) }), notes)
}

function lineOf(line: LineValues, entry: BillEntry, notes: boolean): ServiceBillAttributes {
  const service = entry.services.find((one) => one.id === line.service_id)
  const own = sentOf(lineFields, { ...line, usage: usageOfLine(line, service) })
  return { ...readableOf(own, notes), ...Object.fromEntries(lineListNames.map((list) => [list, valuesOf(line, list)])) }
}

/** Returns what is sent without the notes, unless the user may read them. */
function readableOf<T extends { readonly notes?: unknown }>(sent: T, notes: boolean): T | Omit<T, 'notes'> {
  if (notes) return sent
  const { notes: _unread, ...readable } = sent
  return readable
}

function valuesOf(line: LineValues, list: LineList) {
  return Object.entries(line[list]).map(([name, value]) => ({ name, value: value || null }))
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
