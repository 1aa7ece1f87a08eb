/** Assigns payments to files: one file for each bank and each sender, by the layouts of the payers' profiles. */
import { sumCents, type Cents } from '../kernel/money.ts'
import type { CalendarDate } from '../kernel/date.ts'
import { effectiveDate } from './banking-days.ts'
import { compareTexts, inOrder } from './file-order.ts'
import { chosenLayout, type ChosenLayout } from './layout-presets.ts'
import type { Layout, LayoutVersion } from './layout.ts'
import { nachaBatches, tracesOfBatch, type NachaBatch } from './nacha-batches.ts'
import type { ExportInput, PaymentForFile, PlannedFile, ProfileForFile } from './payment-file.ts'

/** A file of the export with its input. */
export type FileGroup = {
  readonly payments: readonly PaymentForFile[]
  readonly profiles: readonly ProfileForFile[]
} & (
  | { readonly family: 'nacha'; readonly batches: readonly NachaBatch[] }
  | { readonly family: 'layout'; readonly layout: Layout; readonly version: LayoutVersion | null }
)

export function profilesById(input: ExportInput): ReadonlyMap<number, ProfileForFile> {
  return new Map(input.profiles.map((profile) => [profile.id, profile]))
}

/** An export of many files needs its groups once per file; the input never changes, so they are computed once. */
const made = new WeakMap<ExportInput, FileGroup[]>()

/** Returns the groups in the order of the export; payments without a profile are in a group only if their layout needs none. */
export function fileGroups(input: ExportInput): FileGroup[] {
  const groups = made.get(input) ?? groupsOf(input)
  made.set(input, groups)
  return groups
}

function groupsOf(input: ExportInput): FileGroup[] {
  const profiles = profilesById(input)
  const layoutOf = layoutsOf(input)
  const fileOf = fileKeys(input, layoutOf)
  const groups = Map.groupBy(inOrder(input), (payment) => fileOf(payment, profiles.get(payment.profile_id ?? -1)))
  return [...groups]
    .toSorted(([a], [b]) => compareTexts(a, b))
    .flatMap(([, payments]): FileGroup[] => {
      const [first] = payments
      if (!first) return []
      const own = [...new Set(payments.flatMap((payment) => profiles.get(payment.profile_id ?? -1) ?? []))]
      const chosen = layoutOf(profiles.get(first.profile_id ?? -1))
      if (chosen.family === 'layout') return [{ ...chosen, payments, profiles: own }]
      const batches = nachaBatches(payments, profiles, input.moment, chosen.withRemittance)
      return [{ family: chosen.family, batches, payments, profiles: own }]
    })
}

/** Returns the layout of an export's files that a profile has chosen, or the ready-made one where no profile pays. */
export type LayoutOf = (profile: ProfileForFile | undefined) => ChosenLayout

export function layoutsOf({ format }: ExportInput): LayoutOf {
  return remembered((profile) => chosenLayout(format, profile?.layouts[format]))
}

/** A profile pays thousands of payments of an export, and what follows from it alone is the same for each. */
function remembered<Value>(valueOf: (profile: ProfileForFile | undefined) => Value): (profile: ProfileForFile | undefined) => Value {
  const known = new Map<ProfileForFile | undefined, Value>()
  return (profile) => {
    const value = known.get(profile) ?? valueOf(profile)
    known.set(profile, value)
    return value
  }
}

/** Returns each file as a plan. The total counts each payment once. */
export function plannedFiles(input: ExportInput): PlannedFile[] {
  const groups = fileGroups(input)
  return groups.map((group, place) => {
    const [profile] = group.profiles
    const isNacha = group.family === 'nacha'
    return {
      place,
      file_count: groups.length,
      family: group.family,
      immediate_destination: isNacha ? (profile?.immediate_destination ?? null) : null,
      immediate_origin: isNacha ? (profile?.immediate_origin ?? null) : null,
      odfi: isNacha ? (profile?.routing_number?.slice(0, 8) ?? null) : null,
      trace_count: isNacha ? group.batches.reduce((sum, batch) => sum + tracesOfBatch(batch), 0) : 0,
      bank_name:
        isNacha || group.profiles.length === 1 ? firstName(group.profiles, (one) => one.immediate_destination_name ?? one.bank_name) : null,
      effective_dates: effectiveDates(input, group),
      profile_ids: group.profiles.map(({ id }) => id),
      payer_count: new Set(group.payments.map((payment) => payment.payer.client_id)).size,
      payment_count: group.payments.length,
      bill_count: group.payments.reduce((sum, payment) => sum + payment.bills.length, 0),
      total: totalOf(group.payments),
      payments: group.payments,
      layout_version: group.family === 'layout' ? group.version : null,
    }
  })
}

/** Returns a name that the file has once: that of the first profile with one. */
export function firstName(profiles: readonly ProfileForFile[], nameOf: (profile: ProfileForFile) => string | null): string | null {
  return profiles.map(nameOf).find((name) => name !== null && name !== '') ?? null
}

export function totalOf(payments: readonly PaymentForFile[]): Cents {
  return sumCents(payments.map((payment) => payment.amount))
}

/** Returns the settlement days if a bank accepts the file: all ACH formats except the register of staff. */
function effectiveDates(input: ExportInput, group: FileGroup): CalendarDate[] {
  if (group.family === 'layout' && !group.layout.columns.some(({ source }) => source === 'routing_number' || source === 'effective_date'))
    return []
  return [...new Set(group.profiles.map((profile) => effectiveDate(input.moment, profile)))].toSorted()
}

/**
 * Returns the key of a payment's file, built from all values that a file has only once, which its payments must share. A portal takes the file
 * of one payer; the payer's name comes first, so that the files follow each other by it.
 */
function fileKeys(input: ExportInput, layoutOf: LayoutOf): (payment: PaymentForFile, profile: ProfileForFile | undefined) => string {
  const keyOf = remembered((profile) => keyOfProfile(input, layoutOf(profile), profile))
  return ({ payer }, profile) => {
    const chosen = layoutOf(profile)
    const isApart = chosen.family === 'layout' && isForPortal(chosen.layout) && profile !== undefined
    return isApart ? JSON.stringify(['layout', payer.name, payer.client_id, profile.id, keyOf(profile)]) : keyOf(profile)
  }
}

function keyOfProfile(input: ExportInput, chosen: ChosenLayout, profile: ProfileForFile | undefined): string {
  if (chosen.family === 'layout') {
    const bank = input.format === 'positive_pay' ? [profile?.routing_number ?? ''] : []
    // A file names the one version that it was written with, so equal layouts of two profiles are two files.
    return JSON.stringify(['layout', ...bank, chosen.layout, chosen.version?.id ?? null])
  }
  if (!profile) return JSON.stringify(['nacha', '', chosen.withRemittance])
  return JSON.stringify([
    'nacha',
    profile.immediate_destination,
    profile.immediate_origin,
    profile.routing_number?.slice(0, 8),
    profile.line_end,
    profile.character_set,
    chosen.withRemittance,
  ])
}

/** The portal needs the paying account and the day: one file for each. A layout with vendors' account numbers is one of these. */
export function isForPortal(layout: Layout): boolean {
  return (
    layout.columns.some(({ source }) => source === 'account_number') && !layout.columns.some(({ source }) => source === 'payer_account')
  )
}
