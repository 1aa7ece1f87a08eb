/**
 * Payment files as pure functions: what prevents an export, which files it makes, and their bytes. No clock, no database, nothing random:
 * the same payments and the same identity give the same bytes. The order is
 *
 * 1. `exportFaults` lists every fault; while there is any, nothing is allocated or written.
 * 2. `planFiles` lists the files to be made, and the identity that each of them needs.
 * 3. The caller allocates and stores the identities (`modifierAt`, `firstTraceAfter`).
 * 4. `buildFile` writes the bytes, reads them back with an independent checker, and throws FileRefused if the two disagree.
 */
import { firstName, fileGroups, plannedFiles, type FileGroup } from './file-groups.ts'
import { fileReference, traceSequenceMax } from './file-name.ts'
import { findFaults } from './file-faults.ts'
import { nachaFile } from './nacha-file.ts'
import type { BuiltFile, ExportInput, FileFault, FileIdentity, PlannedFile } from './payment-file.ts'
import { buildLayout } from './build-layout.ts'
import { readBackNacha } from './read-back.ts'

export { firstTraceAfter, filesPerDayMax, modifierAt, modifiersAreUsedUp } from './file-name.ts'

/** Returns everything that prevents the export, ordered by payer and vendor; empty if it may be made. */
export function exportFaults(input: ExportInput): FileFault[] {
  return findFaults(input)
}

/** Returns the files of an export without faults, in their order. */
export function planFiles(input: ExportInput): PlannedFile[] {
  return plannedFiles(input)
}

/** Builds one of the planned files. Throws FileRefused; throws a RangeError for an export with faults. */
export function buildFile(input: ExportInput, plan: PlannedFile, identity: FileIdentity): BuiltFile {
  const group = fileGroups(input)[plan.place]
  if (!group) throw new RangeError('the export has no such file')
  return group.family === 'nacha' ? buildNacha(input, plan, identity, group) : buildLayout(input, plan, identity, group)
}

/**
 * Returns the profile that pays for a client: its own default, or the provider's default if the client has no profile. Null if none pays: if a
 * client's profiles are all inactive or none is the default, the provider does not silently pay for it.
 */
export function profileOfPayer<Row extends { readonly client_id: number; readonly active: boolean; readonly is_default: boolean }>(
  clientId: number,
  rows: readonly Row[],
): Row | null {
  const own = rows.filter((row) => row.client_id === clientId)
  const from = own.length > 0 ? own : rows.filter((row) => row.client_id === 0)
  return from.find((row) => row.active && row.is_default) ?? null
}

type NachaGroup = Extract<FileGroup, { family: 'nacha' }>

function buildNacha(input: ExportInput, plan: PlannedFile, identity: FileIdentity, group: NachaGroup): BuiltFile {
  const { modifier, first_trace } = identity
  const [profile] = group.profiles
  if (modifier === null || first_trace === null || !profile) throw new RangeError('a NACHA file needs a modifier and trace numbers')
  const last = first_trace + plan.trace_count - 1
  if (first_trace < 1 || last > traceSequenceMax) throw new RangeError('the trace numbers do not fit')
  const { text, entries } = nachaFile(group.batches, {
    moment: input.moment,
    modifier,
    first_trace,
    is_test: input.is_test,
    destination_name: plan.bank_name ?? '',
    origin_name: firstName(group.profiles, (one) => one.immediate_origin_name) ?? '',
  })
  const bytes = new TextEncoder().encode(text)
  const read = readBackNacha(bytes, { input, plan, group, modifier, entries })
  const control = {
    records: read.records,
    batches: read.batches,
    entries: read.entries.length,
    addenda: read.addenda,
    entry_hash: read.entry_hash,
  }
  return {
    name: `${fileReference(input, plan.file_count > 1 ? `${modifier}-${plan.place + 1}` : modifier)}.ach`,
    content_type: 'text/plain; charset=us-ascii',
    bytes,
    control: { ...control, debit: read.debit, credit: read.credit },
    entries,
    plan,
    last_trace: last,
  }
}
