/** Gives a part of a divided document its own file. */
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { ReadingError } from '../bill-reading/bill-reading.ts'
import { generatedKey } from '../kernel/files/files.ts'
import type { Machinery } from '../kernel/machinery.ts'
import { inUnit } from './keep-reading.ts'
import { cutPages, type Asking } from './reader.ts'
import { releaseUnused } from './release-unused.ts'

export interface PartOfFile {
  readonly id: number
  readonly filename: string
  readonly file_id: number
  readonly cut_from: number | null
  readonly cut_to: number | null
}

/** The part's own pages become its file, so that a reader of this bill does not see the others. @returns its bytes. */
export async function keepCut(
  machinery: Machinery,
  scan: PartOfFile,
  { bytes: whole, still }: { bytes: Uint8Array; still: RawBuilder<SqlBool> },
  asking: Asking & { seconds: number },
): Promise<Uint8Array> {
  const { cut_from: from, cut_to: to } = scan
  if (from === null || to === null) return whole
  const part = { from, to }
  const cut = await cutPages({ ...asking, ...part, bytes: whole }).catch((error: unknown) => {
    if (!asking.signal.aborted) machinery.log.warn('a document could not be divided', { scan_id: scan.id, error })
    throw error
  })
  const key = generatedKey('scans')
  const { bytes, sha256 } = await machinery.files.put(key, cut, 'application/pdf')
  await inUnit(machinery, async (context) => {
    const filename = partName(scan.filename, part)
    const { rows } = await sql<{ id: number }>`insert into files (key, filename, content_type, byte_size, sha256, state, attached_at)
      values (${key}, ${filename}, 'application/pdf', ${bytes}, ${sha256}, 'attached', now()) returning id`.execute(context.tx)
    const { rows: kept } =
      await sql`update bill_scans set file_id = ${rows[0]?.id ?? 0}, filename = ${filename}, cut_from = null, cut_to = null
      where ${still} returning id`.execute(context.tx)
    await releaseUnused(context, [rows[0]?.id ?? null, scan.file_id])
    if (kept.length === 0) throw takenOver()
  })
  return cut
}

/** 'May.pdf', pages 3 to 4: 'May, pages 3-4.pdf'. */
function partName(filename: string, { from, to }: { from: number; to: number }): string {
  const stem = filename.replace(/\.pdf$/i, '').slice(0, 220)
  return `${stem}, ${from === to ? `page ${from}` : `pages ${from}-${to}`}.pdf`
}

/** The document is in the hands of another process or user, so that its reading here is given up. */
export const takenOver = (): ReadingError => new ReadingError('stopped', 'Somebody else has gone on with the document.')
