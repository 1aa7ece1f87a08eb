/** Whether what waits for a release is still what was asked for. Account numbers go into keyed hashes only. */
import type { ExportInput } from '#contract/payment-files/payment-file.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../kernel/context.ts'
import { fingerprintOf } from '../kernel/secret.ts'
import type { Weighed } from './release-rules.ts'

export const releaseFingerprints = z.object({
  payments: z.string(),
  /** By vendor. */
  vendors: z.record(z.string(), z.string()),
  profiles: z.string(),
  rules: z.string(),
})
export type ReleaseFingerprints = z.infer<typeof releaseFingerprints>

/** Takes the fingerprints of an export. Notes of bills are left out: they move no money. */
export async function fingerprintsOf(context: Context, input: ExportInput, { rules }: Weighed): Promise<ReleaseFingerprints> {
  const hash = (value: unknown) =>
    fingerprintOf(context.machinery.settings.secretKey, 'export_release', JSON.stringify(value)).toString('hex')
  const vendors = new Map(input.payments.map(({ vendor }) => [vendor.id, vendor]))
  const waiting = await waitingChanges(context, [...vendors.keys()])
  const used = new Set(input.payments.map(({ profile_id }) => profile_id))
  return {
    payments: hash(
      input.payments.map(({ vendor, bills, ...payment }) => ({
        ...payment,
        vendor_id: vendor.id,
        bills: bills.map(({ notes: _notes, ...bill }) => bill),
      })),
    ),
    vendors: Object.fromEntries([...vendors].map(([id, vendor]) => [String(id), hash([vendor, waiting.get(id) ?? []])])),
    profiles: hash([input.profiles.filter(({ id }) => used.has(id)), input.payments.map(({ id, profile_id }) => [id, profile_id])]),
    rules: hash(rules),
  }
}

/** Returns what has changed, as a sentence; null if nothing has. */
export function changeBetween(asked: ReleaseFingerprints, now: ReleaseFingerprints, { payments }: ExportInput): string | null {
  if (asked.rules !== now.rules) return 'The limits of a bank profile have changed since.'
  if (asked.profiles !== now.profiles) return 'A bank profile has changed since, or another one pays.'
  const vendor = payments.find(({ vendor: { id } }) => asked.vendors[id] !== undefined && asked.vendors[id] !== now.vendors[id])?.vendor
  if (vendor !== undefined) return `The payment details of ${vendor.name} have changed since.`
  return asked.payments === now.payments ? null : 'The payments, bills or amounts have changed since.'
}

/** New bank details that somebody has asked for meanwhile put the payment in doubt too. */
async function waitingChanges({ tx }: Context, vendors: readonly number[]): Promise<Map<number, number[]>> {
  const { rows } = await sql<{ vendor_id: number; ids: number[] }>`select vendor_id, array_agg(id order by id) as ids
    from vendor_bank_changes where vendor_id = any(${vendors}::bigint[]) and state = 'waiting' group by vendor_id`.execute(tx)
  return new Map(rows.map(({ vendor_id, ids }) => [vendor_id, ids]))
}
